#include "test/stress/target/child_target.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>

#include "test/stress/history/answers.h"

namespace ROCKSDB_NAMESPACE::stress {

ChildTarget::~ChildTarget() { Stop(); }

bool ChildTarget::Start() {
  if (process_ > 0) return true;
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (pipe2(to.data(), O_CLOEXEC) != 0) return false;
  if (pipe2(from.data(), O_CLOEXEC) != 0) return false;
  std::signal(SIGPIPE, SIG_IGN);
  process_ = fork();
  if (process_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl(deps_.program.c_str(), deps_.program.c_str(), deps_.library.c_str(),
          deps_.path.c_str(), nullptr);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  in_ = to[1];
  out_ = from[0];
  return process_ > 0;
}

int ChildTarget::Stop() {
  if (process_ <= 0) return 0;
  close(in_);
  close(out_);
  kill(process_, SIGKILL);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return status;
}

std::string ChildTarget::Lost() {
  const int status = Stop();
  if (WIFEXITED(status)) {
    return Name() + ": exit " + std::to_string(WEXITSTATUS(status));
  }
  return Name() + ": signal " + std::to_string(WTERMSIG(status));
}

std::string ChildTarget::Name() const {
  return std::filesystem::path(deps_.library).filename();
}

bool ChildTarget::Names(const std::string& answer) const {
  return answer.find(Name() + ": ") != std::string::npos;
}

std::string ChildTarget::Ask(const std::string& line) {
  if (!Start()) return "cannot start " + deps_.program;
  const std::string text = line + "\n";
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(in_, text.data() + sent, text.size() - sent);
    if (n <= 0) return Lost();
    sent += static_cast<size_t>(n);
  }
  while (true) {
    const size_t end = read_.find('\n');
    if (end != std::string::npos) {
      const std::string answer = read_.substr(0, end);
      read_.erase(0, end + 1);
      // Libraries may print, too.
      if (answer.starts_with("> ")) return answer.substr(2);
      continue;
    }
    pollfd waiting{out_, POLLIN, 0};
    if (poll(&waiting, 1, deps_.stall_seconds * 1000) <= 0) {
      Stop();
      return Name() + ": no progress";
    }
    std::array<char, 8192> buffer;
    const ssize_t n = read(out_, buffer.data(), buffer.size());
    if (n <= 0) return Lost();
    read_.append(buffer.data(), static_cast<size_t>(n));
  }
}

std::string ChildTarget::Open(const Opening& opening) {
  opening_ = opening;
  Operation open;
  open.kind = Kind::kReopen;
  const Settings& transactions = opening.options.transactions;
  if (transactions.contains("kind")) open.value = transactions.at("kind");
  if (transactions.contains("num_stripes")) {
    open.number =
        static_cast<uint64_t>(NumberOf(transactions.at("num_stripes")));
  }
  for (const auto& [name, family] : opening.options.families) {
    open.settings.emplace_back(name, OptionString(opening.options.db, family));
  }
  return Ask(ToText(open));
}

std::string ChildTarget::Close() { return process_ > 0 ? Ask("close") : kOk; }

std::string ChildTarget::Execute(const Operation& operation) {
  if (operation.kind != Kind::kCreateFamily) return Ask(ToText(operation));
  Operation create(operation);
  create.value = OptionString({}, opening_.family(operation.family));
  return Ask(ToText(create));
}

}  // namespace ROCKSDB_NAMESPACE::stress

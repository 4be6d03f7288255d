#include "test/stress/seeds/seed_runner.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using Clock = std::chrono::steady_clock;

// What all jobs share.
struct Shared {
  std::atomic<uint64_t> next{0};
};

struct Job {
  pid_t pid = -1;
  int reports = -1;
  std::string unread;
  uint64_t seed = 0;
  std::string next;  // What it does, for people.
  bool working = false;
  Clock::time_point heard = Clock::now();
};

double SecondsSince(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// Reports are lines: a letter, a space, the rest; "\n" is written as "\1".
void Send(int pipe, char what, std::string text) {
  std::replace(text.begin(), text.end(), '\n', '\1');
  text = std::string(1, what) + " " + text + "\n";
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(pipe, text.data() + done, text.size() - done);
    if (n <= 0) ::_exit(3);
    done += static_cast<size_t>(n);
  }
}

int progress_pipe = -1;  // Of this job.

class Runner {
 public:
  Runner(const SeedFlags& flags, std::string name,
         const std::vector<std::string>& order,
         const std::function<SeedResult(uint64_t)>& run)
      : flags_(flags), name_(std::move(name)), order_(order), run_(run) {
    void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    shared_ = new (memory) Shared;
  }

  int Run() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const uint64_t processors =
        std::max(1U, std::thread::hardware_concurrency());
    jobs_.resize(flags_.jobs != 0 ? flags_.jobs : processors);
    for (Job& job : jobs_) Start(&job);
    while (Wait()) {
    }
    std::string line = name_ + ":";
    for (const std::string& count : order_) {
      line += " " + std::to_string(counts_[count]) + " " + count + ",";
    }
    std::printf("%s %llu seeds, %.0f s, %llu failures\n", line.c_str(),
                static_cast<unsigned long long>(seeds_), SecondsSince(begin_),
                static_cast<unsigned long long>(failures_));
    return failures_ == 0 ? 0 : 1;
  }

 private:
  bool TimeIsOver() const {
    return flags_.seconds != 0 &&
           SecondsSince(begin_) >= static_cast<double>(flags_.seconds);
  }
  uint64_t seeds_max() const {
    if (flags_.seeds != 0) return flags_.seeds;
    return flags_.seconds != 0 ? ~uint64_t{0} : 1;
  }

  void Start(Job* job) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    std::fflush(stdout);
    job->pid = ::fork();
    if (job->pid == 0) {
      ::close(ends[0]);
      Work(ends[1]);
      std::fflush(nullptr);
      ::_exit(0);
    }
    ::close(ends[1]);
    job->reports = ends[0];
    job->working = false;
    job->heard = Clock::now();
  }

  // In the job's process.
  void Work(int pipe) {
    progress_pipe = pipe;
    while (!TimeIsOver()) {
      const uint64_t n = shared_->next.fetch_add(1);
      if (n >= seeds_max()) return;
      const uint64_t seed = flags_.seed + n;
      Send(pipe, 'S', std::to_string(seed));
      const SeedResult result = run_(seed);
      for (const auto& [count, value] : result.counts) {
        Send(pipe, 'C', count + "=" + std::to_string(value));
      }
      for (const std::string& failure : result.failures) {
        Send(pipe, 'F', failure);
      }
      Send(pipe, 'E', "");
    }
  }

  // False when no job is left.
  bool Wait() {
    std::vector<pollfd> polled;
    std::vector<Job*> of;
    for (Job& job : jobs_) {
      if (job.pid < 0) continue;
      polled.push_back({job.reports, POLLIN, 0});
      of.push_back(&job);
    }
    if (polled.empty()) return false;
    ::poll(polled.data(), polled.size(), 1000);
    for (size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].revents != 0) Read(of[i]);
      const bool stuck = of[i]->pid > 0 && of[i]->working &&
                         SecondsSince(of[i]->heard) >
                             static_cast<double>(flags_.stuck_seconds);
      if (stuck) {
        Fail(*of[i], "no progress for " + std::to_string(flags_.stuck_seconds) +
                         " seconds: stopped");
        of[i]->working = false;
        ::kill(of[i]->pid, SIGKILL);
      }
    }
    return true;
  }

  void Read(Job* job) {
    char buffer[65536];
    const ssize_t n = ::read(job->reports, buffer, sizeof(buffer));
    if (n <= 0) return Ended(job);
    job->heard = Clock::now();
    job->unread.append(buffer, static_cast<size_t>(n));
    for (size_t end; (end = job->unread.find('\n')) != std::string::npos;) {
      Hear(job, job->unread.substr(0, end));
      job->unread.erase(0, end + 1);
    }
  }

  void Hear(Job* job, const std::string& line) {
    std::string text = line.substr(2);
    std::replace(text.begin(), text.end(), '\1', '\n');
    switch (line[0]) {
      case 'S':
        job->seed = std::strtoull(text.c_str(), nullptr, 10);
        job->working = true;
        job->next.clear();
        return;
      case 'C': {
        const size_t equals = text.find('=');
        counts_[text.substr(0, equals)] +=
            std::strtoull(text.c_str() + equals + 1, nullptr, 10);
        return;
      }
      case 'F':
        return Fail(*job, text);
      case 'P':
        job->next = text;
        return;
      default:
        job->working = false;
        ++seeds_;
        if (flags_.verbose) {
          std::printf("seed %llu done\n",
                      static_cast<unsigned long long>(job->seed));
        }
    }
  }

  void Ended(Job* job) {
    int how = 0;
    ::waitpid(job->pid, &how, 0);
    ::close(job->reports);
    job->pid = -1;
    if (!job->working) {
      // Stopped because it was stuck, or it has nothing left to do.
      if (WIFSIGNALED(how)) Start(job);
      return;
    }
    Fail(*job, WIFSIGNALED(how)
                   ? "died of signal " + std::to_string(WTERMSIG(how))
                   : "ended by itself");
    Start(job);
  }

  void Fail(const Job& job, const std::string& what) {
    ++failures_;
    std::string command = "tools/dev " + name_ +
                          " --seed=" + std::to_string(job.seed) + " --seeds=1";
    for (const auto& [flag, value] : flags_.others) {
      command += " --" + flag + "=" + value;
    }
    if (!job.next.empty()) command += " " + job.next;
    std::printf("FAILED: %s\n%s\n", command.c_str(), what.c_str());
    std::fflush(stdout);
  }

  const SeedFlags& flags_;
  const std::string name_;
  const std::vector<std::string>& order_;
  const std::function<SeedResult(uint64_t)>& run_;
  const Clock::time_point begin_ = Clock::now();
  Shared* shared_ = nullptr;
  std::vector<Job> jobs_;
  std::map<std::string, uint64_t> counts_;
  uint64_t seeds_ = 0;
  uint64_t failures_ = 0;
};

}  // namespace

void ReportProgress(const std::string& next) {
  static Clock::time_point last = Clock::now();
  if (progress_pipe < 0 || (next.empty() && SecondsSince(last) < 1)) return;
  last = Clock::now();
  Send(progress_pipe, 'P', next);
}

void ReportFailure(const std::string& what) { Send(progress_pipe, 'F', what); }

uint64_t SeedFlags::Number(const std::string& name, uint64_t fallback) const {
  const auto it = others.find(name);
  return it == others.end() ? fallback
                            : std::strtoull(it->second.c_str(), nullptr, 10);
}

std::string SeedFlags::Text(const std::string& name) const {
  const auto it = others.find(name);
  return it == others.end() ? "" : it->second;
}

SeedFlags ParseSeedFlags(int argc, char** argv,
                         const std::vector<std::string>& known,
                         const std::string& usage) {
  SeedFlags flags;
  const std::map<std::string, uint64_t*> numbers = {
      {"seed", &flags.seed},
      {"seeds", &flags.seeds},
      {"seconds", &flags.seconds},
      {"jobs", &flags.jobs},
      {"stuck", &flags.stuck_seconds}};
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    name.erase(0, name.find_first_not_of('-'));
    std::string value = "1";
    const size_t equals = name.find('=');
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (name != "verbose" && i + 1 < argc && argv[i + 1][0] != '-') {
      value = argv[++i];
    }
    const auto number = numbers.find(name);
    if (number != numbers.end()) {
      *number->second = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "verbose") {
      flags.verbose = true;
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      flags.others[name] = value;
    } else {
      std::fputs(usage.c_str(), name == "help" ? stdout : stderr);
      std::exit(name == "help" ? 0 : 2);
    }
  }
  return flags;
}

int RunSeeds(const SeedFlags& flags, const std::string& name,
             const std::vector<std::string>& order,
             const std::function<SeedResult(uint64_t seed)>& run) {
  return Runner(flags, name, order, run).Run();
}

}  // namespace ROCKSDB_NAMESPACE::stress

#include "test/support/error_fs.h"

#include <cctype>
#include <utility>

#include "env/mem/mem_file_system.h"

namespace ROCKSDB_NAMESPACE::test {

namespace {

using Predicate = ErrorFileSystem::Predicate;
using MakeError = ErrorFileSystem::MakeError;

bool IsInfoLog(const FileOp& op) {
  return GlobMatches("LOG*", BaseName(op.path));
}

// Recursive descent over the rule's text.
class RuleParser {
 public:
  explicit RuleParser(const std::string& text) : text_(text) {}

  Status Parse(MakeError* error, Predicate* predicate) {
    if (Expect('(')) ParseError(error);
    if (ok()) *predicate = ParsePredicate();
    if (ok()) Expect(')');
    if (ok() && !AtEnd()) Fail("the end");
    return status_;
  }

 private:
  bool ok() const { return status_.ok(); }

  void SkipSpace() {
    while (at_ < text_.size() &&
           isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    }
  }
  bool AtEnd() {
    SkipSpace();
    return at_ == text_.size();
  }
  bool Peek(char c) {
    SkipSpace();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool Expect(char c) {
    if (Peek(c)) {
      ++at_;
      return true;
    }
    Fail(std::string(1, c));
    return false;
  }
  void Fail(const std::string& expected) {
    if (!ok()) return;
    status_ = Status::InvalidArgument("rule, character " + std::to_string(at_),
                                      "expected " + expected);
  }
  std::string Word() {
    SkipSpace();
    const size_t start = at_;
    while (at_ < text_.size() &&
           (isalnum(static_cast<unsigned char>(text_[at_])) ||
            text_[at_] == '_')) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }
  uint64_t Number() {
    const std::string word = Word();
    const bool digits =
        !word.empty() && word.find_first_not_of("0123456789") == word.npos;
    if (!digits) Fail("a number");
    return digits ? std::stoull(word) : 0;
  }
  std::string Quoted() {
    if (!Expect('"')) return "";
    const size_t end = text_.find('"', at_);
    if (end == std::string::npos) {
      Fail("\"");
      return "";
    }
    const std::string inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return inside;
  }

  void ParseError(MakeError* error) {
    const std::string name = Word();
    if (name == "ErrInjected") {
      *error = [](const std::string& what) {
        return IOStatus::IOError("injected", what);
      };
    } else if (name == "ErrRetryable") {
      *error = [](const std::string& what) {
        IOStatus s = IOStatus::IOError("injected", what);
        s.SetRetryable(true);
        return s;
      };
    } else if (name == "ErrNoSpace") {
      *error = [](const std::string& what) {
        IOStatus s = IOStatus::NoSpace("injected", what);
        s.SetRetryable(true);
        return s;
      };
    } else if (name == "ErrFenced") {
      *error = [](const std::string& what) {
        return IOStatus::IOFenced("injected", what);
      };
    } else {
      Fail("an error");
    }
  }

  Predicate ParsePredicate() {
    if (!Peek('(')) return ParseWord();
    ++at_;
    const std::string name = Word();
    Predicate predicate;
    if (name == "And" || name == "Or") {
      predicate = ParseList(name == "And");
    } else if (name == "Not") {
      predicate = [inner = ParsePredicate()](const FileOp& op) {
        return !inner(op);
      };
    } else if (name == "PathMatch") {
      predicate = [pattern = Quoted()](const FileOp& op) {
        return GlobMatches(pattern, BaseName(op.path)) ||
               (!op.target.empty() &&
                GlobMatches(pattern, BaseName(op.target)));
      };
    } else if (name == "OnIndex" || name == "FromIndex") {
      predicate = [wanted = Number(), exact = name == "OnIndex",
                   asked = uint64_t{0}](const FileOp&) mutable {
        const uint64_t index = asked++;
        return exact ? index == wanted : index >= wanted;
      };
    } else {
      Fail("a predicate");
    }
    if (ok()) Expect(')');
    return predicate;
  }

  Predicate ParseList(bool all) {
    std::vector<Predicate> parts;
    while (ok() && !Peek(')')) parts.push_back(ParsePredicate());
    return [parts, all](const FileOp& op) {
      for (const Predicate& part : parts) {
        if (part(op) != all) return !all;
      }
      return all;
    };
  }

  Predicate ParseWord() {
    const std::string name = Word();
    if (name == "Always") return [](const FileOp&) { return true; };
    if (name == "Writes") return [](const FileOp& op) { return op.IsWrite(); };
    if (name == "Reads") return [](const FileOp& op) { return !op.IsWrite(); };
    for (int i = 0; i <= static_cast<int>(OpKind::kUnlock); ++i) {
      const auto kind = static_cast<OpKind>(i);
      if (name != OpName(kind)) continue;
      return [kind](const FileOp& op) { return op.kind == kind; };
    }
    Fail("a predicate");
    return nullptr;
  }

  const std::string text_;
  size_t at_ = 0;
  Status status_;
};

}  // namespace

bool GlobMatches(const std::string& pattern, const std::string& name) {
  const size_t star = pattern.find('*');
  if (star == std::string::npos) return pattern == name;
  if (name.compare(0, star, pattern, 0, star) != 0) return false;
  const std::string rest = pattern.substr(star + 1);
  for (size_t from = star; from <= name.size(); ++from) {
    if (GlobMatches(rest, name.substr(from))) return true;
  }
  return false;
}

Status ErrorFileSystem::SetRule(const std::string& rule) {
  Predicate predicate;
  MakeError make_error;
  Status s = RuleParser(rule).Parse(&make_error, &predicate);
  if (!s.ok()) return s;
  engine::MutexLock lock(&mu_);
  predicate_ = std::move(predicate);
  make_error_ = std::move(make_error);
  injected_ = 0;
  return s;
}

void ErrorFileSystem::ClearRule() {
  engine::MutexLock lock(&mu_);
  predicate_ = nullptr;
}

uint64_t ErrorFileSystem::writes() const {
  engine::MutexLock lock(&mu_);
  return writes_;
}

uint64_t ErrorFileSystem::injected() const {
  engine::MutexLock lock(&mu_);
  return injected_;
}

void ErrorFileSystem::Record(bool on, bool with_reads) {
  engine::MutexLock lock(&mu_);
  record_ = on;
  record_reads_ = with_reads;
}

std::string ErrorFileSystem::TakeRecord() {
  engine::MutexLock lock(&mu_);
  return std::exchange(recorded_, "");
}

IOStatus ErrorFileSystem::Decide(const FileOp& op) {
  engine::MutexLock lock(&mu_);
  if (op.IsWrite() && !IsInfoLog(op)) ++writes_;
  const bool fails = predicate_ != nullptr && predicate_(op);
  if (record_ && (op.IsWrite() || record_reads_)) {
    recorded_ += op.ToString() + (fails ? " !\n" : "\n");
  }
  if (!fails) return IOStatus::OK();
  ++injected_;
  return make_error_(op.ToString());
}

uint64_t ForEachFailingCall(
    const FailurePlan& plan,
    const std::function<void(Env* env, ErrorFileSystem* fs, uint64_t call)>&
        script) {
  const std::string which = plan.reads_too ? "Always" : "Writes";
  const std::string index = plan.forever ? "FromIndex" : "OnIndex";
  for (uint64_t call = 0; call < plan.calls_max; ++call) {
    const auto fs = std::make_shared<ErrorFileSystem>(
        std::make_shared<engine::MemFileSystem>());
    const Status s = fs->SetRule("(" + plan.error + " (And " + which +
                                 " (Not (PathMatch \"LOG*\")) (Not unlock) (" +
                                 index + " " + std::to_string(call) + ")))");
    if (!s.ok()) return 0;
    const std::unique_ptr<Env> env = NewCompositeEnv(fs);
    script(env.get(), fs.get(), call);
    if (fs->injected() == 0) return call;
  }
  return plan.calls_max;
}

}  // namespace ROCKSDB_NAMESPACE::test

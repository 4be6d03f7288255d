#include "test/stress/run/runner.h"

#include <set>
#include <utility>

#include "test/stress/history/answers.h"
#include "test/stress/history/model.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

class Running {
 public:
  explicit Running(const RunRequest& request)
      : request_(request),
        draw_(request.draw),
        families_(FirstFamilies().begin(), FirstFamilies().end()) {}

  std::optional<Failure> All() {
    Operation opening;
    opening.kind = Kind::kReopen;
    if (!Answer(opening, kOk, Open())) return failure_;
    const Script& script = *request_.script;
    for (; at_ < script.history.size(); ++at_) {
      if (!One(script.history[at_], script.expected[at_])) return failure_;
    }
    Operation dump;
    dump.kind = Kind::kDump;
    if (!One(opening, kOk)) return failure_;
    if (!One(dump, script.expected.back())) return failure_;
    Answer(opening, kOk, request_.target->Close());
    return failure_;
  }

 private:
  std::string Open() {
    const std::vector<std::string> names(families_.begin(), families_.end());
    Opening opening;
    opening.options = DrawOptions(draw_, names);
    opening.family = [draw = draw_](const std::string& name) {
      return DrawFamily(draw, name);
    };
    ++draw_.opening;
    return request_.target->Open(opening);
  }

  bool One(const Operation& operation, const std::string& expected) {
    if (request_.before) request_.before(operation);
    if (operation.kind == Kind::kReopen || operation.kind == Kind::kCrash) {
      const bool crash = operation.kind == Kind::kCrash;
      std::string answer =
          crash ? request_.target->Crash() : request_.target->Close();
      if (answer == kOk) answer = Open();
      return Answer(operation, expected, answer);
    }
    if (operation.kind == Kind::kCreateFamily ||
        operation.kind == Kind::kImport) {
      families_.insert(operation.family);
    }
    if (operation.kind == Kind::kDropFamily) families_.erase(operation.family);
    return Answer(operation, expected, request_.target->Execute(operation));
  }

  bool Answer(const Operation& operation, const std::string& expected,
              const std::string& answer) {
    if (SameAnswer(expected, answer)) return true;
    failure_ = Failure{at_, ToText(operation), expected, answer};
    return false;
  }

  const RunRequest& request_;
  DrawRequest draw_;
  std::set<std::string> families_;
  size_t at_ = 0;
  std::optional<Failure> failure_;
};

}  // namespace

std::string Failure::ToString() const {
  return "operation " + std::to_string(at) + ": " + operation +
         "\n  expected " + expected + "\n  answer   " + answer;
}

Script MakeScript(History history) {
  Script script;
  Operation dump;
  dump.kind = Kind::kDump;
  history.push_back(dump);
  script.history = Legal(history);
  Model model;
  for (const Operation& operation : script.history) {
    script.expected.push_back(model.Execute(operation));
  }
  return script;
}

std::optional<Failure> Run(const RunRequest& request) {
  return Running(request).All();
}

}  // namespace ROCKSDB_NAMESPACE::stress

// Targets that let several libraries work on one database, one after the
// other.
//
// Threads. One at a time.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test/stress/history/answers.h"
#include "test/stress/target/child_target.h"
#include "test/stress/target/db_target.h"

namespace ROCKSDB_NAMESPACE::stress {

using Children = std::vector<std::unique_ptr<ChildTarget>>;

// What happens to the log of a database that has a family with timestamps
// before another library opens it.
enum class StampedLogs { kHandedOn, kFlushed };

// Flushes a target before it is closed, if its log must not be handed on.
class Flushing {
 public:
  explicit Flushing(StampedLogs logs) : logs_(logs) {}

  void Opened(const Opening& opening) {
    stamped_ = false;
    for (const auto& [name, settings] : opening.options.families) {
      stamped_ = stamped_ || HasTimestamps(name);
    }
  }
  void Executed(const Operation& operation) {
    if (operation.kind == Kind::kCreateFamily) {
      stamped_ = stamped_ || HasTimestamps(operation.family);
    }
  }
  std::string BeforeClose(Target* target) const {
    if (!stamped_ || logs_ == StampedLogs::kHandedOn) return kOk;
    Operation flush;
    flush.kind = Kind::kFlush;
    return target->Execute(flush);
  }

 private:
  const StampedLogs logs_;
  bool stamped_ = false;
};

// Each opening is another library's.
class Relay final : public Target {
 public:
  Relay(Children children, StampedLogs logs)
      : children_(std::move(children)), flushing_(logs) {}

  std::string Open(const Opening& opening) override {
    at_ = (at_ + 1) % children_.size();
    flushing_.Opened(opening);
    return children_[at_]->Open(opening);
  }
  std::string Close() override {
    const std::string flushed = flushing_.BeforeClose(children_[at_].get());
    const std::string closed = children_[at_]->Close();
    return flushed == kOk ? closed : flushed;
  }
  std::string Execute(const Operation& operation) override {
    flushing_.Executed(operation);
    return children_[at_]->Execute(operation);
  }

 private:
  Children children_;
  size_t at_ = 0;
  Flushing flushing_;
};

// Our C++ interface. Whenever the database is closed, the others open it, read
// it, rewrite every table and read it again.
class Visited final : public Target {
 public:
  Visited(DbTarget::Deps deps, Children visitors, StampedLogs logs)
      : target_(std::move(deps)),
        visitors_(std::move(visitors)),
        flushing_(logs) {}

  std::string Open(const Opening& opening) override {
    for (const auto& visitor : visitors_) {
      const std::string visited = Visit(visitor.get(), opening);
      if (visited != kOk) return "visitor: " + visited;
    }
    flushing_.Opened(opening);
    return target_.Open(opening);
  }
  std::string Close() override {
    if (target_.db() == nullptr) return kOk;
    values_ = target_.DumpValues();
    const std::string flushed = flushing_.BeforeClose(&target_);
    const std::string closed = target_.Close();
    return flushed == kOk ? closed : flushed;
  }
  std::string Execute(const Operation& operation) override {
    flushing_.Executed(operation);
    return target_.Execute(operation);
  }

 private:
  std::string Visit(ChildTarget* visitor, const Opening& opening) const {
    if (values_.empty()) return kOk;  // There is no database yet.
    std::string answer = visitor->Open(opening);
    if (answer != kOk) return answer;
    Operation dump;
    dump.kind = Kind::kDump;
    answer = visitor->Execute(dump);
    if (answer != values_) return "read " + answer + ", not " + values_;
    for (const auto& [name, settings] : opening.options.families) {
      Operation compact;
      compact.kind = Kind::kCompactRange;
      compact.family = name;
      compact.settings.emplace_back("bottommost", "2");
      visitor->Execute(compact);
    }
    answer = visitor->Execute(dump);
    if (answer != values_) return "compacted " + answer + ", not " + values_;
    return visitor->Close();
  }

  DbTarget target_;
  Children visitors_;
  Flushing flushing_;
  std::string values_;
};

}  // namespace ROCKSDB_NAMESPACE::stress

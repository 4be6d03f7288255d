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

// Each opening is another library's.
class Relay final : public Target {
 public:
  explicit Relay(Children children) : children_(std::move(children)) {}

  std::string Open(const Opening& opening) override {
    at_ = (at_ + 1) % children_.size();
    return children_[at_]->Open(opening);
  }
  std::string Close() override { return children_[at_]->Close(); }
  std::string Execute(const Operation& operation) override {
    return children_[at_]->Execute(operation);
  }

 private:
  Children children_;
  size_t at_ = 0;
};

// Our C++ interface. Whenever the database is closed, the others open it, read
// it, rewrite every table and read it again.
class Visited final : public Target {
 public:
  Visited(DbTarget::Deps deps, Children visitors)
      : target_(std::move(deps)), visitors_(std::move(visitors)) {}

  std::string Open(const Opening& opening) override {
    for (const auto& visitor : visitors_) {
      const std::string visited = Visit(visitor.get(), opening);
      if (visited != kOk) return "visitor: " + visited;
    }
    return target_.Open(opening);
  }
  std::string Close() override {
    if (target_.db() == nullptr) return kOk;
    values_ = target_.DumpValues();
    return target_.Close();
  }
  std::string Execute(const Operation& operation) override {
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
  std::string values_;
};

}  // namespace ROCKSDB_NAMESPACE::stress

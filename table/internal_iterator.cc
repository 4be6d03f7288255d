#include "table/internal_iterator.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class EmptyInternalIterator final : public InternalIterator {
 public:
  explicit EmptyInternalIterator(const Status& status) : status_(status) {}
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(const Slice&) override {}
  void SeekForPrev(const Slice&) override {}
  void Next() override {}
  void Prev() override {}
  Status status() const override { return status_; }

 private:
  const Status status_;
};

}  // namespace

InternalIterator* NewEmptyInternalIterator(const Status& status) {
  return new EmptyInternalIterator(status);
}

}  // namespace ROCKSDB_NAMESPACE::engine

#include "db/read/scan_watch.h"

#include <cassert>
#include <memory>

namespace ROCKSDB_NAMESPACE::engine {

class ScanWatch::Counter final : public InternalIterator {
 public:
  Counter(InternalIterator* iter, uint64_t* passed)
      : iter_(iter), passed_(passed) {}

  void SeekToFirst() override {
    After([this] { iter_->SeekToFirst(); });
  }
  void SeekToLast() override {
    After([this] { iter_->SeekToLast(); });
  }
  void Seek(const Slice& target) override {
    After([&] { iter_->Seek(target); });
  }
  void SeekForPrev(const Slice& target) override {
    After([&] { iter_->SeekForPrev(target); });
  }
  void Next() override {
    ++*passed_;
    After([this] { iter_->Next(); });
  }
  void Prev() override {
    After([this] { iter_->Prev(); });
  }
  Status status() const override { return iter_->status(); }
  bool ReadValue() override {
    const bool read = iter_->ReadValue();
    Mirror(*iter_);
    return read;
  }
  bool IsKeyPinned() const override { return iter_->IsKeyPinned(); }
  bool IsValuePinned() const override { return iter_->IsValuePinned(); }

 private:
  template <typename Step>
  void After(const Step& step) {
    step();
    Mirror(*iter_);
  }

  const std::unique_ptr<InternalIterator> iter_;
  uint64_t* const passed_;
};

InternalIterator* ScanWatch::Watch(InternalIterator* iter) {
  assert(iter != nullptr && limits_.of_step > 0);
  return new Counter(iter, &passed_);
}

void ScanWatch::EndSeek() {
  JudgeAverage();
  hidden_ = steps_ = 0;
  Judge(passed_);
}

void ScanWatch::EndNext() { Judge(passed_ > 0 ? passed_ - 1 : 0); }

void ScanWatch::Judge(uint64_t hidden) {
  passed_ = 0;
  ++steps_;
  hidden_ += hidden;
  if (hidden >= limits_.of_step) Flush();
}

void ScanWatch::JudgeAverage() {
  if (limits_.of_average == 0 || hidden_ < limits_.of_step) return;
  assert(steps_ > 0);
  if (hidden_ / steps_ >= limits_.of_average) Flush();
}

void ScanWatch::Flush() {
  if (flushed_) return;
  flushed_ = true;
  flush_();
}

}  // namespace ROCKSDB_NAMESPACE::engine

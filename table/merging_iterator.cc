// A tournament over the children. Leaf i is child i; every inner node keeps
// the loser of the match played there, so that advancing the winner replays
// only the matches on its path: log2(n) comparisons, most of them of two
// cached numbers.
//
//   winner_ = 2
//        [1]  loser: 0
//       /    \                .
//     [2]     [3]  loser: 1, loser: 3
//    0   1   2   3

#include "table/merging_iterator.h"

#include <cassert>

#include "table/block/key_compare.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

template <bool kBytewise>
class MergingIterator final : public InternalIterator {
 public:
  MergingIterator(const InternalKeyComparator* icmp,
                  const std::vector<InternalIterator*>& children,
                  std::unique_ptr<RangeCover> cover)
      : icmp_(icmp), cover_(std::move(cover)), losers_(children.size(), 0) {
    assert(!children.empty());
    leaves_.reserve(children.size());
    for (InternalIterator* child : children) leaves_.push_back({child});
  }

  ~MergingIterator() override {
    for (const Leaf& leaf : leaves_) delete leaf.child;
  }

  void SeekToFirst() override {
    PositionAll(true, [](InternalIterator* child) { child->SeekToFirst(); });
  }
  void SeekToLast() override {
    PositionAll(false, [](InternalIterator* child) { child->SeekToLast(); });
  }
  void Seek(const Slice& target) override {
    PositionAll(true, [&](InternalIterator* child) { child->Seek(target); });
  }
  void SeekForPrev(const Slice& target) override {
    PositionAll(false,
                [&](InternalIterator* child) { child->SeekForPrev(target); });
  }

  void Next() override {
    assert(valid_);
    if (!forward_) TurnForward();
    leaves_[winner_].child->Next();
    WinnerMoved();
    if (MayHide()) [[unlikely]]
      SkipHidden();
  }

  void Prev() override {
    assert(valid_);
    if (forward_) TurnBackward();
    leaves_[winner_].child->Prev();
    WinnerMoved();
    if (MayHide()) [[unlikely]]
      SkipHidden();
  }

  Status status() const override { return status_; }

  bool ReadValue() override {
    assert(valid_);
    if (!leaves_[winner_].child->ReadValue()) {
      status_ = leaves_[winner_].child->status();
      valid_ = false;
      return false;
    }
    Refresh(winner_);
    Publish();
    return valid_;
  }

  bool IsKeyPinned() const override {
    return valid_ && leaves_[winner_].child->IsKeyPinned();
  }
  bool IsValuePinned() const override {
    return valid_ && leaves_[winner_].child->IsValuePinned();
  }

 private:
  // What a match needs to know of a child, copied out after each step.
  struct Leaf {
    InternalIterator* child;
    bool valid = false;
    uint64_t prefix = 0;
    Slice key = {};
  };

  template <typename Move>
  void PositionAll(bool forward, Move move) {
    forward_ = forward;
    status_ = Status::OK();
    {
      const PerfTimer timer(nullptr, &PerfContext::seek_child_seek_time);
      PerfAdd<&PerfContext::seek_child_seek_count>(leaves_.size());
      for (size_t i = 0; i < leaves_.size(); ++i) {
        move(leaves_[i].child);
        Refresh(i);
      }
    }
    {
      const PerfTimer timer(nullptr, forward
                                         ? &PerfContext::seek_min_heap_time
                                         : &PerfContext::seek_max_heap_time);
      PlayAll();
    }
    Publish();
    if (MayHide()) [[unlikely]]
      SkipHidden();
  }

  void WinnerMoved() {
    Refresh(winner_);
    Replay(winner_);
    Publish();
  }

  bool MayHide() const { return cover_ != nullptr && cover_->active(); }

  // Goes on, in the direction of travel, to an entry that is not hidden.
  void SkipHidden() {
    assert(cover_ != nullptr);
    // A hidden entry or two are passed faster by steps than by a seek.
    constexpr int kStepsMax = 4;
    int steps = 0;
    while (valid_) {
      const RangeCover::Answer& answer = cover_->At(ExtractUserKey(key_));
      if (ExtractSequence(key_) >= answer.sequence) return;
      InternalIterator* const child = leaves_[winner_].child;
      if (winner_ > answer.child && ++steps > kStepsMax) {
        SeekOutOf(*answer.stretch, child);
        steps = 0;
      } else if (forward_) {
        child->Next();
      } else {
        child->Prev();
      }
      WinnerMoved();
    }
  }

  // `child` has only hidden entries in the stretch: to the first behind it.
  void SeekOutOf(const KeyStretch& stretch, InternalIterator* child) {
    PerfAdd<&PerfContext::internal_range_del_reseek_count>();
    const KeyEdge& edge = forward_ ? stretch.high : stretch.low;
    assert(edge.side == KeyEdge::Side::kBefore ||
           edge.side == KeyEdge::Side::kBehind);
    const bool behind = edge.side == KeyEdge::Side::kBehind;
    skip_target_.clear();
    if (behind) {
      AppendInternalKey(&skip_target_, edge.key, 0, kTypeForSeekForPrev);
    } else {
      AppendInternalKey(&skip_target_, edge.key, kSequenceMax, kTypeForSeek);
    }
    if (forward_) {
      child->Seek(skip_target_);
    } else {
      child->SeekForPrev(skip_target_);
    }
  }

  void Refresh(size_t i) {
    Leaf& leaf = leaves_[i];
    leaf.valid = leaf.child->Valid();
    if (!leaf.valid) {
      Status status = leaf.child->status();
      if (!status.ok() && status_.ok()) status_ = std::move(status);
      return;
    }
    leaf.key = leaf.child->key();
    if constexpr (kBytewise) leaf.prefix = InternalKeyPrefix64(leaf.key, 0);
  }

  // True when leaf a comes before leaf b in the direction of travel. Equal
  // keys come in the order of the children.
  bool Beats(size_t a, size_t b) const {
    assert(a != b);
    const Leaf& x = leaves_[a];
    const Leaf& y = leaves_[b];
    if (!x.valid || !y.valid) return x.valid;
    int order;
    if constexpr (kBytewise) {
      if (x.prefix != y.prefix) return (x.prefix < y.prefix) == forward_;
      order = CompareInternalKeysBytewise(x.key, y.key);
    } else {
      order = icmp_->Compare(x.key, y.key);
    }
    if (order == 0) return (a < b) == forward_;
    return (order < 0) == forward_;
  }

  // Plays all matches below inner node `node`; returns the winner.
  size_t Play(size_t node) {
    const size_t n = leaves_.size();
    if (node >= n) return node - n;
    const size_t left = Play(2 * node);
    const size_t right = Play(2 * node + 1);
    const bool left_wins = Beats(left, right);
    losers_[node] = left_wins ? right : left;
    return left_wins ? left : right;
  }

  void PlayAll() { winner_ = Play(1); }

  void Replay(size_t leaf) {
    size_t champion = leaf;
    for (size_t node = (leaf + leaves_.size()) / 2; node >= 1; node /= 2) {
      if (Beats(losers_[node], champion)) std::swap(losers_[node], champion);
    }
    winner_ = champion;
  }

  void Publish() {
    Mirror(*leaves_[winner_].child);
    if (!status_.ok()) valid_ = false;
  }

  // Brings every other child to the far side of the current key.
  void TurnForward() {
    const std::string key = key_.ToString();
    forward_ = true;
    for (size_t i = 0; i < leaves_.size(); ++i) {
      if (i == winner_) continue;
      InternalIterator* const child = leaves_[i].child;
      child->Seek(key);
      // An equal key has been shown already if its child comes later.
      if (child->Valid() && child->key() == Slice(key) && i < winner_) {
        child->Next();
      }
      Refresh(i);
    }
    PlayAll();
  }

  void TurnBackward() {
    const std::string key = key_.ToString();
    forward_ = false;
    for (size_t i = 0; i < leaves_.size(); ++i) {
      if (i == winner_) continue;
      InternalIterator* const child = leaves_[i].child;
      child->SeekForPrev(key);
      if (child->Valid() && child->key() == Slice(key) && i > winner_) {
        child->Prev();
      }
      Refresh(i);
    }
    PlayAll();
  }

  const InternalKeyComparator* const icmp_;
  const std::unique_ptr<RangeCover> cover_;  // May be null.
  std::vector<Leaf> leaves_;
  std::vector<size_t> losers_;  // [1, n): inner nodes.
  size_t winner_ = 0;
  bool forward_ = true;
  Status status_;
  std::string skip_target_;
};

}  // namespace

InternalIterator* NewMergingIterator(const InternalKeyComparator* icmp,
                                     std::vector<InternalIterator*> children,
                                     std::unique_ptr<RangeCover> cover) {
  if (children.empty()) return NewEmptyInternalIterator();
  if (children.size() == 1 && cover == nullptr) return children[0];
  if (icmp->bytewise()) {
    return new MergingIterator<true>(icmp, children, std::move(cover));
  }
  return new MergingIterator<false>(icmp, children, std::move(cover));
}

}  // namespace ROCKSDB_NAMESPACE::engine

// The merging iterator against a sorted vector.

#include "table/merging_iterator.h"

#include <algorithm>
#include <memory>

#include "table_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class VectorIterator final : public InternalIterator {
 public:
  VectorIterator(const InternalKeyComparator* icmp, Entries entries,
                 size_t fails_at = SIZE_MAX)
      : icmp_(icmp), entries_(std::move(entries)), fails_at_(fails_at) {}

  void SeekToFirst() override { Stand(0); }
  void SeekToLast() override { Stand(entries_.size() - 1); }
  void Seek(const Slice& target) override {
    size_t i = 0;
    while (i < entries_.size() &&
           icmp_->Compare(entries_[i].first, target) < 0) {
      ++i;
    }
    Stand(i);
  }
  void SeekForPrev(const Slice& target) override {
    size_t i = entries_.size();
    while (i > 0 && icmp_->Compare(entries_[i - 1].first, target) > 0) --i;
    Stand(i - 1);
  }
  void Next() override { Stand(at_ + 1); }
  void Prev() override { Stand(at_ - 1); }
  Status status() const override { return status_; }

 private:
  void Stand(size_t at) {
    at_ = at;
    valid_ = at < entries_.size();
    if (valid_ && at == fails_at_) {
      valid_ = false;
      status_ = Status::Corruption("as planned");
    }
    if (!valid_) return;
    key_ = entries_[at].first;
    value_ = entries_[at].second;
  }

  const InternalKeyComparator* const icmp_;
  const Entries entries_;
  const size_t fails_at_;
  size_t at_ = 0;
  Status status_;
};

struct Merge {
  std::unique_ptr<InternalIterator> it;
  Entries model;
};

Merge MakeMerge(const InternalKeyComparator* icmp, size_t children,
                size_t entries, Random64* random) {
  Merge merge;
  std::vector<Entries> parts(children);
  for (size_t i = 0; i < entries; ++i) {
    // Keys of several lengths, often sharing their first eight bytes.
    std::string key = "prefix" + std::to_string(random->Uniform(entries));
    if (random->OneIn(4)) key = key.substr(6);
    const std::string ikey = IKey(key, i + 1);
    merge.model.emplace_back(ikey, std::to_string(i));
    parts[random->Uniform(children)].emplace_back(ikey, std::to_string(i));
  }
  const auto less = [icmp](const auto& a, const auto& b) {
    return icmp->Compare(Slice(a.first), Slice(b.first)) < 0;
  };
  std::sort(merge.model.begin(), merge.model.end(), less);
  std::vector<InternalIterator*> iterators;
  for (Entries& part : parts) {
    std::sort(part.begin(), part.end(), less);
    iterators.push_back(new VectorIterator(icmp, part));
  }
  merge.it.reset(NewMergingIterator(icmp, iterators));
  return merge;
}

void Walk(const InternalKeyComparator* icmp, Merge* merge, Random64* random) {
  const Entries& model = merge->model;
  InternalIterator* const it = merge->it.get();
  size_t at = model.size();
  for (int step = 0; step < 2000; ++step) {
    const uint64_t action = random->Uniform(12);
    if (at >= model.size() || action == 0) {
      at = random->Uniform(model.size());
      switch (random->Uniform(4)) {
        case 0:
          at = 0;
          it->SeekToFirst();
          break;
        case 1:
          at = model.size() - 1;
          it->SeekToLast();
          break;
        case 2:
          it->Seek(model[at].first);
          break;
        default:
          it->SeekForPrev(model[at].first);
      }
    } else if (action < 7) {
      ++at;
      it->Next();
    } else {
      --at;  // Wraps to "not valid" at the front.
      it->Prev();
    }
    ASSERT_TRUE(it->status().ok());
    ASSERT_EQ(at < model.size(), it->Valid());
    if (!it->Valid()) continue;
    ASSERT_EQ(0, icmp->Compare(model[at].first, it->key()));
    ASSERT_EQ(model[at].second, it->value().ToString());
  }
}

TEST(MergingIterator, RandomWalksFollowTheModel) {
  const InternalKeyComparator reverse(ReverseBytewiseComparator());
  Random64 random(4711);
  for (const InternalKeyComparator* icmp : {BytewiseInternal(), &reverse}) {
    for (const size_t children : {1u, 2u, 3u, 4u, 5u, 8u, 13u}) {
      for (const size_t entries : {1u, 10u, 300u}) {
        Merge merge = MakeMerge(icmp, children, entries, &random);
        Walk(icmp, &merge, &random);
      }
    }
  }
}

TEST(MergingIterator, NoChildrenIsEmptyAndOneIsReturnedAsItIs) {
  const std::unique_ptr<InternalIterator> none(
      NewMergingIterator(BytewiseInternal(), {}));
  none->SeekToFirst();
  EXPECT_FALSE(none->Valid());
  EXPECT_TRUE(none->status().ok());
  auto* const only = new VectorIterator(BytewiseInternal(), {});
  const std::unique_ptr<InternalIterator> one(
      NewMergingIterator(BytewiseInternal(), {only}));
  EXPECT_EQ(only, one.get());
}

// internal_iterator.h (2).
TEST(MergingIterator, AChildsErrorEndsTheMerge) {
  Entries entries;
  for (int i = 0; i < 10; ++i) {
    entries.emplace_back(IKey("k" + std::to_string(i), 1), "v");
  }
  const std::unique_ptr<InternalIterator> it(NewMergingIterator(
      BytewiseInternal(),
      {new VectorIterator(BytewiseInternal(), entries, 5),
       new VectorIterator(BytewiseInternal(), {{IKey("z", 1), "v"}})}));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_EQ(5, count);
  EXPECT_TRUE(it->status().IsCorruption());
}

TEST(MergingIterator, EqualKeysComeInTheOrderOfTheChildren) {
  const std::string key = IKey("k", 1);
  const std::unique_ptr<InternalIterator> it(NewMergingIterator(
      BytewiseInternal(),
      {new VectorIterator(BytewiseInternal(), {{key, "0"}}),
       new VectorIterator(BytewiseInternal(), {{key, "1"}}),
       new VectorIterator(BytewiseInternal(), {{key, "2"}})}));
  std::string seen;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    seen += it->value().ToString();
  }
  EXPECT_EQ("012", seen);
  it->SeekToFirst();
  it->Next();
  it->Next();
  it->Prev();
  EXPECT_EQ("1", it->value().ToString());
  it->Next();
  EXPECT_EQ("2", it->value().ToString());
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine

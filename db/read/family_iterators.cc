#include "db/read/family_iterators.h"

#include <cassert>
#include <string>
#include <utility>

#include "db/read/family_merge.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/wide_columns.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

const AttributeGroups kNoAttributeGroups;
const IteratorAttributeGroups kNoIteratorAttributeGroups;

}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Status CheckFamiliesToMerge(const ReadOptions& options,
                            const std::vector<ColumnFamilyHandle*>& families) {
  if (families.empty()) {
    return Status::InvalidArgument(
        "An iterator over several column families needs at least one");
  }
  for (const ColumnFamilyHandle* family : families) {
    if (family != nullptr) continue;
    return Status::InvalidArgument(
        "An iterator over several column families: one of them is null");
  }
  const Comparator& order = *families.front()->GetComparator();
  for (const ColumnFamilyHandle* family : families) {
    const std::string name = family->GetComparator()->Name();
    if (name == order.Name()) continue;
    return Status::InvalidArgument(
        "An iterator over several column families: '" +
            families.front()->GetName() + "' uses comparator '" + order.Name() +
            "'",
        "'" + family->GetName() + "' uses '" + name + "'");
  }
  return options.iter_start_ts == nullptr
             ? Status::OK()
             : Status::NotSupported(
                   "iter_start_ts in an iterator over several column families");
}

// A turn seeks in all families: what a filter of prefixes leaves out of one of
// them would be missed. The two other modes leave out nothing that is shown.
ReadOptions OptionsOfChildren(const ReadOptions& options) {
  ReadOptions of_children = options;
  if (!options.prefix_same_as_start && !options.auto_prefix_mode) {
    of_children.total_order_seek = true;
  }
  return of_children;
}

Status OpenFamilyChildren(DB* db, const ReadOptions& options,
                          const std::vector<ColumnFamilyHandle*>& families,
                          const CoverFamily& cover, FamilyMergeDeps* deps) {
  RETURN_IF_ERROR(CheckFamiliesToMerge(options, families));
  deps->db = db;
  deps->order = families.front()->GetComparator();
  deps->children.reserve(families.size());
  std::vector<Iterator*> iterators;
  RETURN_IF_ERROR(
      db->NewIterators(OptionsOfChildren(options), families, &iterators));
  assert(iterators.size() == families.size());
  // All have an owner before a cover is made, which may fail. There is room.
  for (size_t i = 0; i < families.size(); ++i) {
    deps->children.push_back(
        {families[i], std::unique_ptr<Iterator>(iterators[i])});
  }
  if (cover == nullptr) return Status::OK();
  for (FamilyChild& child : deps->children) {
    child.iter.reset(cover(child.family, child.iter.release()));
  }
  return Status::OK();
}

// What the two iterators share. `Base` is the interface.
template <typename Base>
class OverFamilies : public Base {
 public:
  OverFamilies(FamilyMergeDeps deps, const ReadOptions& options)
      : merge_(std::move(deps), options),
        unprepared_(options.allow_unprepared_value) {}
  ~OverFamilies() override = default;

  bool Valid() const final { return merge_.Valid(); }
  void SeekToFirst() final {
    merge_.SeekToFirst();
    Settle();
  }
  void SeekToLast() final {
    merge_.SeekToLast();
    Settle();
  }
  void Seek(const Slice& target) final {
    merge_.Seek(target);
    Settle();
  }
  void SeekForPrev(const Slice& target) final {
    merge_.SeekForPrev(target);
    Settle();
  }
  void Next() final {
    merge_.Next();
    Settle();
  }
  void Prev() final {
    merge_.Prev();
    Settle();
  }
  Slice key() const final { return merge_.key(); }
  Status status() const final { return merge_.status(); }
  using Base::Refresh;
  Status Refresh(const Snapshot* snapshot) final {
    Status status = merge_.Refresh(snapshot);
    if (!merge_.Valid()) Settle();
    return status;
  }
  bool PrepareValue() final {
    if (!merge_.PrepareValue()) return false;
    if (!prepared_) {
      ReadValues();
      prepared_ = true;
    }
    return true;
  }

 protected:
  // The iterator stands on a key whose values can be read now.
  virtual void ReadValues() = 0;

  // False: they cannot yet; see allow_unprepared_value.
  bool prepared() const { return prepared_; }
  const FamilyMerge& merge() const { return merge_; }

 private:
  void Settle() {
    prepared_ = false;
    if (!merge_.Valid() || unprepared_) return;
    ReadValues();
    prepared_ = true;
  }

  FamilyMerge merge_;
  const bool unprepared_;
  bool prepared_ = false;
};

class CoalescingIterator final : public OverFamilies<Iterator> {
 public:
  using OverFamilies::OverFamilies;

  Slice value() const override {
    assert(Valid());
    return prepared() ? value_ : Slice();
  }
  const WideColumns& columns() const override;
  Slice timestamp() const override;
  Status GetProperty(std::string name, std::string* value) override;

 protected:
  void ReadValues() override;

 private:
  bool IsAlone() const { return merge().current().size() == 1; }
  const Iterator& first() const { return *merge().current().front()->iter; }

  Slice value_;
  mutable bool has_columns_ = false;
  mutable WideColumns columns_;  // Of several families.
  mutable WideColumns scratch_;
};

// Both are sorted by name. `later` hides columns of the same name.
void MergeColumns(const WideColumns& later, WideColumns* columns,
                  WideColumns* scratch) {
  scratch->clear();
  auto earlier = columns->begin();
  for (const WideColumn& column : later) {
    while (earlier != columns->end() &&
           earlier->name().compare(column.name()) < 0) {
      scratch->push_back(*earlier);
      ++earlier;
    }
    if (earlier != columns->end() && earlier->name() == column.name()) {
      ++earlier;
    }
    scratch->push_back(column);
  }
  scratch->insert(scratch->end(), earlier, columns->end());
  columns->swap(*scratch);
}

void CoalescingIterator::ReadValues() {
  has_columns_ = false;
  value_ = Slice();
  if (IsAlone()) {
    value_ = first().value();
    return;
  }
  const std::vector<FamilyChild*>& current = merge().current();
  for (auto child = current.rbegin(); child != current.rend(); ++child) {
    const WideColumns& columns = (*child)->iter->columns();
    if (columns.empty() || !columns.front().name().empty()) continue;
    value_ = columns.front().value();
    return;
  }
}

const WideColumns& CoalescingIterator::columns() const {
  assert(Valid());
  if (!prepared()) return kNoWideColumns;
  if (IsAlone()) return first().columns();
  if (has_columns_) return columns_;
  columns_.clear();
  for (const FamilyChild* child : merge().current()) {
    MergeColumns(child->iter->columns(), &columns_, &scratch_);
  }
  has_columns_ = true;
  return columns_;
}

Slice CoalescingIterator::timestamp() const {
  assert(Valid());
  Slice newest;
  for (const FamilyChild* child : merge().current()) {
    const Slice timestamp = child->iter->timestamp();
    if (timestamp.empty()) continue;
    if (newest.empty() ||
        merge().order().CompareTimestamp(timestamp, newest) > 0) {
      newest = timestamp;
    }
  }
  return newest;
}

// The interface takes the name by value.
Status CoalescingIterator::GetProperty(std::string name, std::string* value) {
  const bool of_value = name == "rocksdb.iterator.is-value-pinned";
  if (!of_value && name != "rocksdb.iterator.is-key-pinned") {
    return Iterator::GetProperty(std::move(name), value);
  }
  if (!Valid()) {
    *value = "Iterator is not valid.";
  } else if (of_value && !IsAlone()) {
    *value = "0";
  } else {
    return merge().current().front()->iter->GetProperty(std::move(name), value);
  }
  return Status::OK();
}

class GroupsIterator final : public OverFamilies<AttributeGroupIterator> {
 public:
  using OverFamilies::OverFamilies;

  const IteratorAttributeGroups& attribute_groups() const override {
    assert(Valid());
    if (!prepared()) return kNoIteratorAttributeGroups;
    const std::vector<FamilyChild*>& current = merge().current();
    // Some may be there from a call that ran out of memory.
    if (groups_.size() != current.size()) {
      groups_.clear();
      groups_.reserve(current.size());
      for (const FamilyChild* child : current) {
        groups_.emplace_back(child->family, &child->iter->columns());
      }
    }
    return groups_;
  }

 protected:
  void ReadValues() override { groups_.clear(); }

 private:
  mutable IteratorAttributeGroups groups_;
};

class FailedGroupsIterator final : public AttributeGroupIterator {
 public:
  explicit FailedGroupsIterator(Status status) : status_(std::move(status)) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(const Slice&) override {}
  void SeekForPrev(const Slice&) override {}
  void Next() override {}
  void Prev() override {}
  Slice key() const override { return {}; }
  Status status() const override { return status_; }
  const IteratorAttributeGroups& attribute_groups() const override {
    return kNoIteratorAttributeGroups;
  }

 private:
  const Status status_;
};

}  // namespace

std::unique_ptr<Iterator> CoalesceFamilies(
    DB* db, const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families,
    const CoverFamily& cover) {
  FamilyMergeDeps deps;
  const Status status = OpenFamilyChildren(db, options, families, cover, &deps);
  if (!status.ok()) return std::unique_ptr<Iterator>(NewErrorIterator(status));
  return std::make_unique<CoalescingIterator>(std::move(deps), options);
}

std::unique_ptr<AttributeGroupIterator> GroupFamilies(
    DB* db, const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families,
    const CoverFamily& cover) {
  FamilyMergeDeps deps;
  Status status = OpenFamilyChildren(db, options, families, cover, &deps);
  if (!status.ok()) {
    return std::make_unique<FailedGroupsIterator>(std::move(status));
  }
  return std::make_unique<GroupsIterator>(std::move(deps), options);
}

}  // namespace ROCKSDB_NAMESPACE::engine

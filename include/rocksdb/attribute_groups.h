// Attribute groups: the columns that one key has, by column family.
//
// Place. AttributeGroups are written with PutEntity(), PinnableAttributeGroups
// are read with GetEntity() and MultiGetEntity(), and an AttributeGroupIterator
// shows IteratorAttributeGroups.
//
// Threads. Const methods may be called by several threads at once, others by
// one; but for AttributeGroupIterator::attribute_groups().
#pragma once

#include <utility>
#include <vector>

#include "rocksdb/iterator_base.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ColumnFamilyHandle;

// To be written: the columns of an entity, in any order, and its family.
class AttributeGroup {
 public:
  explicit AttributeGroup(ColumnFamilyHandle* column_family,
                          const WideColumns& columns)
      : column_family_(column_family), columns_(columns) {}

  ColumnFamilyHandle* column_family() const { return column_family_; }
  const WideColumns& columns() const { return columns_; }
  WideColumns& columns() { return columns_; }

 private:
  ColumnFamilyHandle* column_family_;
  WideColumns columns_;
};

inline bool operator==(const AttributeGroup& lhs, const AttributeGroup& rhs) {
  return lhs.column_family() == rhs.column_family() &&
         lhs.columns() == rhs.columns();
}

inline bool operator!=(const AttributeGroup& lhs, const AttributeGroup& rhs) {
  return !(lhs == rhs);
}

using AttributeGroups = std::vector<AttributeGroup>;

extern const AttributeGroups kNoAttributeGroups;

// To be read: the program names the family, the database adds the columns of
// the key there, or the status says why not (NotFound: the family does not
// have the key).
class PinnableAttributeGroup {
 public:
  explicit PinnableAttributeGroup(ColumnFamilyHandle* column_family)
      : column_family_(column_family) {}

  ColumnFamilyHandle* column_family() const { return column_family_; }
  const Status& status() const { return status_; }
  const WideColumns& columns() const { return columns_.columns(); }

  void SetStatus(const Status& status) { status_ = status; }
  void SetColumns(PinnableWideColumns&& columns) {
    columns_ = std::move(columns);
  }

  // OK, and no columns.
  void Reset() {
    status_ = Status::OK();
    columns_.Reset();
  }

 private:
  ColumnFamilyHandle* column_family_;
  Status status_;
  PinnableWideColumns columns_;
};

using PinnableAttributeGroups = std::vector<PinnableAttributeGroup>;

// What an iterator shows of one family. Points to columns that it does not own.
class IteratorAttributeGroup {
 public:
  explicit IteratorAttributeGroup(ColumnFamilyHandle* column_family,
                                  const WideColumns* columns)
      : column_family_(column_family), columns_(columns) {}
  explicit IteratorAttributeGroup(const AttributeGroup& attribute_group)
      : IteratorAttributeGroup(attribute_group.column_family(),
                               &attribute_group.columns()) {}

  ColumnFamilyHandle* column_family() const { return column_family_; }
  const WideColumns& columns() const { return *columns_; }

 private:
  ColumnFamilyHandle* column_family_;
  const WideColumns* columns_;
};

inline bool operator==(const IteratorAttributeGroup& lhs,
                       const IteratorAttributeGroup& rhs) {
  return lhs.column_family() == rhs.column_family() &&
         lhs.columns() == rhs.columns();
}

inline bool operator!=(const IteratorAttributeGroup& lhs,
                       const IteratorAttributeGroup& rhs) {
  return !(lhs == rhs);
}

using IteratorAttributeGroups = std::vector<IteratorAttributeGroup>;

extern const IteratorAttributeGroups kNoIteratorAttributeGroups;

// Moves through the keys of several families, each key once.
class AttributeGroupIterator : public IteratorBase {
 public:
  AttributeGroupIterator() = default;
  AttributeGroupIterator(const AttributeGroupIterator&) = delete;
  AttributeGroupIterator& operator=(const AttributeGroupIterator&) = delete;
  ~AttributeGroupIterator() override = default;

  // REQUIRES: Valid(). One group per family that has the key, in the order in
  // which the families were given. They stay until the iterator moves. Call it
  // from one thread at a time.
  virtual const IteratorAttributeGroups& attribute_groups() const = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API

// Iterator: moving through keys and values in order. See iterator_base.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/iterator_base.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Iterator : public IteratorBase {
 public:
  Iterator() = default;
  Iterator(const Iterator&) = delete;
  void operator=(const Iterator&) = delete;
  ~Iterator() override = default;

  // REQUIRES: Valid(). The bytes stay until the iterator moves. Of an entity:
  // its default column.
  virtual Slice value() const = 0;

  // REQUIRES: Valid(). The columns of an entity; a plain value is one default
  // column. They stay until the iterator moves. Unlike the other const methods,
  // call it from one thread at a time. Iterators that do not know entities
  // return no columns.
  virtual const WideColumns& columns() const { return kNoWideColumns; }

  // Names: "rocksdb.iterator.is-key-pinned", "...is-value-pinned",
  // "...super-version-number", "...internal-key", "...write-time".
  virtual Status GetProperty(std::string prop_name, std::string* prop);

  virtual Slice timestamp() const { return Slice(); }
};

// An iterator without entries.
Iterator* NewEmptyIterator();

// An iterator without entries whose status is `status`.
Iterator* NewErrorIterator(const Status& status);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API

// Iterators over several column families: the coalescing one, and that of
// attribute groups.
//
// Place. What DB::NewCoalescingIterator, DB::NewAttributeGroupIterator and the
// calls of a Transaction return. Both are faces of a FamilyMerge; the families'
// iterators come from DB::NewIterators, so that they show one state, and so
// that a database which changes what iterators show changes these, too.
//
// Threads. The iterators: as rocksdb/iterator.h says.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {
class ColumnFamilyHandle;
class DB;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// Owns the iterator of a family, and returns what is to be shown in its place:
// a transaction adds its own writes. Null: the iterators are shown themselves.
using CoverFamily =
    std::function<Iterator*(ColumnFamilyHandle* family, Iterator* base)>;

// Never null; an error is the status of the result.
std::unique_ptr<Iterator> CoalesceFamilies(
    DB* db, const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families,
    const CoverFamily& cover = nullptr);
std::unique_ptr<AttributeGroupIterator> GroupFamilies(
    DB* db, const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families,
    const CoverFamily& cover = nullptr);

}  // namespace ROCKSDB_NAMESPACE::engine

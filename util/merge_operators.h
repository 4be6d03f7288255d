// The built-in merge operators.
//
// Place. Made by name through MergeOperator::CreateFromString, or directly by
// the C API and tests. Names are stored in tables and OPTIONS files.
//
//   id                 name                       result
//   put                PutOperator                the newest operand
//   uint64add          UInt64AddOperator          fixed64 sum; other sizes are
//   0 stringappend       StringAppendOperator       base,op1,op2
//   stringappendtest   StringAppendTESTOperator   the same
//   max                MaxOperator                the largest in byte order
//   bytesxor           BytesXOR                   bytes xored, the longest wins
//   sortlist           MergeSortOperator          sorted lists of integers
//   merged
//
// Threads. The operators have no state.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE::engine {

std::shared_ptr<MergeOperator> NewPutOperator();
std::shared_ptr<MergeOperator> NewUInt64AddOperator();
std::shared_ptr<MergeOperator> NewStringAppendOperator(std::string delimiter);
std::shared_ptr<MergeOperator> NewStringAppendTestOperator(
    std::string delimiter);
std::shared_ptr<MergeOperator> NewMaxOperator();
std::shared_ptr<MergeOperator> NewBytesXorOperator();
std::shared_ptr<MergeOperator> NewSortListOperator();

}  // namespace ROCKSDB_NAMESPACE::engine

#include "db/read/row_cache.h"

#include <cassert>
#include <string>

#include "util/cache/release_handle.h"
#include "util/coding.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using State = GetContext::State;

// What ends a row: what its operands are merged into.
enum class End : char { kNothing, kValue, kEntity, kDeletion };

// One entry: varint64 sequence, operands (varint32 number, each with its
// size), End, the value.
using Row = std::string;

void DeleteRow(Cache::ObjectPtr object, MemoryAllocator*) {
  delete static_cast<Row*>(object);
}
constexpr Cache::CacheItemHelper kRowHelper(CacheEntryRole::kMisc, &DeleteRow);

std::string KeyOf(uint64_t id, uint64_t file_number, const Slice& user_key) {
  std::string key;
  key.reserve(16 + user_key.size());
  PutFixed64(&key, id);
  PutFixed64(&key, file_number);
  key.append(user_key.data(), user_key.size());
  return key;
}

bool EndOf(const GetContext& found, End* end) {
  // A row has no place for the key that its blobs know it by.
  if (found.stored_key() != found.user_key()) return false;
  switch (found.state()) {
    case State::kMerge:
      *end = End::kNothing;
      return true;
    case State::kFound:
    case State::kMergeFound:
      *end = found.found_entity() ? End::kEntity : End::kValue;
      return true;
    case State::kDeleted:
    case State::kMergeDeleted:
      *end = End::kDeletion;
      return true;
    default:
      return false;
  }
}

// Puts a row into the lookup. The value is pinned by `pinner`.
void Replay(const Row& row, Cleanable* pinner, GetContext* context) {
  Slice rest(row);
  uint64_t sequence = 0;
  uint32_t operands = 0;
  GetVarint64(&rest, &sequence);
  GetVarint32(&rest, &operands);
  for (; operands > 0; --operands) {
    Slice operand;
    GetLengthPrefixedSlice(&rest, &operand);
    if (!context->Add(ValueType::kMerge, sequence, operand, nullptr)) return;
  }
  assert(!rest.empty());
  const End end = static_cast<End>(rest[0]);
  rest.remove_prefix(1);
  if (end == End::kValue) {
    context->Add(ValueType::kValue, sequence, rest, pinner);
  } else if (end == End::kEntity) {
    context->Add(ValueType::kWideColumnEntity, sequence, rest, pinner);
  } else if (end == End::kDeletion) {
    context->Add(ValueType::kDeletion, sequence, Slice(), nullptr);
  }
}

}  // namespace

bool RowCache::Find(uint64_t file_number, GetContext* context) const {
  assert(!context->covered());  // (2)
  const std::string key = KeyOf(id_, file_number, context->user_key());
  Cache::Handle* const handle = cache_->Lookup(key);
  RecordTick(statistics_, handle != nullptr ? ROW_CACHE_HIT : ROW_CACHE_MISS);
  if (handle == nullptr) return false;
  Cleanable pinner;
  pinner.RegisterCleanup(&ReleaseCacheHandle, cache_.get(), handle);
  Replay(*static_cast<const Row*>(cache_->Value(handle)), &pinner, context);
  return true;
}

bool RowCache::Take(uint64_t file_number, GetContext* found, const Slice& value,
                    bool fill, GetContext* context) const {
  if (found->state() == State::kNotFound) return true;  // (3)
  End end = End::kNothing;
  if (!EndOf(*found, &end)) return false;
  auto row = std::make_unique<Row>();
  PutVarint64(row.get(), found->found_sequence());
  PutVarint32(row.get(), static_cast<uint32_t>(found->operands().size()));
  for (const std::string& operand : found->operands()) {
    PutLengthPrefixedSlice(row.get(), operand);
  }
  row->push_back(static_cast<char>(end));
  row->append(value.data(), value.size());  // Empty without one.
  Replay(*row, nullptr, context);
  if (!fill) return true;
  row->shrink_to_fit();
  const size_t charge = sizeof(Row) + row->capacity();
  // Without room it is deleted.
  (void)cache_->Insert(KeyOf(id_, file_number, context->user_key()),
                       row.release(), &kRowHelper, charge);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine

#include "table/cached_blocks.h"

#include <algorithm>
#include <cstring>

#include "table/block/block.h"
#include "table/table_rep.h"
#include "table/table_unique_id.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

template <typename T>
void Delete(Cache::ObjectPtr object, MemoryAllocator*) {
  CachedDelete<const T>::Delete(static_cast<T*>(object));
}

// The bytes that stand for an object. An index makes them, in *buffer.
Slice BytesOf(const Block* block, std::string* /*buffer*/) {
  return block->payload();
}
Slice BytesOf(const FilterBlock* filter, std::string* /*buffer*/) {
  return filter->payload->payload();
}
Slice BytesOf(const FlatIndex* index, std::string* buffer) {
  index->AppendBlockTo(buffer);
  return *buffer;
}

template <typename T>
size_t Size(Cache::ObjectPtr object) {
  std::string buffer;
  return BytesOf(static_cast<const T*>(object), &buffer).size();
}

template <typename T>
Status SaveTo(Cache::ObjectPtr object, size_t from, size_t length, char* out) {
  std::string buffer;
  const Slice bytes = BytesOf(static_cast<const T*>(object), &buffer);
  if (from > bytes.size() || length > bytes.size() - from) {
    return Status::InvalidArgument("bytes behind the end of a cached block");
  }
  if (length > 0) std::memcpy(out, bytes.data() + from, length);
  return Status::OK();
}

const Block* Make(Block::Ptr block, const BlockCreateContext& context,
                  size_t* charge, const Block* /*tag*/) {
  if (!block->Parse()) return nullptr;
  if (context.icmp->bytewise()) block->TakeSamples();
  if (context.protection_bytes > 0 &&
      !block->Protect(context.icmp, context.protection_bytes)) {
    return nullptr;
  }
  *charge = block->memory_usage();
  return block.release();
}

const FlatIndex* Make(Block::Ptr block, const BlockCreateContext& context,
                      size_t* charge, const FlatIndex* /*tag*/) {
  std::unique_ptr<FlatIndex> index = FlatIndex::Parse(
      block.get(), context.index_encoding, *context.icmp, context.file_size);
  if (index == nullptr) return nullptr;
  *charge = index->memory_usage();
  return index.release();
}

const FilterBlock* Make(Block::Ptr block, const BlockCreateContext& /*context*/,
                        size_t* charge, const FilterBlock* /*tag*/) {
  // Such a filter says that there are no keys: a tier may have cut it.
  if (block->size() <= kFilterMetadataSize) return nullptr;
  *charge = block->memory_usage() + sizeof(FilterBlock);
  return new FilterBlock(std::move(block));
}

template <typename T>
Status MakeFrom(const Slice& payload, const BlockCreateContext& context,
                Cache::ObjectPtr* object, size_t* charge) {
  if (payload.size() > kBlockSizeMax) {
    return Status::Corruption("a cached block is too large");
  }
  const T* const made = Make(Block::Copy(payload), context, charge,
                             static_cast<const T*>(nullptr));
  if (made == nullptr) return Status::Corruption("bad cached block");
  *object = const_cast<T*>(made);
  return Status::OK();
}

template <typename T>
// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
Status Create(const Slice& data, CompressionType type, CacheTier /*source*/,
              Cache::CreateContext* context, MemoryAllocator* /*allocator*/,
              Cache::ObjectPtr* object, size_t* charge) {
  if (type != kNoCompression) {
    return Status::NotSupported("compressed blocks from a secondary cache");
  }
  BlockCreateContext saved = *static_cast<BlockCreateContext*>(context);
  saved.index_encoding.value_is_delta = false;  // AppendBlockTo() wrote it.
  return MakeFrom<T>(data, saved, object, charge);
}

constexpr Cache::CacheItemHelper kDataInMemory(CacheEntryRole::kDataBlock,
                                               &Delete<Block>);
constexpr Cache::CacheItemHelper kIndexInMemory(CacheEntryRole::kIndexBlock,
                                                &Delete<FlatIndex>);
constexpr Cache::CacheItemHelper kFilterTopInMemory(
    CacheEntryRole::kFilterMetaBlock, &Delete<FlatIndex>);
constexpr Cache::CacheItemHelper kFilterInMemory(CacheEntryRole::kFilterBlock,
                                                 &Delete<FilterBlock>);

}  // namespace

constinit const Cache::CacheItemHelper kDataBlockHelper(
    CacheEntryRole::kDataBlock, &Delete<Block>, &Size<Block>, &SaveTo<Block>,
    &Create<Block>, &kDataInMemory);
constinit const Cache::CacheItemHelper kIndexBlockHelper(
    CacheEntryRole::kIndexBlock, &Delete<FlatIndex>, &Size<FlatIndex>,
    &SaveTo<FlatIndex>, &Create<FlatIndex>, &kIndexInMemory);
constinit const Cache::CacheItemHelper kFilterTopHelper(
    CacheEntryRole::kFilterMetaBlock, &Delete<FlatIndex>, &Size<FlatIndex>,
    &SaveTo<FlatIndex>, &Create<FlatIndex>, &kFilterTopInMemory);
constinit const Cache::CacheItemHelper kFilterBlockHelper(
    CacheEntryRole::kFilterBlock, &Delete<FilterBlock>, &Size<FilterBlock>,
    &SaveTo<FilterBlock>, &Create<FilterBlock>, &kFilterInMemory);

Status MakeCachedBlock(CacheEntryRole role, const Slice& payload,
                       const BlockCreateContext& context,
                       Cache::ObjectPtr* object, size_t* charge) {
  switch (role) {
    case CacheEntryRole::kDataBlock:
      return MakeFrom<Block>(payload, context, object, charge);
    case CacheEntryRole::kFilterBlock:
      return MakeFrom<FilterBlock>(payload, context, object, charge);
    default:
      return MakeFrom<FlatIndex>(payload, context, object, charge);
  }
}

bool FileCacheId(const std::string& db_id, const std::string& db_session_id,
                 uint64_t file_number, uint64_t id[2]) {
  if (!InternalUniqueId(db_id, db_session_id, file_number, id)) return false;
  // Block offsets go into the low bits: the file number, which the id has
  // there too, moves to the other end. Otherwise block x of file y is taken
  // for block y of file x.
  id[1] ^= file_number ^ __builtin_bswap64(file_number);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine

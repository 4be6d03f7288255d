// A table's parts as they lie in the file, for tools that show them.

#include "table/block/block_iter.h"
#include "table/table_reader.h"
#include "table/table_rep.h"

namespace ROCKSDB_NAMESPACE::engine {

TableReader::Parts TableReader::parts() const {
  const Rep& r = *rep_;
  Parts parts;
  parts.format_version = r.footer.format_version;
  parts.metaindex = r.footer.metaindex;
  parts.index = r.index_handle;
  parts.meta_blocks = r.meta_blocks;
  parts.dictionary = r.dict.raw().ToString();
  return parts;
}

Status TableReader::VisitDataBlocks(const BlockVisitor& on_block,
                                    const EntryVisitor& on_entry) const {
  const Rep& r = *rep_;
  const IOOptions io;
  FetchOptions fetch;
  fetch.io = &io;
  fetch.use_cache = false;
  IndexCursor index(&r, &fetch);
  BlockIter entry;
  for (index.SeekToFirst(); index.Valid(); index.Next()) {
    on_block({index.separator_user_key(), index.handle(),
              index.has_first_key() ? index.first_key() : Slice()});
    if (on_entry == nullptr) continue;
    Cached<const Block> block;
    RETURN_IF_ERROR(r.FetchData(fetch, index.handle(), &block));
    entry.Init(block.get(), r.options.icmp);
    for (entry.SeekToFirst(); entry.Valid(); entry.Next()) {
      if (entry.key().size() < kTrailerSize) {
        return r.Corruption("internal key too short", index.handle());
      }
      on_entry(entry.key(), entry.value());
    }
    if (entry.corrupt()) {
      return r.Corruption("bad entry in block", index.handle());
    }
  }
  return index.status();
}

}  // namespace ROCKSDB_NAMESPACE::engine

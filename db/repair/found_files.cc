#include "db/repair/found_files.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <set>

#include "db/blob/blob_references.h"
#include "db/format/file_names.h"
#include "env/file_reader.h"
#include "rocksdb/file_system.h"
#include "table/blob/blob_format.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Of one directory; one that is not there is empty.
Status FindIn(FileSystem* fs, const std::string& dir, uint32_t path_id,
              bool tables, FoundFiles* found) {
  std::vector<std::string> names;
  RETURN_IF_ERROR(ListIfThere(fs, dir, &names));
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (!ParseFileName(name, &parsed)) continue;
    // LOG.old has a time in its name.
    if (parsed.type != kInfoLogFile) {
      found->number_max = std::max(found->number_max, parsed.number);
    }
    if (parsed.type == kTableFile && tables) {
      found->tables.push_back({dir, parsed.number, path_id});
    } else if (parsed.type == kDescriptorFile && !tables) {
      found->manifests.push_back(parsed.number);
    }
  }
  return Status::OK();
}

Status FindLogs(FileSystem* fs, const std::string& dir, FoundFiles* found) {
  std::vector<std::string> names;
  RETURN_IF_ERROR(fs->GetChildren(dir, IOOptions(), &names, nullptr));
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (!ParseFileName(name, &parsed) || parsed.type != kWalFile) continue;
    found->number_max = std::max(found->number_max, parsed.number);
    found->logs.push_back(parsed.number);
  }
  std::sort(found->logs.begin(), found->logs.end());
  return Status::OK();
}

Result<std::unique_ptr<TableReader>> OpenTable(
    const StoreContext& store, const std::string& path,
    const InternalKeyComparator& icmp, uint64_t size, SequenceNumber sequence) {
  auto file =
      RandomAccessFileReader::Open(store.fs, path, FileOptions(store.options));
  if (!file.ok()) return file.status();
  TableReadOptions options;
  options.icmp = &icmp;
  options.table.no_block_cache = true;
  options.global_sequence = sequence;
  return TableReader::Open(options, std::move(*file), size);
}

// Bounds, sequences and blob files; the MANIFEST is not asked for these, since
// some writers' does not link a table to the columns of its entities. Every
// block is read and checked.
Status ReadEntries(const TableReader& table, const InternalKeyComparator& icmp,
                   FileFacts* facts) {
  const std::unique_ptr<InternalIterator> it(
      table.NewIterator(ReadOptions(), TableReadPurpose::kVerify));
  const auto link = [&oldest = facts->oldest_blob_file](const BlobIndex& blob) {
    if (oldest == kNoBlobFile || blob.file_number < oldest) {
      oldest = blob.file_number;
    }
  };
  std::string last;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(it->key(), &key) || !IsStoredPointType(key.type)) {
      return Status::Corruption("an entry that no table can hold",
                                it->key().ToString(/*hex=*/true));
    }
    if (!last.empty() && icmp.Compare(last, it->key()) >= 0) {
      return Status::Corruption("entries out of order",
                                it->key().ToString(/*hex=*/true));
    }
    last = it->key().ToString();
    facts->AddBoundary(it->key(), key.sequence);
    RETURN_IF_ERROR(ForEachBlob(key.type, it->value(), link));
  }
  RETURN_IF_ERROR(it->status());
  if (table.tombstones() != nullptr) {
    for (size_t i = 0; i < table.tombstones()->num_tombstones(); ++i) {
      facts->AddBoundary(icmp, table.tombstones()->tombstone(i));
    }
  }
  return Status::OK();
}

// What the old MANIFEST says of the table, if it is the same one.
const FileMetaData* Known(const ManifestState* old, const FileFacts& facts) {
  if (old == nullptr) return nullptr;
  for (const auto& [id, family] : old->families) {
    const auto it = family.files.find(facts.number);
    if (it != family.files.end() && it->second.file->size == facts.size) {
      return it->second.file.get();
    }
  }
  return nullptr;
}

}  // namespace

Result<FoundFiles> FindFiles(
    const StoreContext& store,
    const std::vector<std::vector<std::string>>& table_dirs) {
  FoundFiles found;
  RETURN_IF_ERROR(FindIn(store.fs, store.dbname, 0, /*tables=*/false, &found));
  std::set<std::string> seen;
  for (const std::vector<std::string>& dirs : table_dirs) {
    for (size_t i = 0; i < dirs.size(); ++i) {
      if (!seen.insert(dirs[i]).second) continue;
      RETURN_IF_ERROR(FindIn(store.fs, dirs[i], static_cast<uint32_t>(i),
                             /*tables=*/true, &found));
    }
  }
  RETURN_IF_ERROR(FindLogs(store.fs, store.wal_dir, &found));
  std::sort(found.manifests.begin(), found.manifests.end());
  return found;
}

Result<std::optional<OldManifest>> ReadOldManifest(const StoreContext& store,
                                                   const FoundFiles& found) {
  const auto useless = [](const Status& why) {
    return why.IsCorruption() || why.IsNotSupported() || IsMissing(why);
  };
  std::vector<uint64_t> numbers(found.manifests.rbegin(),
                                found.manifests.rend());
  const Result<uint64_t> current = ReadCurrentFile(store.fs, store.dbname);
  if (!current.ok() && !useless(current.status())) return current.status();
  if (current.ok()) numbers.insert(numbers.begin(), *current);
  for (const uint64_t number : numbers) {
    Result<ManifestState> state = ReadManifestFile(
        store.fs, DescriptorFileName(store.dbname, number), {});
    if (state.ok()) {
      OldManifest old;
      old.is_complete = current.ok() && *current == number && !state->torn_tail;
      old.state = std::move(*state);
      return std::optional(std::move(old));
    }
    if (!useless(state.status())) return state.status();
  }
  return std::optional<OldManifest>();
}

Result<FoundTable> ReadTable(const StoreContext& store,
                             const FoundFiles::Named& name,
                             const ComparatorOf& comparator_of,
                             const ManifestState* old) {
  const std::string path = TableFileName(name.dir, name.number);
  auto facts = std::make_shared<FileMetaData>();
  facts->number = name.number;
  facts->path_id = name.path_id;
  RETURN_IF_ERROR(
      store.fs->GetFileSize(path, IOOptions(), &facts->size, nullptr));
  auto reader =
      RandomAccessFileReader::Open(store.fs, path, FileOptions(store.options));
  if (!reader.ok()) return reader.status();
  const auto properties =
      TableReader::ReadProperties(std::move(*reader), facts->size);
  if (!properties.ok()) return properties.status();
  const TableProperties& p = **properties;

  FoundTable found;
  found.comparator_name = p.comparator_name;
  found.family_name = p.column_family_name;
  if (p.column_family_id <= UINT32_MAX) {
    found.family_id = static_cast<uint32_t>(p.column_family_id);
  }
  const Comparator* const comparator = comparator_of(p.comparator_name);
  if (comparator == nullptr) {
    return Status::InvalidArgument(
        path, "expected a known comparator, found " + p.comparator_name);
  }
  const InternalKeyComparator icmp(comparator);
  const FileMetaData* const known = Known(old, *facts);
  // An ingested table may have its sequence only there.
  const SequenceNumber sequence =
      known != nullptr ? known->largest_sequence : kSequenceMax;
  const auto table = OpenTable(store, path, icmp, facts->size, sequence);
  if (!table.ok()) return table.status();
  RETURN_IF_ERROR(ReadEntries(**table, icmp, facts.get()));
  if (!facts->smallest.Valid()) {
    return Status::Corruption(path, "expected entries, found none");
  }
  assert(facts->largest.Valid() &&
         icmp.Compare(facts->smallest.Encode(), facts->largest.Encode()) <= 0);
  facts->creation_time_secs = p.file_creation_time;
  facts->oldest_ancestor_time_secs = p.creation_time;
  if (known != nullptr) {
    facts->checksum = known->checksum;
    facts->checksum_function = known->checksum_function;
  }
  found.file = std::move(facts);
  return found;
}

bool HasLostTables(const StoreContext& store) {
  std::vector<std::string> names;
  if (!store.fs
           ->GetChildren(store.dbname + "/lost", IOOptions(), &names, nullptr)
           .ok()) {
    return false;
  }
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.find(".sst") != std::string::npos;
  });
}

bool NeedMerge(const Comparator* order, const std::vector<FilePtr>& files) {
  std::vector<const FileMetaData*> sorted;
  sorted.reserve(files.size());
  for (const FilePtr& file : files) sorted.push_back(file.get());
  std::sort(sorted.begin(), sorted.end(),
            [order](const FileMetaData* a, const FileMetaData* b) {
              return order->Compare(a->smallest.user_key(),
                                    b->smallest.user_key()) < 0;
            });
  for (size_t i = 0; i < sorted.size(); ++i) {
    const FileMetaData& a = *sorted[i];
    assert(a.smallest_sequence <= a.largest_sequence);
    for (size_t j = i + 1; j < sorted.size(); ++j) {
      const FileMetaData& b = *sorted[j];
      if (order->Compare(b.smallest.user_key(), a.largest.user_key()) > 0) {
        break;
      }
      if (a.smallest_sequence <= b.largest_sequence &&
          b.smallest_sequence <= a.largest_sequence) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::engine

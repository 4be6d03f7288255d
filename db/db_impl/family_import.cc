#include "db/db_impl/family_import.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <tuple>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/db_impl/wal_tracking.h"
#include "db/format/file_names.h"
#include "env/file_copy.h"
#include "env/file_reader.h"
#include "env/io_gate.h"
#include "rocksdb/comparator.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "table/table_reader.h"
#include "table/table_unique_id.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct ImportedFile {
  const LiveFileMetaData* given = nullptr;
  size_t source = 0;  // Index of the family it was exported from.
  std::string from;
  uint64_t number = 0;  // 0: not begun.
  std::string path;
  FilePtr file;
};

class Importer {
 public:
  explicit Importer(const FamilyImport* import)
      : import_(*import), db_(*import->db) {}

  Status Run();

 private:
  Status CheckAndList();
  Status Take(ImportedFile* imported);
  Result<std::unique_ptr<TableReader>> OpenTable(
      const ImportedFile& imported) const;
  Status ReadBounds(const TableReader& reader, const LiveFileMetaData& given,
                    FileFacts* facts) const;
  Status CheckSourcesApart() const;
  void ForgetEpochs();
  Status Install();
  void Discard() REQUIRES_LOCK(kStateLock);

  const FamilyImport& import_;
  DbState& db_;
  std::vector<ImportedFile> files_;
  std::vector<ViewRef> dropped_;
};

Status Importer::Run() {
  RETURN_IF_ERROR(CheckAndList());
  FileDeletion::Protection outputs;
  {
    MutexLock lock(&db_.mu);
    outputs = db_.deletion->ProtectOutputs();
  }
  Status status;
  for (ImportedFile& file : files_) {
    if (status.ok()) status = Take(&file);
  }
  if (status.ok()) status = CheckSourcesApart();
  if (status.ok()) {
    status = SyncDirectory(db_.store.fs, import_.family->home()->Dir(0));
  }
  if (status.ok()) {
    const CommitPipeline::ExclusiveGuard guard(import_.pipeline);
    status = Install();
  }
  dropped_.clear();
  {
    MutexLock lock(&db_.mu);
    if (!status.ok()) Discard();
    db_.deletion->Release(outputs);
  }
  if (status.ok() && import_.move_files) {
    for (const ImportedFile& file : files_) {
      (void)db_.store.fs->DeleteFile(file.from, IOOptions(), nullptr);
    }
  }
  return status;
}

Status Importer::CheckAndList() {
  const char* const comparator =
      import_.family->icmp().user_comparator()->Name();
  const int levels = import_.family->views().Pin()->version->num_levels();
  for (size_t i = 0; i < import_.metadatas.size(); ++i) {
    const ExportImportFilesMetaData* const metadata = import_.metadatas[i];
    if (metadata->db_comparator_name != comparator) {
      return Status::InvalidArgument(
          std::string("Comparator name mismatch: expected ") + comparator,
          "found " + metadata->db_comparator_name);
    }
    for (const LiveFileMetaData& given : metadata->files) {
      if (given.level < 0 || given.level >= levels) {
        return Status::InvalidArgument(
            given.name + ": expected a level below " + std::to_string(levels),
            "found " + std::to_string(given.level));
      }
      if (given.oldest_blob_file_number != 0) {
        return Status::NotSupported("tables with values in blob files",
                                    given.name);
      }
      ImportedFile file;
      file.given = &given;
      file.source = i;
      const bool slash = !given.name.empty() && given.name[0] == '/';
      file.from = given.db_path + (slash ? "" : "/") + given.name;
      files_.push_back(std::move(file));
    }
  }
  if (!files_.empty()) return Status::OK();
  return Status::InvalidArgument("The list of files is empty");
}

Status Importer::Take(ImportedFile* imported) {
  assert(imported->number == 0);
  const LiveFileMetaData& given = *imported->given;
  const StoreContext& store = db_.store;
  imported->number = db_.versions->NewFileNumber();
  imported->path =
      TableFileName(import_.family->home()->Dir(0), imported->number);
  Status taken = Status::NotSupported();
  if (import_.move_files) {
    taken = LinkFileSynced(store.fs, imported->from, imported->path,
                           store.options.use_fsync);
  }
  if (taken.IsNotSupported()) {
    FileCopyOptions copy;
    copy.use_fsync = store.options.use_fsync;
    copy.rate_limiter = store.options.rate_limiter.get();
    copy.io_pass = store.io_gate->PassOf(IoClass::kMaintenance);
    copy.temperature = given.temperature;
    taken = CopyFileSynced(store.fs, imported->from, imported->path, given.size,
                           copy);
  }
  RETURN_IF_ERROR(taken);
  auto reader = OpenTable(*imported);
  if (!reader.ok()) return reader.status();
  FileFacts facts;
  facts.number = imported->number;
  facts.size = given.size;
  RETURN_IF_ERROR(ReadBounds(**reader, given, &facts));
  facts.smallest_sequence = given.smallest_seqno;
  facts.largest_sequence = given.largest_seqno;
  facts.epoch = given.epoch_number;
  facts.oldest_ancestor_time_secs = given.oldest_ancester_time;
  facts.creation_time_secs = given.file_creation_time;
  facts.temperature = given.temperature;
  facts.checksum = given.file_checksum;
  facts.checksum_function = given.file_checksum_func_name;
  const TableProperties& properties = *(*reader)->properties();
  if (properties.tail_start_offset > 0) {
    facts.tail_bytes = given.size - properties.tail_start_offset;
  }
  (void)InternalUniqueId(properties, facts.unique_id);
  imported->file = std::make_shared<FileMetaData>(std::move(facts));
  imported->file->RememberStats(properties);
  return Status::OK();
}

Result<std::unique_ptr<TableReader>> Importer::OpenTable(
    const ImportedFile& imported) const {
  const StoreContext& store = db_.store;
  uint64_t size = 0;
  RETURN_IF_ERROR(
      store.fs->GetFileSize(imported.path, IOOptions(), &size, nullptr));
  if (size != imported.given->size) {
    return Status::Corruption(imported.from + ": expected " +
                              std::to_string(imported.given->size) +
                              " bytes, found " + std::to_string(size));
  }
  auto file = RandomAccessFileReader::Open(store.fs, imported.path,
                                           FileOptions(store.options));
  if (!file.ok()) return file.status();
  const ViewRef view = import_.family->views().Pin();
  auto table = TableOptionsOf(view->options->table_factory.get());
  if (!table.ok()) return table.status();
  TableReadOptions options;
  options.icmp = &import_.family->icmp();
  options.table = *table;
  options.table.block_cache = nullptr;
  options.table.no_block_cache = true;
  options.table.cache_index_and_filter_blocks = false;
  options.skip_filters = true;
  options.global_sequence = imported.given->largest_seqno;
  return TableReader::Open(options, std::move(*file), size);
}

// Of the entries; what the exporter said may reach further (and does for
// range deletions). Old exporters said only user keys.
Status Importer::ReadBounds(const TableReader& reader,
                            const LiveFileMetaData& given,
                            FileFacts* facts) const {
  const InternalKeyComparator& icmp = import_.family->icmp();
  const std::unique_ptr<InternalIterator> iter(
      reader.NewIterator(ReadOptions(), TableReadPurpose::kVerify));
  iter->SeekToFirst();
  if (iter->Valid()) facts->smallest.DecodeFrom(iter->key());
  iter->SeekToLast();
  if (iter->Valid()) facts->largest.DecodeFrom(iter->key());
  RETURN_IF_ERROR(iter->status());
  ParsedInternalKey key;
  if (ParseInternalKey(given.smallest, &key) &&
      (!facts->smallest.Valid() ||
       icmp.Compare(given.smallest, facts->smallest.Encode()) < 0)) {
    facts->smallest.DecodeFrom(given.smallest);
  }
  if (ParseInternalKey(given.largest, &key) &&
      (!facts->largest.Valid() ||
       icmp.Compare(given.largest, facts->largest.Encode()) > 0)) {
    facts->largest.DecodeFrom(given.largest);
  }
  if (given.smallest.empty() && facts->smallest.Valid() &&
      icmp.CompareUserKey(given.smallestkey, facts->smallest.user_key()) < 0) {
    facts->smallest = InternalKey(given.smallestkey, given.largest_seqno,
                                  ValueType::kRangeDeletion);
  }
  if (given.largest.empty() && facts->largest.Valid() &&
      icmp.CompareUserKey(given.largestkey, facts->largest.user_key()) > 0) {
    facts->largest =
        InternalKey(given.largestkey, kSequenceMax, ValueType::kRangeDeletion);
  }
  if (facts->smallest.Valid() && facts->largest.Valid()) return Status::OK();
  return Status::Corruption("no entries in " + given.name);
}

// The sequence numbers and levels of two families say nothing about which of
// their entries is newer, so no key may be in the range of both.
Status Importer::CheckSourcesApart() const {
  struct Reach {
    Slice smallest;
    Slice largest;
    const ImportedFile* last = nullptr;
  };
  const InternalKeyComparator& icmp = import_.family->icmp();
  std::vector<Reach> reaches(import_.metadatas.size());
  for (const ImportedFile& imported : files_) {
    assert(imported.file != nullptr && imported.source < reaches.size());
    Reach& reach = reaches[imported.source];
    const Slice smallest = imported.file->smallest.user_key();
    const Slice largest = imported.file->largest.user_key();
    const bool first = reach.last == nullptr;
    if (first || icmp.CompareUserKey(smallest, reach.smallest) < 0) {
      reach.smallest = smallest;
    }
    if (first || icmp.CompareUserKey(largest, reach.largest) > 0) {
      reach.largest = largest;
      reach.last = &imported;
    }
  }
  std::erase_if(reaches, [](const Reach& r) { return r.last == nullptr; });
  std::sort(reaches.begin(), reaches.end(),
            [&](const Reach& a, const Reach& b) {
              return icmp.CompareUserKey(a.smallest, b.smallest) < 0;
            });
  for (size_t i = 1; i < reaches.size(); ++i) {
    if (icmp.CompareUserKey(reaches[i - 1].largest, reaches[i].smallest) < 0) {
      continue;
    }
    return Status::InvalidArgument(
        "CFs have overlapping ranges",
        reaches[i - 1].last->from + " and " + reaches[i].last->from);
  }
  return Status::OK();
}

// Exporters before epochs existed ordered level 0 by sequence numbers. New
// epochs are given in the order of the files.
void Importer::ForgetEpochs() {
  const bool known = std::all_of(files_.begin(), files_.end(),
                                 [](const ImportedFile& imported) {
                                   return imported.file->epoch != kUnknownEpoch;
                                 });
  if (known) return;
  std::sort(files_.begin(), files_.end(),
            [](const ImportedFile& a, const ImportedFile& b) {
              const auto rank = [](const ImportedFile& f) {
                return std::make_tuple(-f.given->level, f.given->largest_seqno,
                                       f.given->smallest_seqno,
                                       f.given->file_number);
              };
              return rank(a) < rank(b);
            });
  for (ImportedFile& imported : files_) imported.file->epoch = kUnknownEpoch;
}

Status Importer::Install() {
  RETURN_IF_ERROR(SyncClosedLogs(&db_));
  ForgetEpochs();
  VersionEdit edit;
  SequenceNumber last = import_.pipeline->last_assigned();
  for (const ImportedFile& imported : files_) {
    edit.AddFile(imported.given->level, imported.file);
    last = std::max(last, imported.file->largest_sequence);
  }
  assert(edit.new_files.size() == files_.size());
  ColumnFamily& family = *import_.family;
  MutexLock lock(&db_.mu);
  if (family.dropped()) return Status::ColumnFamilyDropped(family.name());
  import_.pipeline->SetLastAssigned(last);
  db_.versions->SetLastAllocatedSequence(last);
  FamilyEdits change;
  change.family = family.versions();
  change.edits = {&edit};
  change.on_installed = [&]() REQUIRES_LOCK(kStateLock) {
    if (db_.versions->last_sequence() < last) {
      db_.versions->SetLastSequence(last);
    }
    dropped_.push_back(family.PublishView());
    import_.stalls->Recalculate(&family);
  };
  const Status status =
      db_.versions->LogAndApply({&change, 1}, &db_.mu, db_.directory.get());
  CheckState(db_);
  return status;
}

void Importer::Discard() {
  for (const ImportedFile& imported : files_) {
    if (imported.number == 0) continue;
    db_.deletion->AddFile({kTableFile, imported.number, imported.path,
                           import_.family->id(), imported.given->size});
  }
}

}  // namespace

Status ImportTables(const FamilyImport& import) {
  return Importer(&import).Run();
}

}  // namespace ROCKSDB_NAMESPACE::engine

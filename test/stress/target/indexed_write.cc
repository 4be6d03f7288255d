#include "test/stress/target/indexed_write.h"

#include <memory>

#include "rocksdb/comparator.h"
#include "test/stress/history/answers.h"
#include "test/stress/history/operation.h"
#include "test/stress/target/db_target.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

ReadOptions NewestIn(ColumnFamilyHandle* family) {
  static const Slice kNewest = MaxU64Ts();
  ReadOptions read;
  read.total_order_seek = true;
  if (family->GetComparator()->timestamp_size() > 0) read.timestamp = &kNewest;
  return read;
}

// Which spelling of a key is shown is left open where several are the same.
std::string RowOf(ColumnFamilyHandle* family, Iterator* it) {
  const std::string key = it->key().ToString();
  const bool folded = IsFolded(family->GetName());
  return Escape(folded ? Folded(key) : key) + "=" + ShowRow(it);
}

}  // namespace

std::string IndexedWrite::Walk(ColumnFamilyHandle* family, bool through_batch) {
  const ReadOptions read = NewestIn(family);
  std::unique_ptr<Iterator> it(db_->NewIterator(read, family));
  if (through_batch) {
    it.reset(batch_.NewIteratorWithBase(family, it.release(), &read));
  }
  std::string rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows += RowOf(family, it.get()) + "\n";
  }
  rows += TextOf(it->status()) + "\n";
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    rows += RowOf(family, it.get()) + "\n";
  }
  rows += TextOf(it->status()) + "\n";
  // Around the keys that are written, with turns.
  for (const auto& [owner, key] : keys_) {
    if (owner != family) continue;
    it->Seek(key);
    for (const char step : {'n', 'p', 'p', 'n', 'n'}) {
      if (!it->Valid()) break;
      rows += RowOf(family, it.get()) + " ";
      step == 'n' ? it->Next() : it->Prev();
    }
    it->SeekForPrev(key);
    for (const char step : {'p', 'n', 'n', 'p', 'p'}) {
      if (!it->Valid()) break;
      rows += RowOf(family, it.get()) + " ";
      step == 'n' ? it->Next() : it->Prev();
    }
    rows += TextOf(it->status()) + "\n";
  }
  return rows;
}

std::string IndexedWrite::Get(const Key& key, bool through_batch) {
  const ReadOptions read = NewestIn(key.first);
  std::string value;
  PinnableWideColumns columns;
  Status got;
  Status got_columns;
  if (through_batch) {
    got = batch_.GetFromBatchAndDB(db_, read, key.first, key.second, &value);
    got_columns = batch_.GetEntityFromBatchAndDB(db_, read, key.first,
                                                 key.second, &columns);
  } else {
    got = db_->Get(read, key.first, key.second, &value);
    got_columns = db_->GetEntity(read, key.first, key.second, &columns);
  }
  std::string text = Escape(key.second) + " " + TextOf(got);
  if (got.ok()) text += " " + Escape(value);
  text += " " + TextOf(got_columns);
  for (const WideColumn& column : columns.columns()) {
    text += " " + Escape(column.name().ToString()) + "=" +
            Escape(column.value().ToString());
  }
  return text + "\n";
}

std::string IndexedWrite::Show(bool through_batch) {
  std::string shown;
  ColumnFamilyHandle* walked = nullptr;
  for (const Key& key : keys_) {
    shown += Get(key, through_batch);
    if (key.first == walked) continue;
    walked = key.first;
    shown += Walk(walked, through_batch);
  }
  return shown;
}

std::string IndexedWrite::Write(const WriteOptions& options) {
  const std::string promised = Show(/*through_batch=*/true);
  const Status status = db_->Write(options, batch_.GetWriteBatch());
  if (!status.ok()) return TextOf(status);
  const std::string kept = Show(/*through_batch=*/false);
  if (promised == kept) return TextOf(status);
  size_t at = 0;
  while (at < promised.size() && at < kept.size() && promised[at] == kept[at]) {
    ++at;
  }
  const size_t from = at > 200 ? at - 200 : 0;
  return "ERROR a batch with index shows\n" + promised.substr(from, 600) +
         "\nand after it was written the database\n" + kept.substr(from, 600);
}

}  // namespace ROCKSDB_NAMESPACE::stress

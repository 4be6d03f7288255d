#include "tools/ldb/key_range.h"

#include <memory>
#include <utility>

#include "tools/ldb/output.h"

namespace ROCKSDB_NAMESPACE::ldb {

engine::Result<KeyRange> KeyRange::Of(const Arguments& arguments) {
  KeyRange range;
  auto from = arguments.KeyFlag("from");
  if (!from.ok()) return from.status();
  range.from = *std::move(from);
  auto to = arguments.KeyFlag("to");
  if (!to.ok()) return to.status();
  range.to = *std::move(to);
  // RocksDB takes a negative number for "all".
  if (!arguments.Text("max_keys").starts_with("-")) {
    const auto keys_max = arguments.Number("max_keys", UINT64_MAX);
    if (!keys_max.ok()) return keys_max.status();
    range.keys_max = *keys_max;
  }
  auto times = TtlTimes::Of(arguments);
  if (!times.ok()) return times.status();
  range.times = *times;
  return range;
}

namespace {

// Takes the time from the end of the value.
Status CutTime(Entry* entry) {
  RETURN_IF_ERROR(engine::CheckStamp(entry->value));
  entry->written_secs = static_cast<int32_t>(
      engine::DecodeFixed32(engine::StampOf(entry->value).data()));
  entry->value = engine::WithoutStamp(entry->value);
  return Status::OK();
}

}  // namespace

Status ForEachEntry(const Session& session, const KeyRange& range,
                    const std::function<void(const Entry&)>& use) {
  ReadOptions options;
  options.total_order_seek = true;
  Slice upper_bound;
  if (range.to) {
    upper_bound = *range.to;
    options.iterate_upper_bound = &upper_bound;
  }
  // The one below a database with a TTL shows the times.
  const std::unique_ptr<Iterator> it(
      session.db()->GetRootDB()->NewIterator(options, session.family()));
  if (range.from) {
    it->Seek(*range.from);
  } else {
    it->SeekToFirst();
  }
  for (uint64_t left = range.keys_max; left > 0 && it->Valid(); it->Next()) {
    Entry entry{it->key(), it->value(), std::nullopt};
    if (range.times.wanted) {
      RETURN_IF_ERROR(CutTime(&entry));
      const std::optional<int64_t> written = entry.written_secs;
      if (!written || !range.times.Holds(*written)) continue;
    }
    use(entry);
    --left;
  }
  return it->status();
}

std::optional<char> PrefixCounter::Delimiter(const Arguments& arguments) {
  if (!arguments.Has("count_delim")) return std::nullopt;
  const std::string given = arguments.Text("count_delim");
  return given.empty() ? '.' : given[0];
}

void PrefixCounter::Add(const Slice& key, const Slice& value) {
  const std::string text = key.ToString();
  std::string prefix = text.substr(0, text.find(delimiter_));
  if (!first_ && prefix != prefix_) {
    PrintLine();
    count_ = bytes_ = 0;
  }
  first_ = false;
  prefix_ = std::move(prefix);
  ++count_;
  bytes_ += key.size() + value.size();
}

void PrefixCounter::PrintLine() const {
  if (!arguments_.json()) {
    return Print(prefix_ + " => count:" + std::to_string(count_) +
                 "\tsize:" + std::to_string(bytes_) + "\n");
  }
  engine::JsonWriter object;
  object.Add("prefix", JsonText(prefix_))
      .Add("count", count_)
      .Add("bytes", bytes_);
  PrintJson(std::move(object));
}

}  // namespace ROCKSDB_NAMESPACE::ldb

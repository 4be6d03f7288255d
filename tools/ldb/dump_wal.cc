#include <cstdio>
#include <memory>

#include "db/format/file_names.h"
#include "db/wal/log_reader.h"
#include "env/file_reader.h"
#include "rocksdb/write_batch.h"
#include "tools/ldb/command.h"
#include "tools/ldb/dump_file.h"
#include "tools/ldb/output.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr size_t kBatchHeaderSize = 12;

// Appends a word per record of a batch to a line, or an object per record to a
// JSON array.
class Printer final : public WriteBatch::Handler {
 public:
  // One of the two is null.
  Printer(bool values, std::string* line, engine::JsonWriter* json)
      : values_(values), line_(line), json_(json) {}

  Status PutCF(uint32_t family, const Slice& key, const Slice& v) override {
    return Pair("PUT", family, key, v);
  }
  Status MergeCF(uint32_t family, const Slice& key, const Slice& v) override {
    return Pair("MERGE", family, key, v);
  }
  Status DeleteCF(uint32_t family, const Slice& key) override {
    return Key("DELETE", family, key);
  }
  Status SingleDeleteCF(uint32_t family, const Slice& key) override {
    return Key("SINGLE_DELETE", family, key);
  }
  Status DeleteRangeCF(uint32_t family, const Slice& begin,
                       const Slice& end) override {
    if (json_ != nullptr) {
      Begin("DELETE_RANGE", &family).Add("begin", ToHex(begin));
      json_->Add("end", ToHex(end)).EndObject();
    } else {
      *line_ += "DELETE_RANGE(" + std::to_string(family) +
                ") : " + ToHex(begin) + " " + ToHex(end) + " ";
    }
    return Status::OK();
  }
  Status PutEntityCF(uint32_t family, const Slice& key,
                     const Slice& entity) override {
    return Pair("PUT_ENTITY", family, key, entity);
  }
  Status PutBlobIndexCF(uint32_t family, const Slice& key,
                        const Slice& index) override {
    return Pair("PUT_BLOB_INDEX", family, key, index);
  }
  Status TimedPutCF(uint32_t family, const Slice& key, const Slice& value,
                    uint64_t /*write_time*/) override {
    return Pair("TIMED_PUT", family, key, value);
  }
  void LogData(const Slice& blob) override {
    if (json_ != nullptr) {
      Begin("LOG_DATA", nullptr).Add("data", ToHex(blob)).EndObject();
    } else {
      *line_ += "LOG_DATA : " + ToHex(blob) + " ";
    }
  }
  Status MarkBeginPrepare(bool unprepared) override {
    return Mark(unprepared ? "BEGIN_PREPARE(true)" : "BEGIN_PREPARE(false)",
                nullptr);
  }
  Status MarkEndPrepare(const Slice& name) override {
    return Mark("END_PREPARE", &name);
  }
  Status MarkRollback(const Slice& name) override {
    return Mark("ROLLBACK", &name);
  }
  Status MarkCommit(const Slice& name) override {
    return Mark("COMMIT", &name);
  }
  Status MarkCommitWithTimestamp(const Slice& name,
                                 const Slice& timestamp) override {
    return Mark("COMMIT", &name, &timestamp);
  }
  Status MarkNoop(bool /*empty_batch*/) override {
    return Mark("NOOP", nullptr);
  }

 private:
  engine::JsonWriter& Begin(const char* what, const uint32_t* family) {
    json_->BeginObject().Add("record", what);
    if (family != nullptr) json_->Add("column_family", *family);
    return *json_;
  }
  Status Key(const char* what, uint32_t family, const Slice& key) {
    if (json_ != nullptr) {
      Begin(what, &family).Add("key", ToHex(key)).EndObject();
    } else {
      *line_ += std::string(what) + "(" + std::to_string(family) +
                ") : " + ToHex(key) + " ";
    }
    return Status::OK();
  }
  Status Pair(const char* what, uint32_t family, const Slice& key,
              const Slice& value) {
    if (json_ != nullptr) {
      Begin(what, &family).Add("key", ToHex(key));
      if (values_) json_->Add("value", ToHex(value));
      json_->EndObject();
    } else {
      *line_ += std::string(what) + "(" + std::to_string(family) +
                ") : " + ToHex(key) + " ";
      if (values_) *line_ += ": " + ToHex(value) + " ";
    }
    return Status::OK();
  }
  Status Mark(const char* what, const Slice* name,
              const Slice* timestamp = nullptr) {
    if (json_ != nullptr) {
      Begin(what, nullptr);
      if (name != nullptr) json_->Add("name", ToHex(*name));
      if (timestamp != nullptr) json_->Add("timestamp", ToHex(*timestamp));
      json_->EndObject();
      return Status::OK();
    }
    *line_ += what;
    if (name != nullptr) {
      *line_ += "(" + ToHex(*name);
      if (timestamp != nullptr) *line_ += ", " + ToHex(*timestamp);
      *line_ += ")";
    }
    *line_ += " ";
    return Status::OK();
  }

  const bool values_;
  std::string* const line_;
  engine::JsonWriter* const json_;
};

Status PrintBatch(const Slice& record, uint64_t offset, bool values,
                  bool as_json) {
  if (record.size() < kBatchHeaderSize) {
    return Status::Corruption("log record too small");
  }
  const uint64_t sequence = engine::DecodeFixed64(record.data());
  const uint32_t count = engine::DecodeFixed32(record.data() + 8);
  const WriteBatch batch(record.ToString());
  if (as_json) {
    engine::JsonWriter object;
    object.Add("sequence", sequence)
        .Add("count", count)
        .Add("bytes", record.size())
        .Add("offset", offset);
    object.Key("records").BeginArray();
    Printer printer(values, nullptr, &object);
    const Status status = batch.Iterate(&printer);
    object.EndArray();
    PrintJson(std::move(object));
    return status;
  }
  std::string line = std::to_string(sequence) + "," + std::to_string(count) +
                     "," + std::to_string(record.size()) + "," +
                     std::to_string(offset) + ",";
  Printer printer(values, &line, nullptr);
  const Status status = batch.Iterate(&printer);
  Print(line + "\n");
  return status;
}

// A file of another name is read as log 0: of recycled ones nothing is shown.
uint64_t LogNumberOf(const std::string& path) {
  engine::ParsedFileName name;
  const bool is_log =
      engine::ParseFileName(path.substr(path.find_last_of('/') + 1), &name) &&
      name.type == kWalFile;
  return is_log ? name.number : 0;
}

void TellAndClear(std::string* damage) {
  std::fputs(damage->c_str(), stderr);
  damage->clear();
}

}  // namespace

Status DumpWalFile(const std::string& path, const Arguments& arguments,
                   const WalDumpOptions& options) {
  auto file = engine::SequentialFileReader::Open(
      FileSystem::Default().get(), path, FileOptions(), size_t{1} << 20);
  if (!file.ok()) return file.status();
  engine::wal::Reader reader(std::move(*file), LogNumberOf(path));
  if (options.header && !arguments.json()) {
    std::printf("Sequence,Count,ByteSize,Physical Offset,Key(s)%s\n",
                options.values ? " : value " : "");
  }
  Slice record;
  std::string damage;
  for (;;) {
    const engine::wal::ReadResult result = reader.ReadRecord(&record);
    if (result == engine::wal::ReadResult::kEnd) break;
    if (result != engine::wal::ReadResult::kRecord) {
      // Passed over: what is behind it may still be of use.
      damage += reader.problem().ToStatus(path).ToString() + "\n";
      continue;
    }
    TellAndClear(&damage);
    RETURN_IF_ERROR(PrintBatch(record, reader.last_record_offset(),
                               options.values, arguments.json()));
  }
  // Behind its last record a recycled log holds its former life, cut anywhere.
  if (reader.recyclable() && reader.problem().io_status.ok()) {
    return Status::OK();
  }
  TellAndClear(&damage);
  return reader.problem().ToStatus(path);
}

namespace {

Outcome DumpWal(const Arguments& arguments) {
  const std::string path = arguments.Text("walfile");
  if (path.empty()) {
    return Outcome::Fail("Argument --walfile must be specified.");
  }
  const Status status =
      DumpWalFile(path, arguments,
                  {arguments.Bool("header"), arguments.Bool("print_value")});
  if (engine::IsMissing(status)) {
    return Outcome::Fail("Failed to open WAL file " + status.ToString());
  }
  return status;
}

const char* const kDumpWalFlags[] = {"walfile", "header", "print_value",
                                     "write_committed", "json"};

}  // namespace

const Command kDumpWal = {"dump_wal",
                          "--walfile=<write_ahead_log_file_path> [--header] "
                          "[--print_value] [--json]",
                          kDumpWalFlags, false, DumpWal};

}  // namespace ROCKSDB_NAMESPACE::ldb

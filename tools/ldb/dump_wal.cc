#include <cinttypes>
#include <cstdio>
#include <memory>

#include "db/format/file_names.h"
#include "db/wal/log_reader.h"
#include "env/file_reader.h"
#include "rocksdb/write_batch.h"
#include "tools/ldb/command.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr size_t kBatchHeaderSize = 12;

// Appends one word per record of a batch to a line.
class Printer final : public WriteBatch::Handler {
 public:
  Printer(bool values, std::string* line) : values_(values), line_(line) {}

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
    *line_ += "DELETE_RANGE(" + std::to_string(family) + ") : " + ToHex(begin) +
              " " + ToHex(end) + " ";
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
  Status MarkCommitWithTimestamp(const Slice& name,
                                 const Slice& timestamp) override {
    *line_ += "COMMIT(" + ToHex(name) + ", " + ToHex(timestamp) + ") ";
    return Status::OK();
  }
  void LogData(const Slice& blob) override {
    *line_ += "LOG_DATA : " + ToHex(blob) + " ";
  }
  Status MarkBeginPrepare(bool unprepared) override {
    *line_ += unprepared ? "BEGIN_UNPREPARE " : "BEGIN_PREPARE ";
    return Status::OK();
  }
  Status MarkEndPrepare(const Slice& name) override {
    *line_ += "END_PREPARE(" + ToHex(name) + ") ";
    return Status::OK();
  }
  Status MarkRollback(const Slice& name) override {
    *line_ += "ROLLBACK(" + ToHex(name) + ") ";
    return Status::OK();
  }
  Status MarkCommit(const Slice& name) override {
    *line_ += "COMMIT(" + ToHex(name) + ") ";
    return Status::OK();
  }
  Status MarkNoop(bool /*empty_batch*/) override {
    *line_ += "NOOP ";
    return Status::OK();
  }

 private:
  Status Key(const char* what, uint32_t family, const Slice& key) {
    *line_ += std::string(what) + "(" + std::to_string(family) +
              ") : " + ToHex(key) + " ";
    return Status::OK();
  }
  Status Pair(const char* what, uint32_t family, const Slice& key,
              const Slice& value) {
    *line_ += std::string(what) + "(" + std::to_string(family) +
              ") : " + ToHex(key) + " ";
    if (values_) *line_ += ": " + ToHex(value) + " ";
    return Status::OK();
  }

  const bool values_;
  std::string* const line_;
};

Status PrintBatch(const Slice& record, uint64_t offset, bool values) {
  if (record.size() < kBatchHeaderSize) {
    return Status::Corruption("log record too small");
  }
  std::string line =
      std::to_string(engine::DecodeFixed64(record.data())) + "," +
      std::to_string(engine::DecodeFixed32(record.data() + 8)) + "," +
      std::to_string(record.size()) + "," + std::to_string(offset) + ",";
  Printer printer(values, &line);
  const WriteBatch batch(record.ToString());
  const Status status = batch.Iterate(&printer);
  std::printf("%s\n", line.c_str());
  return status;
}

Status DumpWal(const Arguments& arguments) {
  const std::string path = arguments.Text("walfile");
  if (path.empty()) {
    return Status::InvalidArgument("Argument --walfile must be specified.");
  }
  const std::string base = path.substr(path.find_last_of('/') + 1);
  engine::ParsedFileName name;
  if (!engine::ParseFileName(base, &name) || name.type != kWalFile) {
    return Status::InvalidArgument(path, "expected a name like 000012.log");
  }
  auto file = engine::SequentialFileReader::Open(
      FileSystem::Default().get(), path, FileOptions(), size_t{1} << 20);
  if (!file.ok()) return file.status();
  engine::wal::Reader reader(std::move(*file), name.number);
  const bool values = arguments.Bool("print_value");
  if (arguments.Bool("header")) {
    std::printf("Sequence,Count,ByteSize,Physical Offset,Key(s)%s\n",
                values ? " : value " : "");
  }
  Slice record;
  for (;;) {
    const engine::wal::ReadResult result = reader.ReadRecord(&record);
    if (result == engine::wal::ReadResult::kEnd) break;
    if (result != engine::wal::ReadResult::kRecord) {
      // Shown and passed over: what is behind it may still be of use.
      std::fprintf(stderr, "%s\n",
                   reader.problem().ToStatus(path).ToString().c_str());
      continue;
    }
    RETURN_IF_ERROR(PrintBatch(record, reader.last_record_offset(), values));
  }
  return reader.problem().ToStatus(path);
}

const char* const kFlags[] = {"walfile", "header", "print_value",
                              "write_committed"};

}  // namespace

const Command kDumpWal = {
    "dump_wal",
    "--walfile=<write_ahead_log_file_path> [--header] [--print_value]", kFlags,
    false, DumpWal};

}  // namespace ROCKSDB_NAMESPACE::ldb

// Traces in files: NewFileTraceWriter() and NewFileTraceReader().
//
// Model. Records follow each other without anything between them; their own
// lengths tell where each ends. Behind a record that could not be read it is
// not known where the next one begins, so a reader then keeps its error.
//
// Threads. One at a time.

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>
#include <utility>

#include "db/trace/trace_format.h"
#include "env/file_reader.h"
#include "env/file_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/trace_reader_writer.h"
#include "util/no_memory.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using engine::kTraceRecordHeaderSize;

class FileTraceWriter final : public TraceWriter {
 public:
  FileTraceWriter(std::shared_ptr<FileSystem> fs,
                  std::unique_ptr<engine::WritableFileWriter> file)
      : fs_(std::move(fs)), file_(std::move(file)) {}

  Status Write(const Slice& data) override {
    if (closed_) return Status::IOError("the trace file is closed");
    return file_->Append(data);
  }
  Status Close() override {
    closed_ = true;
    return file_->Close();
  }
  uint64_t GetFileSize() override { return file_->GetFileSize(); }

 private:
  const std::shared_ptr<FileSystem> fs_;  // The file is part of it.
  const std::unique_ptr<engine::WritableFileWriter> file_;
  bool closed_ = false;
};

class FileTraceReader final : public TraceReader {
 public:
  FileTraceReader(std::shared_ptr<FileSystem> fs, std::string name,
                  const FileOptions& options)
      : fs_(std::move(fs)), name_(std::move(name)), options_(options) {}

  // Opens the file, also again.
  Status Open() {
    constexpr size_t kReadaheadBytes = 64 << 10;
    auto file = engine::SequentialFileReader::Open(fs_.get(), name_, options_,
                                                   kReadaheadBytes);
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
    offset_ = 0;
    error_ = Status::OK();
    return Status::OK();
  }

  Status Read(std::string* data) override {
    if (file_ == nullptr) return Closed();
    if (!error_.ok()) return error_;
    bool at_end = false;
    Status status =
        engine::OrNoMemory([&] { return ReadRecord(data, &at_end); });
    if (status.ok() || at_end) return status;
    error_ = std::move(status);
    return error_;
  }
  Status Close() override {
    file_.reset();
    return Status::OK();
  }
  Status Reset() override { return file_ == nullptr ? Closed() : Open(); }

 private:
  // `*at_end`: the file has no more bytes, though it may grow.
  Status ReadRecord(std::string* data, bool* at_end) {
    char head[kTraceRecordHeaderSize];
    Slice got;
    RETURN_IF_ERROR(file_->Read(sizeof(head), &got, head));
    if (got.empty()) {
      *at_end = true;
      return Status::Incomplete(
          name_, "the trace ends at byte " + std::to_string(offset_));
    }
    if (got.size() < sizeof(head)) return CutShort(sizeof(head), got.size());
    if (!engine::IsTraceType(head[sizeof(uint64_t)])) return WrongType(head);
    data->assign(got.data(), got.size());
    RETURN_IF_ERROR(ReadPayload(engine::TracePayloadSize(head), data));
    offset_ += data->size();
    return Status::OK();
  }
  Status Closed() const {
    return Status::IOError(name_, "the trace reader is closed");
  }
  Status CutShort(uint64_t expected, uint64_t found) const {
    return Status::Corruption(
        name_ + ": expected a trace record of " + std::to_string(expected) +
            " bytes or more at byte " + std::to_string(offset_),
        "found " + std::to_string(found));
  }
  Status WrongType(const char* head) const {
    return Status::Corruption(
        name_ + ": expected the type of a trace record at byte " +
            std::to_string(offset_ + sizeof(uint64_t)),
        "found " + std::to_string(static_cast<int>(head[sizeof(uint64_t)])));
  }

  // Appends it to `*data`, which holds the head of the record.
  Status ReadPayload(uint32_t size, std::string* data) {
    assert(data->size() == kTraceRecordHeaderSize);
    // The length may be damaged: it must not ask for more than there is.
    const uint64_t end = offset_ + kTraceRecordHeaderSize + size;
    if (end > file_size_) {  // It may have grown.
      RETURN_IF_ERROR(
          fs_->GetFileSize(name_, options_.io_options, &file_size_, nullptr));
    }
    if (end > file_size_) {
      return CutShort(end - offset_,
                      file_size_ - std::min(offset_, file_size_));
    }
    data->resize(kTraceRecordHeaderSize + size);
    Slice got;
    RETURN_IF_ERROR(
        file_->Read(size, &got, data->data() + kTraceRecordHeaderSize));
    if (got.size() < size) {
      return CutShort(end - offset_, kTraceRecordHeaderSize + got.size());
    }
    return Status::OK();
  }

  const std::shared_ptr<FileSystem> fs_;
  const std::string name_;
  const FileOptions options_;
  std::unique_ptr<engine::SequentialFileReader> file_;  // Null: closed.
  uint64_t offset_ = 0;                                 // Of the next record.
  uint64_t file_size_ = 0;                              // As last asked for.
  Status error_;  // The first error since the file was opened.
};

}  // namespace

Status NewFileTraceWriter(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceWriter>* trace_writer) {
  trace_writer->reset();
  const std::shared_ptr<FileSystem>& fs = env->GetFileSystem();
  auto file = engine::WritableFileWriter::Create(fs.get(), trace_filename,
                                                 FileOptions(env_options));
  if (!file.ok()) return file.status();
  *trace_writer = std::make_unique<FileTraceWriter>(fs, std::move(*file));
  return Status::OK();
}

Status NewFileTraceReader(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceReader>* trace_reader) {
  trace_reader->reset();
  auto reader = std::make_unique<FileTraceReader>(
      env->GetFileSystem(), trace_filename, FileOptions(env_options));
  RETURN_IF_ERROR(reader->Open());
  *trace_reader = std::move(reader);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

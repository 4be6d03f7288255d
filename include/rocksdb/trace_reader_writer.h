// TraceWriter and TraceReader: where a trace goes to, and where it comes from.
//
// Model. A trace is a sequence of records: a header, one record per traced
// operation, and an end. Each Write() gets exactly one record, each Read()
// returns one. NewFileTraceWriter() and NewFileTraceReader() keep the records
// in a file; a program may derive from both classes to keep them elsewhere.
//
// Bytes. docs/formats.md says which records there are.
//
// Threads. One call at a time. The library serializes its calls to a writer,
// and holds a lock meanwhile: a writer must not call the database that it
// traces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;

  // Takes one record. After an error the library writes nothing more and ends
  // the trace; the operation that was traced is not affected.
  virtual Status Write(const Slice& data) = 0;
  // Called once, after the last record.
  virtual Status Close() = 0;
  // Bytes written so far. Compared with max_trace_file_size before each record.
  virtual uint64_t GetFileSize() = 0;
};

class TraceReader {
 public:
  virtual ~TraceReader() = default;

  // The next record. Incomplete: there is none. Corruption: the bytes are no
  // record. A reader of a file answers its first other error until Reset(),
  // because it does not know where the next record begins.
  virtual Status Read(std::string* data) = 0;
  virtual Status Close() = 0;
  // Back to the first record. IOError after Close().
  virtual Status Reset() = 0;
};

// Creates `trace_filename`, or empties it.
// Errors: those of the file system.
Status NewFileTraceWriter(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceWriter>* trace_writer);
// Reads a file that such a writer, or RocksDB's, has made. A file that ends in
// the middle of a record is Corruption with the offset of that record.
// Errors: those of the file system.
Status NewFileTraceReader(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceReader>* trace_reader);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API

// Checksums of whole files, as stored in the MANIFEST.
//
// Place. A factory in DBOptions::file_checksum_gen_factory makes a generator
// for every table file that is written; DB::VerifyFileChecksums() makes one
// again for every file that has a checksum, and compares.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// What stands for "none" in metadata of files.
constexpr char kUnknownFileChecksum[] = "";
constexpr char kUnknownFileChecksumFuncName[] = "Unknown";
// The name of the generators of GetFileChecksumGenCrc32cFactory().
constexpr char kStandardDbFileChecksumFuncName[] = "FileChecksumCrc32c";

struct FileChecksumGenContext {
  std::string file_name;  // with its directory
  // The function whose checksum is to be compared; empty: the factory's
  // choice.
  std::string requested_checksum_func_name;
};

// Takes the bytes of one file in order. Used by one thread at a time.
class FileChecksumGenerator {
 public:
  virtual ~FileChecksumGenerator() = default;

  virtual void Update(const char* data, size_t n) = 0;
  // Called once, after the last byte.
  virtual void Finalize() = 0;
  // The checksum, any bytes. Called after Finalize().
  virtual std::string GetChecksum() const = 0;
  // Of the function; stored next to the checksum.
  virtual const char* Name() const = 0;
};

// Called by several threads at once.
class FileChecksumGenFactory : public Customizable {
 public:
  ~FileChecksumGenFactory() override = default;

  static const char* Type() { return "FileChecksumGenFactory"; }
  // Knows "FileChecksumGenCrc32cFactory"; "" and "nullptr" give none.
  // Errors: NotSupported for any other name.
  static Status CreateFromString(
      const ConfigOptions& options, const std::string& value,
      std::shared_ptr<FileChecksumGenFactory>* result);

  // Null when the requested function is unknown: the file is then not checked.
  virtual std::unique_ptr<FileChecksumGenerator> CreateFileChecksumGenerator(
      const FileChecksumGenContext& context) = 0;

  const char* Name() const override = 0;
};

// Checksums by file number. Used by one thread at a time.
class FileChecksumList {
 public:
  virtual ~FileChecksumList() = default;

  virtual void reset() = 0;
  virtual size_t size() const = 0;
  // In ascending order of numbers; the lists are replaced.
  virtual Status GetAllFileChecksums(
      std::vector<uint64_t>* file_numbers, std::vector<std::string>* checksums,
      std::vector<std::string>* checksum_func_names) = 0;
  // Errors: NotFound.
  virtual Status SearchOneFileChecksum(uint64_t file_number,
                                       std::string* checksum,
                                       std::string* checksum_func_name) = 0;
  // Replaces what is there of the same number.
  virtual Status InsertOneFileChecksum(
      uint64_t file_number, const std::string& checksum,
      const std::string& checksum_func_name) = 0;
  // Errors: NotFound.
  virtual Status RemoveOneFileChecksum(uint64_t file_number) = 0;
};

// The caller deletes it.
FileChecksumList* NewFileChecksumList();

// CRC32C of the whole file as four bytes, most significant first. The same
// object at every call.
std::shared_ptr<FileChecksumGenFactory> GetFileChecksumGenCrc32cFactory();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API

#include "rocksdb/file_checksum.h"

#include <map>
#include <utility>

#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kCrc32cFactoryName[] = "FileChecksumGenCrc32cFactory";

class Crc32cGenerator final : public FileChecksumGenerator {
 public:
  void Update(const char* data, size_t n) override {
    crc_ = engine::crc32c::Extend(crc_, data, n);
  }
  void Finalize() override {
    for (int shift = 24; shift >= 0; shift -= 8) {
      checksum_ += static_cast<char>(crc_ >> shift);
    }
  }
  std::string GetChecksum() const override { return checksum_; }
  const char* Name() const override { return kStandardDbFileChecksumFuncName; }

 private:
  uint32_t crc_ = 0;
  std::string checksum_;
};

class Crc32cFactory final : public FileChecksumGenFactory {
 public:
  const char* Name() const override { return kCrc32cFactoryName; }
  std::unique_ptr<FileChecksumGenerator> CreateFileChecksumGenerator(
      const FileChecksumGenContext& context) override {
    const std::string& wanted = context.requested_checksum_func_name;
    if (!wanted.empty() && wanted != kStandardDbFileChecksumFuncName) {
      return nullptr;
    }
    return std::make_unique<Crc32cGenerator>();
  }
};

class ChecksumMap final : public FileChecksumList {
 public:
  void reset() override { by_number_.clear(); }
  size_t size() const override { return by_number_.size(); }

  Status GetAllFileChecksums(
      std::vector<uint64_t>* file_numbers, std::vector<std::string>* checksums,
      std::vector<std::string>* checksum_func_names) override {
    if (file_numbers == nullptr || checksums == nullptr ||
        checksum_func_names == nullptr) {
      return Status::InvalidArgument("Pointer has not been initiated");
    }
    file_numbers->clear();
    checksums->clear();
    checksum_func_names->clear();
    for (const auto& [number, entry] : by_number_) {
      file_numbers->push_back(number);
      checksums->push_back(entry.first);
      checksum_func_names->push_back(entry.second);
    }
    return Status::OK();
  }

  Status SearchOneFileChecksum(uint64_t file_number, std::string* checksum,
                               std::string* checksum_func_name) override {
    if (checksum == nullptr || checksum_func_name == nullptr) {
      return Status::InvalidArgument("Pointer has not been initiated");
    }
    const auto it = by_number_.find(file_number);
    if (it == by_number_.end()) return Status::NotFound();
    *checksum = it->second.first;
    *checksum_func_name = it->second.second;
    return Status::OK();
  }

  Status InsertOneFileChecksum(uint64_t file_number,
                               const std::string& checksum,
                               const std::string& checksum_func_name) override {
    by_number_[file_number] = {checksum, checksum_func_name};
    return Status::OK();
  }

  Status RemoveOneFileChecksum(uint64_t file_number) override {
    return by_number_.erase(file_number) > 0 ? Status::OK()
                                             : Status::NotFound();
  }

 private:
  // Checksum and the name of its function.
  std::map<uint64_t, std::pair<std::string, std::string>> by_number_;
};

}  // namespace

FileChecksumList* NewFileChecksumList() { return new ChecksumMap; }

std::shared_ptr<FileChecksumGenFactory> GetFileChecksumGenCrc32cFactory() {
  static const auto* const factory =
      new std::shared_ptr<FileChecksumGenFactory>(
          std::make_shared<Crc32cFactory>());
  return *factory;
}

Status FileChecksumGenFactory::CreateFromString(
    const ConfigOptions& /*options*/, const std::string& value,
    std::shared_ptr<FileChecksumGenFactory>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
  } else if (value == kCrc32cFactoryName ||
             value == kStandardDbFileChecksumFuncName) {
    *result = GetFileChecksumGenCrc32cFactory();
  } else {
    return Status::NotSupported("Unknown file checksum factory", value);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

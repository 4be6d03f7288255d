// What tests of IngestExternalFile share.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {

class IngestTest : public FilesTest {
 protected:
  Status Ingest(const std::vector<std::string>& files,
                const IngestExternalFileOptions& options = {}) {
    return db_->IngestExternalFile(files, options);
  }
  // REQUIRES: it succeeds.
  void MustIngest(const std::vector<std::string>& files,
                  const IngestExternalFileOptions& options = {}) {
    const Status status = Ingest(files, options);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void ExpectNothingLeftBehind() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    EXPECT_EQ(Files(".sst").size(), files.size());
  }
};

// The order of bytes, or its reverse, without timestamps, under the name of
// another comparator.
class NamedAs final : public Comparator {
 public:
  NamedAs(const Comparator* name, bool ascending)
      : name_(name), ascending_(ascending) {}
  const char* Name() const override { return name_->Name(); }
  int Compare(const Slice& a, const Slice& b) const override {
    return ascending_ ? a.compare(b) : b.compare(a);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  const Comparator* const name_;
  const bool ascending_;
};

}  // namespace ROCKSDB_NAMESPACE::test

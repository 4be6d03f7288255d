// raw: everything in one file, as text, into <file>_dump.txt.

#include <cstdio>

#include "rocksdb/table_properties.h"
#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

namespace {

// Bytes as text: printable ones as they are, each followed by a space.
std::string Ascii(const Slice& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    text += c >= ' ' && c <= '~' ? c : '.';
    text += ' ';
  }
  return text;
}

std::string DumpName(const std::string& path) {
  const size_t dot = path.rfind(".sst");
  return path.substr(0, dot == std::string::npos ? path.size() : dot) +
         "_dump.txt";
}

Status DumpEntries(const TableReader& table, FILE* out) {
  std::fprintf(out,
               "Data Block Entries\n"
               "--------------------------------------\n");
  const std::unique_ptr<InternalIterator> it(
      table.NewIterator(ReadOptions(), TableReadPurpose::kVerify));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(it->key(), &key)) {
      return Status::Corruption("internal key too short");
    }
    std::fprintf(out, "  HEX    %s: %s\n", key.user_key.ToString(true).c_str(),
                 it->value().ToString(true).c_str());
    std::fprintf(out, "  SEQ    %llu TYPE %u\n",
                 static_cast<unsigned long long>(key.sequence),
                 static_cast<unsigned>(key.type));
    std::fprintf(out, "  ASCII  %s: %s\n  ------\n",
                 Ascii(key.user_key).c_str(), Ascii(it->value()).c_str());
  }
  return it->status();
}

Status DumpRangeDeletions(const TableReader& table, FILE* out) {
  std::vector<std::pair<std::string, std::string>> tombstones;
  RETURN_IF_ERROR(table.ReadRangeDeletions(&tombstones));
  if (tombstones.empty()) return Status::OK();
  std::fprintf(out,
               "Range deletions:\n"
               "--------------------------------------\n");
  for (const auto& [begin, end] : tombstones) {
    std::fprintf(out, "  HEX    %s: %s\n",
                 ExtractUserKey(begin).ToString(true).c_str(),
                 Slice(end).ToString(true).c_str());
  }
  return Status::OK();
}

}  // namespace

Status RunRaw(const TableFile& file) {
  const std::string name = DumpName(file.path);
  FILE* const out = std::fopen(name.c_str(), "w");
  if (out == nullptr) return Status::IOError("cannot create " + name);
  std::string text = file.table->DescribeLayout() + "\n";
  PrintProperties(*file.table->properties(), &text);
  std::fprintf(out, "%s\n", text.c_str());
  Status status = DumpRangeDeletions(*file.table, out);
  if (status.ok()) status = DumpEntries(*file.table, out);
  if (std::fclose(out) != 0 && status.ok()) {
    status = Status::IOError("cannot write " + name);
  }
  if (status.ok()) {
    std::printf("raw dump written to file %s\n", name.c_str());
  }
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump

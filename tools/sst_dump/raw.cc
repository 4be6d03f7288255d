// raw: everything in one file, as text, into <file>_dump.txt.

#include <algorithm>
#include <cstdio>
#include <utility>

#include "rocksdb/table_properties.h"
#include "tools/sst_dump/sst_dump.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

namespace {

constexpr char kRule[] = "--------------------------------------\n";
// Of the footer; the older one of version 0 is shown as this one.
constexpr uint64_t kTableMagic = 0x88e241b785f4cff7;

std::string Hex(const Slice& bytes) { return bytes.ToString(/*hex=*/true); }

std::string HandleHex(const BlockHandle& handle) {
  std::string bytes;
  PutBlockHandle(&bytes, handle);
  return Hex(bytes);
}

// The handle and, of an index of first keys, the key with its length.
std::string IndexValueHex(const TableReader::BlockEntry& block) {
  std::string bytes;
  PutBlockHandle(&bytes, block.handle);
  if (!block.first_key.empty()) {
    PutLengthPrefixedSlice(&bytes, block.first_key);
  }
  return Hex(bytes);
}

// Each byte and a space.
std::string Spaced(const Slice& bytes, bool show_zeros) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\0' && show_zeros) {
      text += "\\0";
    } else {
      text += bytes[i];
    }
    text += ' ';
  }
  return text;
}

std::string DumpName(const std::string& path) {
  const size_t dot = path.rfind(".sst");
  return path.substr(0, dot == std::string::npos ? path.size() : dot) +
         "_dump.txt";
}

// The file that is written; remembers what goes wrong.
class Output {
 public:
  explicit Output(const std::string& name)
      : file_(std::fopen(name.c_str(), "w")) {}
  ~Output() {
    if (file_ != nullptr) std::fclose(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool open() const { return file_ != nullptr; }
  void Write(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file_);
  }
  void Heading(const std::string& text) { Write(text + "\n" + kRule); }
  void Pair(const Slice& key, const Slice& value) {
    Write("  HEX    " + Hex(key) + ": " + Hex(value) + "\n  ASCII  " +
          Spaced(key, true) + ": " + Spaced(value, true) + "\n  ------\n");
  }
  bool Close() {
    const bool good = std::ferror(file_) == 0;
    return (std::fclose(std::exchange(file_, nullptr)) == 0) && good;
  }

 private:
  FILE* file_;
};

// RocksDB's names of the blocks that it tells of.
std::string MetaBlockLine(const std::string& name, const BlockHandle& handle) {
  const std::string where = HandleHex(handle) + "\n";
  if (name == "rocksdb.properties") {
    return "  Properties block handle: " + where;
  }
  if (name == "rocksdb.compression_dict") {
    return "  Compression dictionary block handle: " + where;
  }
  if (name == "rocksdb.range_del") {
    return "  Range deletion block handle: " + where;
  }
  if (name.find("filter.rocksdb.") != std::string::npos) {
    return "  Filter block handle: " + where;
  }
  return "  " + name + ": " + where;
}

void WriteHead(const TableReader::Parts& parts,
               const TableProperties& properties, Output* out) {
  out->Heading("Footer Details:");
  out->Write("  metaindex handle: " + HandleHex(parts.metaindex) +
             "\n  index handle: " + HandleHex(parts.index) +
             "\n  table_magic_number: " + std::to_string(kTableMagic) +
             "\n  format version: " + std::to_string(parts.format_version) +
             "\n  \n");
  out->Heading("Metaindex Details:");
  for (const auto& [name, handle] : parts.meta_blocks) {
    out->Write(MetaBlockLine(name, handle));
  }
  out->Write("\n");
  out->Heading("Table Properties:");
  out->Write("  " + properties.ToString("\n  ", ": ") + "\n");
}

void WriteDictionary(const std::string& dictionary, Output* out) {
  if (dictionary.empty()) return;
  out->Heading("Compression Dictionary:");
  out->Write("  size (bytes): " + std::to_string(dictionary.size()) +
             "\n\n  HEX    " + Hex(dictionary) + "\n\n");
}

Status WriteIndex(const TableReader& table, Output* out) {
  out->Heading("Index Details:");
  out->Write("  Block key hex dump: Data block handle\n  Block key ascii\n\n");
  RETURN_IF_ERROR(table.VisitDataBlocks(
      [out](const TableReader::BlockEntry& block) {
        out->Write("  HEX    " + Hex(block.separator) + ": " +
                   IndexValueHex(block) + "\n  ASCII  " +
                   Spaced(block.separator, false) + "\n  ------\n");
      },
      nullptr));
  out->Write("\n");
  return Status::OK();
}

Status WriteRangeDeletions(const TableReader& table, Output* out) {
  std::vector<std::pair<std::string, std::string>> tombstones;
  RETURN_IF_ERROR(table.ReadRangeDeletions(&tombstones));
  if (tombstones.empty()) return Status::OK();
  out->Heading("Range deletions:");
  for (const auto& [begin, end] : tombstones) {
    out->Pair(ExtractUserKey(begin), end);
  }
  out->Write("\n");
  return Status::OK();
}

Status WriteData(const TableReader& table, Output* out) {
  uint64_t blocks = 0;
  uint64_t bytes = 0;
  uint64_t smallest = UINT64_MAX;
  uint64_t largest = 0;
  RETURN_IF_ERROR(table.VisitDataBlocks(
      [&](const TableReader::BlockEntry& block) {
        if (blocks++ > 0) out->Write("\n");
        bytes += block.handle.size;
        smallest = std::min(smallest, block.handle.size);
        largest = std::max(largest, block.handle.size);
        out->Heading("Data Block # " + std::to_string(blocks) + " @ " +
                     HandleHex(block.handle));
      },
      [out](const Slice& key, const Slice& value) {
        out->Pair(ExtractUserKey(key), value);
      }));
  if (blocks == 0) return Status::OK();
  out->Write("\n");
  out->Heading("Data Block Summary:");
  char average[64];
  std::snprintf(average, sizeof(average), "%f",
                static_cast<double>(bytes) / static_cast<double>(blocks));
  out->Write("  # data blocks: " + std::to_string(blocks) +
             "\n  min data block size: " + std::to_string(smallest) +
             "\n  max data block size: " + std::to_string(largest) +
             "\n  avg data block size: " + average + "\n");
  return Status::OK();
}

}  // namespace

Status RunRaw(const TableFile& file) {
  const std::string name = DumpName(file.path);
  Output out(name);
  if (!out.open()) return Status::IOError("cannot create " + name);
  const TableReader::Parts parts = file.table->parts();
  WriteHead(parts, *file.table->properties(), &out);
  RETURN_IF_ERROR(WriteIndex(*file.table, &out));
  WriteDictionary(parts.dictionary, &out);
  RETURN_IF_ERROR(WriteRangeDeletions(*file.table, &out));
  RETURN_IF_ERROR(WriteData(*file.table, &out));
  if (!out.Close()) return Status::IOError("cannot write " + name);
  std::printf("raw dump written to file %s\n", name.c_str());
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump

// recompress: how large a table would be with other compression.

#include <algorithm>
#include <cstdio>

#include "env/file_writer.h"
#include "rocksdb/file_system.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "table/table_builder.h"
#include "tools/sst_dump/sst_dump.h"
#include "util/compression/compression.h"
#include "util/json_writer.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

namespace {

// Keeps nothing: only the size is asked for.
class NoFile final : public FSWritableFile {
 public:
  using FSWritableFile::Append;
  IOStatus Append(const Slice& /*data*/, const IOOptions& /*options*/,
                  IODebugContext* /*debug*/) override {
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions& /*options*/,
                 IODebugContext* /*debug*/) override {
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions& /*options*/,
                 IODebugContext* /*debug*/) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions& /*options*/,
                IODebugContext* /*debug*/) override {
    return IOStatus::OK();
  }
};

struct Outcome {
  uint64_t bytes = 0;
  uint64_t blocks = 0;
  uint64_t micros = 0;
  uint64_t compressed = 0;
};

Status Build(const TableFile& file, const TableBuildOptions& options,
             Outcome* outcome) {
  SystemClock* const clock = SystemClock::Default().get();
  const uint64_t begin_micros = clock->NowMicros();
  WritableFileWriter writer(std::make_unique<NoFile>(), file.path,
                            FileOptions());
  TableBuilder builder(options, &writer);
  const std::unique_ptr<InternalIterator> it(
      file.table->NewIterator(ReadOptions(), TableReadPurpose::kVerify));
  for (it->SeekToFirst(); it->Valid() && builder.status().ok(); it->Next()) {
    builder.Add(it->key(), it->value());
  }
  if (!it->status().ok()) {
    builder.Abandon();
    return it->status();
  }
  RETURN_IF_ERROR(builder.Finish());
  outcome->bytes = builder.FileSize();
  outcome->blocks = builder.properties().num_data_blocks;
  outcome->compressed =
      options.statistics->getTickerCount(NUMBER_BLOCK_COMPRESSED);
  outcome->micros = clock->NowMicros() - begin_micros;
  return writer.Close();
}

void Print(const CompressionChoice& choice, int level, const Outcome& outcome,
           bool as_json) {
  // Index and other blocks are compressed, too.
  const uint64_t blocks = std::max(outcome.blocks, outcome.compressed);
  const uint64_t left = blocks - outcome.compressed;
  if (as_json) {
    JsonWriter object;
    object.Add("compression", choice.name)
        .Add("level", level)
        .Add("bytes", outcome.bytes)
        .Add("blocks", outcome.blocks)
        .Add("micros", outcome.micros)
        .Add("compressed_blocks", outcome.compressed);
    std::printf("%s\n", std::move(object).Finish().c_str());
    return;
  }
  const auto percent = [blocks](uint64_t n) {
    return blocks == 0
               ? 0.0
               : 100.0 * static_cast<double>(n) / static_cast<double>(blocks);
  };
  const auto number = [](uint64_t n) {
    return static_cast<unsigned long long>(n);
  };
  std::printf(
      "Compression level: %d Size: %10llu Blocks: %6llu Time Taken: %10llu "
      "microsecs Compressed: %6llu (%5.1f%%) Not compressed (ratio): %6llu "
      "(%5.1f%%) Not compressed (abort): %6llu (%5.1f%%)\n",
      level, number(outcome.bytes), number(outcome.blocks),
      number(outcome.micros), number(outcome.compressed),
      percent(outcome.compressed), number(left), percent(left), 0ull, 0.0);
}

}  // namespace

const std::vector<CompressionChoice>& CompressionChoices() {
  static const std::vector<CompressionChoice> choices = {
      {"kNoCompression", kNoCompression},
      {"kSnappyCompression", kSnappyCompression},
      {"kZlibCompression", kZlibCompression},
      {"kBZip2Compression", kBZip2Compression},
      {"kLZ4Compression", kLZ4Compression},
      {"kLZ4HCCompression", kLZ4HCCompression},
      {"kXpressCompression", kXpressCompression},
      {"kZSTD", kZSTD},
  };
  return choices;
}

Status RunRecompress(const TableFile& file, const Flags& flags) {
  if (!flags.json) {
    std::printf("Block Size: %llu\n",
                static_cast<unsigned long long>(flags.block_size));
  }
  for (const CompressionChoice& choice : flags.compression_types) {
    if (!CompressionTypeSupported(choice.type)) {
      if (!flags.json) {
        std::printf("Unsupported compression type: %s.\n", choice.name.c_str());
      }
      continue;
    }
    if (!flags.json) std::printf("Compression: %-24s\n", choice.name.c_str());
    for (int level = flags.level_from; level <= flags.level_to; ++level) {
      TableBuildOptions options;
      options.icmp = file.icmp.get();
      options.table.block_size = flags.block_size;
      options.compression = choice.type;
      options.compression_opts = flags.compression_opts;
      options.compression_opts.level = level;
      const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
      options.statistics = statistics.get();
      Outcome outcome;
      RETURN_IF_ERROR(Build(file, options, &outcome));
      Print(choice, level, outcome, flags.json);
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump

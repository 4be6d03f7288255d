#include "util/options_text/enum_names.h"

namespace ROCKSDB_NAMESPACE::engine {

std::span<const EnumName<CompressionType>> EnumNames<CompressionType>::Get() {
  using T = CompressionType;
  static constexpr EnumName<T> kNames[] = {
      {"kNoCompression", kNoCompression},
      {"kSnappyCompression", kSnappyCompression},
      {"kZlibCompression", kZlibCompression},
      {"kBZip2Compression", kBZip2Compression},
      {"kLZ4Compression", kLZ4Compression},
      {"kLZ4HCCompression", kLZ4HCCompression},
      {"kXpressCompression", kXpressCompression},
      {"kZSTD", kZSTD},
      {"kZSTDNotFinalCompression", kZSTDNotFinalCompression},
      {"kDisableCompressionOption", kDisableCompressionOption},
  };
  return kNames;
}

std::span<const EnumName<CompactionStyle>> EnumNames<CompactionStyle>::Get() {
  using T = CompactionStyle;
  static constexpr EnumName<T> kNames[] = {
      {"kCompactionStyleLevel", kCompactionStyleLevel},
      {"kCompactionStyleUniversal", kCompactionStyleUniversal},
      {"kCompactionStyleFIFO", kCompactionStyleFIFO},
      {"kCompactionStyleNone", kCompactionStyleNone},
  };
  return kNames;
}

std::span<const EnumName<CompactionPri>> EnumNames<CompactionPri>::Get() {
  using T = CompactionPri;
  static constexpr EnumName<T> kNames[] = {
      {"kByCompensatedSize", kByCompensatedSize},
      {"kOldestLargestSeqFirst", kOldestLargestSeqFirst},
      {"kOldestSmallestSeqFirst", kOldestSmallestSeqFirst},
      {"kMinOverlappingRatio", kMinOverlappingRatio},
      {"kRoundRobin", kRoundRobin},
  };
  return kNames;
}

std::span<const EnumName<CompactionStopStyle>>
EnumNames<CompactionStopStyle>::Get() {
  using T = CompactionStopStyle;
  static constexpr EnumName<T> kNames[] = {
      {"kCompactionStopStyleSimilarSize", kCompactionStopStyleSimilarSize},
      {"kCompactionStopStyleTotalSize", kCompactionStopStyleTotalSize},
  };
  return kNames;
}

std::span<const EnumName<CompactionTuning>> EnumNames<CompactionTuning>::Get() {
  using T = CompactionTuning;
  static constexpr EnumName<T> kNames[] = {
      {"kDrainSwitch", T::kDrainSwitch}, {"kAdaptive", T::kAdaptive},
      {"kAdvise", T::kAdvise},           {"drain_switch", T::kDrainSwitch},
      {"adaptive", T::kAdaptive},        {"advise", T::kAdvise},
  };
  return kNames;
}

std::span<const EnumName<Temperature>> EnumNames<Temperature>::Get() {
  using T = Temperature;
  static constexpr EnumName<T> kNames[] = {
      {"kUnknown", T::kUnknown}, {"kHot", T::kHot},   {"kWarm", T::kWarm},
      {"kCool", T::kCool},       {"kCold", T::kCold}, {"kIce", T::kIce},
  };
  return kNames;
}

std::span<const EnumName<CacheTier>> EnumNames<CacheTier>::Get() {
  using T = CacheTier;
  static constexpr EnumName<T> kNames[] = {
      {"kVolatileTier", T::kVolatileTier},
      {"kVolatileCompressedTier", T::kVolatileCompressedTier},
      {"kNonVolatileBlockTier", T::kNonVolatileBlockTier},
  };
  return kNames;
}

std::span<const EnumName<PrepopulateBlobCache>>
EnumNames<PrepopulateBlobCache>::Get() {
  using T = PrepopulateBlobCache;
  static constexpr EnumName<T> kNames[] = {
      {"kDisable", T::kDisable},
      {"kFlushOnly", T::kFlushOnly},
  };
  return kNames;
}

std::span<const EnumName<InfoLogLevel>> EnumNames<InfoLogLevel>::Get() {
  using T = InfoLogLevel;
  static constexpr EnumName<T> kNames[] = {
      {"DEBUG_LEVEL", DEBUG_LEVEL}, {"INFO_LEVEL", INFO_LEVEL},
      {"WARN_LEVEL", WARN_LEVEL},   {"ERROR_LEVEL", ERROR_LEVEL},
      {"FATAL_LEVEL", FATAL_LEVEL}, {"HEADER_LEVEL", HEADER_LEVEL},
  };
  return kNames;
}

std::span<const EnumName<WALRecoveryMode>> EnumNames<WALRecoveryMode>::Get() {
  using T = WALRecoveryMode;
  static constexpr EnumName<T> kNames[] = {
      {"kTolerateCorruptedTailRecords", T::kTolerateCorruptedTailRecords},
      {"kAbsoluteConsistency", T::kAbsoluteConsistency},
      {"kPointInTimeRecovery", T::kPointInTimeRecovery},
      {"kSkipAnyCorruptedRecords", T::kSkipAnyCorruptedRecords},
  };
  return kNames;
}

std::span<const EnumName<DBOptions::AccessHint>>
EnumNames<DBOptions::AccessHint>::Get() {
  using T = DBOptions::AccessHint;
  static constexpr EnumName<T> kNames[] = {
      {"NONE", DBOptions::NONE},
      {"NORMAL", DBOptions::NORMAL},
      {"SEQUENTIAL", DBOptions::SEQUENTIAL},
      {"WILLNEED", DBOptions::WILLNEED},
  };
  return kNames;
}

std::span<const EnumName<ChecksumType>> EnumNames<ChecksumType>::Get() {
  using T = ChecksumType;
  static constexpr EnumName<T> kNames[] = {
      {"kNoChecksum", kNoChecksum}, {"kCRC32c", kCRC32c}, {"kxxHash", kxxHash},
      {"kxxHash64", kxxHash64},     {"kXXH3", kXXH3},
  };
  return kNames;
}

std::span<const EnumName<PinningTier>> EnumNames<PinningTier>::Get() {
  using T = PinningTier;
  static constexpr EnumName<T> kNames[] = {
      {"kFallback", T::kFallback},
      {"kNone", T::kNone},
      {"kFlushedAndSimilar", T::kFlushedAndSimilar},
      {"kAll", T::kAll},
  };
  return kNames;
}

std::span<const EnumName<BlockBasedTableOptions::IndexType>>
EnumNames<BlockBasedTableOptions::IndexType>::Get() {
  using T = BlockBasedTableOptions::IndexType;
  static constexpr EnumName<T> kNames[] = {
      {"kBinarySearch", BlockBasedTableOptions::kBinarySearch},
      {"kHashSearch", BlockBasedTableOptions::kHashSearch},
      {"kTwoLevelIndexSearch", BlockBasedTableOptions::kTwoLevelIndexSearch},
      {"kBinarySearchWithFirstKey",
       BlockBasedTableOptions::kBinarySearchWithFirstKey},
  };
  return kNames;
}

std::span<const EnumName<BlockBasedTableOptions::BlockSearchType>>
EnumNames<BlockBasedTableOptions::BlockSearchType>::Get() {
  using T = BlockBasedTableOptions::BlockSearchType;
  static constexpr EnumName<T> kNames[] = {
      {"kBinary", BlockBasedTableOptions::kBinary},
      {"kInterpolation", BlockBasedTableOptions::kInterpolation},
      {"kAuto", BlockBasedTableOptions::kAuto},
  };
  return kNames;
}

std::span<const EnumName<BlockBasedTableOptions::DataBlockIndexType>>
EnumNames<BlockBasedTableOptions::DataBlockIndexType>::Get() {
  using T = BlockBasedTableOptions::DataBlockIndexType;
  static constexpr EnumName<T> kNames[] = {
      {"kDataBlockBinarySearch",
       BlockBasedTableOptions::kDataBlockBinarySearch},
      {"kDataBlockBinaryAndHash",
       BlockBasedTableOptions::kDataBlockBinaryAndHash},
  };
  return kNames;
}

std::span<const EnumName<BlockBasedTableOptions::IndexShorteningMode>>
EnumNames<BlockBasedTableOptions::IndexShorteningMode>::Get() {
  using T = BlockBasedTableOptions::IndexShorteningMode;
  static constexpr EnumName<T> kNames[] = {
      {"kNoShortening", T::kNoShortening},
      {"kShortenSeparators", T::kShortenSeparators},
      {"kShortenSeparatorsAndSuccessor", T::kShortenSeparatorsAndSuccessor},
  };
  return kNames;
}

std::span<const EnumName<BlockBasedTableOptions::PrepopulateBlockCache>>
EnumNames<BlockBasedTableOptions::PrepopulateBlockCache>::Get() {
  using T = BlockBasedTableOptions::PrepopulateBlockCache;
  static constexpr EnumName<T> kNames[] = {
      {"kDisable", T::kDisable},
      {"kFlushOnly", T::kFlushOnly},
      {"kFlushAndCompaction", T::kFlushAndCompaction},
  };
  return kNames;
}

std::span<const EnumName<EncodingType>> EnumNames<EncodingType>::Get() {
  using T = EncodingType;
  static constexpr EnumName<T> kNames[] = {
      {"kPlain", kPlain},
      {"kPrefix", kPrefix},
  };
  return kNames;
}

std::string_view EnumNames<CompressionType>::LogName(CompressionType value) {
  switch (value) {
    case kNoCompression:
      return "NoCompression";
    case kSnappyCompression:
      return "Snappy";
    case kZlibCompression:
      return "Zlib";
    case kBZip2Compression:
      return "BZip2";
    case kLZ4Compression:
      return "LZ4";
    case kLZ4HCCompression:
      return "LZ4HC";
    case kXpressCompression:
      return "Xpress";
    case kZSTD:
      return "ZSTD";
    case kZSTDNotFinalCompression:
      return "ZSTDNotFinal";
    case kDisableCompressionOption:
      return "Disabled";
    default:
      return "Custom";
  }
}

std::string_view EnumNames<WALRecoveryMode>::LogName(WALRecoveryMode value) {
  static constexpr std::string_view kNumbers[] = {"0", "1", "2", "3"};
  return kNumbers[static_cast<size_t>(value) & 3u];
}

}  // namespace ROCKSDB_NAMESPACE::engine

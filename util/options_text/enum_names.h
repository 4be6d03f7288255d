// The text of every enumerator that options use. Names are RocksDB's: they
// are in OPTIONS files and in programs' configuration.
//
// Several names for one value: the first one is written, all are read.

#pragma once

#include <span>
#include <string_view>

#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE::engine {

template <typename T>
struct EnumName {
  std::string_view name;
  T value;
};

template <typename T>
struct EnumNames;

template <typename T>
concept NamedEnum = requires { EnumNames<T>::Get(); };

template <>
struct EnumNames<CompressionType> {
  static std::span<const EnumName<CompressionType>> Get();
  // "LZ4", "NoCompression", ...: what the LOG shows.
  static std::string_view LogName(CompressionType value);
};

template <>
struct EnumNames<CompactionStyle> {
  static std::span<const EnumName<CompactionStyle>> Get();
};

template <>
struct EnumNames<CompactionPri> {
  static std::span<const EnumName<CompactionPri>> Get();
};

template <>
struct EnumNames<CompactionStopStyle> {
  static std::span<const EnumName<CompactionStopStyle>> Get();
};

template <>
struct EnumNames<CompactionTuning> {
  static std::span<const EnumName<CompactionTuning>> Get();
};

template <>
struct EnumNames<Temperature> {
  static std::span<const EnumName<Temperature>> Get();
};

template <>
struct EnumNames<CacheTier> {
  static std::span<const EnumName<CacheTier>> Get();
};

template <>
struct EnumNames<PrepopulateBlobCache> {
  static std::span<const EnumName<PrepopulateBlobCache>> Get();
};

template <>
struct EnumNames<InfoLogLevel> {
  static std::span<const EnumName<InfoLogLevel>> Get();
};

template <>
struct EnumNames<WALRecoveryMode> {
  static std::span<const EnumName<WALRecoveryMode>> Get();
  // "2": the LOG shows a number here.
  static std::string_view LogName(WALRecoveryMode value);
};

template <>
struct EnumNames<DBOptions::AccessHint> {
  static std::span<const EnumName<DBOptions::AccessHint>> Get();
};

template <>
struct EnumNames<ChecksumType> {
  static std::span<const EnumName<ChecksumType>> Get();
};

template <>
struct EnumNames<PinningTier> {
  static std::span<const EnumName<PinningTier>> Get();
};

template <>
struct EnumNames<BlockBasedTableOptions::IndexType> {
  static std::span<const EnumName<BlockBasedTableOptions::IndexType>> Get();
};

template <>
struct EnumNames<BlockBasedTableOptions::BlockSearchType> {
  static std::span<const EnumName<BlockBasedTableOptions::BlockSearchType>>
  Get();
};

template <>
struct EnumNames<BlockBasedTableOptions::DataBlockIndexType> {
  static std::span<const EnumName<BlockBasedTableOptions::DataBlockIndexType>>
  Get();
};

template <>
struct EnumNames<BlockBasedTableOptions::IndexShorteningMode> {
  static std::span<const EnumName<BlockBasedTableOptions::IndexShorteningMode>>
  Get();
};

template <>
struct EnumNames<BlockBasedTableOptions::PrepopulateBlockCache> {
  static std::span<
      const EnumName<BlockBasedTableOptions::PrepopulateBlockCache>>
  Get();
};

template <>
struct EnumNames<EncodingType> {
  static std::span<const EnumName<EncodingType>> Get();
};

}  // namespace ROCKSDB_NAMESPACE::engine

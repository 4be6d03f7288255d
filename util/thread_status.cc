#include "rocksdb/thread_status.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace ROCKSDB_NAMESPACE {

namespace {

// The text at `index`, or "" outside the table.
template <size_t kSize>
const std::string& At(const std::array<std::string, kSize>& table, int index) {
  static const std::string kNone;
  const auto i = static_cast<size_t>(index);
  return i < kSize ? table[i] : kNone;
}

const std::array<std::string, ThreadStatus::NUM_COMPACTION_PROPERTIES>&
CompactionProperties() {
  static const std::array<std::string, ThreadStatus::NUM_COMPACTION_PROPERTIES>
      kNames = {
          "JobID",           "InputOutputLevel", "Manual/Deletion/Trivial",
          "TotalInputBytes", "BytesRead",        "BytesWritten"};
  return kNames;
}

const std::array<std::string, ThreadStatus::NUM_FLUSH_PROPERTIES>&
FlushProperties() {
  static const std::array<std::string, ThreadStatus::NUM_FLUSH_PROPERTIES>
      kNames = {"JobID", "BytesMemtables", "BytesWritten"};
  return kNames;
}

}  // namespace

std::string ThreadStatus::GetThreadTypeName(ThreadType thread_type) {
  static const std::array<std::string, NUM_THREAD_TYPES> kNames = {
      "High Pri", "Low Pri", "User", "Bottom Pri"};
  const std::string& name = At(kNames, thread_type);
  return name.empty() ? "Unknown" : name;
}

const std::string& ThreadStatus::GetOperationName(OperationType op_type) {
  static const std::array<std::string, NUM_OP_TYPES> kNames = {
      "",
      "Compaction",
      "Flush",
      "DBOpen",
      "Get",
      "MultiGet",
      "DBIterator",
      "VerifyDBChecksum",
      "VerifyFileChecksums",
      "GetEntity",
      "MultiGetEntity",
      "ReadManifest",
  };
  return At(kNames, op_type);
}

const std::string& ThreadStatus::GetOperationStageName(OperationStage stage) {
  static const std::array<std::string, NUM_OP_STAGES> kNames = {
      "",
      "FlushJob::Run",
      "FlushJob::WriteLevel0Table",
      "CompactionJob::Prepare",
      "CompactionJob::Run",
      "CompactionJob::ProcessKeyValueCompaction",
      "CompactionJob::Install",
      "CompactionJob::FinishCompactionOutputFile",
      "MemTableList::PickMemtablesToFlush",
      "MemTableList::RollbackMemtableFlush",
      "MemTableList::TryInstallMemtableFlushResults",
  };
  return At(kNames, stage);
}

const std::string& ThreadStatus::GetOperationPropertyName(OperationType op_type,
                                                          int i) {
  static const std::string kNone;
  if (op_type == OP_COMPACTION) return At(CompactionProperties(), i);
  if (op_type == OP_FLUSH) return At(FlushProperties(), i);
  return kNone;
}

const std::string& ThreadStatus::GetStateName(StateType state_type) {
  static const std::array<std::string, NUM_STATE_TYPES> kNames = {"",
                                                                  "Mutex Wait"};
  return At(kNames, state_type);
}

const std::string ThreadStatus::MicrosToString(uint64_t op_elapsed_time) {
  if (op_elapsed_time == 0) return "";
  char text[64];
  if (op_elapsed_time < 1'000'000) {
    std::snprintf(text, sizeof(text), "%" PRIu64 " us", op_elapsed_time);
  } else {
    const uint64_t millis = op_elapsed_time / 1000;
    std::snprintf(text, sizeof(text), "%02" PRIu64 ":%02" PRIu64 ".%03" PRIu64,
                  millis / 60'000, millis / 1000 % 60, millis % 1000);
  }
  return text;
}

std::map<std::string, uint64_t> ThreadStatus::InterpretOperationProperties(
    OperationType op_type, const uint64_t* op_properties) {
  std::map<std::string, uint64_t> result;
  const int count = op_type == OP_COMPACTION ? NUM_COMPACTION_PROPERTIES
                    : op_type == OP_FLUSH    ? NUM_FLUSH_PROPERTIES
                                             : 0;
  for (int i = 0; i < count; ++i) {
    result[GetOperationPropertyName(op_type, i)] = op_properties[i];
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE

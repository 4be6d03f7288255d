#include "rocksdb/thread_status.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace ROCKSDB_NAMESPACE {

namespace {

// The text at `index`, or "" outside the table.
template <size_t kSize>
const std::string& At(const std::array<std::string, kSize>& table, int index) {
  static const std::string none;
  const auto i = static_cast<size_t>(index);
  return i < kSize ? table[i] : none;
}

const std::array<std::string, ThreadStatus::NUM_COMPACTION_PROPERTIES>&
CompactionProperties() {
  static const std::array<std::string, ThreadStatus::NUM_COMPACTION_PROPERTIES>
      names = {"JobID",           "InputOutputLevel", "Manual/Deletion/Trivial",
               "TotalInputBytes", "BytesRead",        "BytesWritten"};
  return names;
}

const std::array<std::string, ThreadStatus::NUM_FLUSH_PROPERTIES>&
FlushProperties() {
  static const std::array<std::string, ThreadStatus::NUM_FLUSH_PROPERTIES>
      names = {"JobID", "BytesMemtables", "BytesWritten"};
  return names;
}

}  // namespace

std::string ThreadStatus::GetThreadTypeName(ThreadType thread_type) {
  static const std::array<std::string, NUM_THREAD_TYPES> names = {
      "High Pri", "Low Pri", "User", "Bottom Pri"};
  const std::string& name = At(names, thread_type);
  return name.empty() ? "Unknown" : name;
}

const std::string& ThreadStatus::GetOperationName(OperationType op_type) {
  static const std::array<std::string, NUM_OP_TYPES> names = {
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
  return At(names, op_type);
}

const std::string& ThreadStatus::GetOperationStageName(OperationStage stage) {
  static const std::array<std::string, NUM_OP_STAGES> names = {
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
  return At(names, stage);
}

const std::string& ThreadStatus::GetOperationPropertyName(OperationType op_type,
                                                          int i) {
  static const std::string none;
  if (op_type == OP_COMPACTION) return At(CompactionProperties(), i);
  if (op_type == OP_FLUSH) return At(FlushProperties(), i);
  return none;
}

const std::string& ThreadStatus::GetStateName(StateType state_type) {
  static const std::array<std::string, NUM_STATE_TYPES> names = {"",
                                                                 "Mutex Wait"};
  return At(names, state_type);
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

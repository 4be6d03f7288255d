#include "db/events/event_log.h"

#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Sums over nothing have no average.
uint64_t Average(uint64_t sum, uint64_t count) {
  return count == 0 ? 0 : sum / count;
}

// "files_L<n>" for each input level, in the order of the inputs.
void AddInputFiles(const CompactionJobInfo& info, JsonWriter* json) {
  const std::vector<CompactionFileInfo>& files = info.input_file_infos;
  for (size_t i = 0; i < files.size();) {
    const int level = files[i].level;
    json->Key("files_L" + std::to_string(level)).BeginArray();
    for (; i < files.size() && files[i].level == level; ++i) {
      json->Value(files[i].file_number);
    }
    json->EndArray();
  }
}

const char* ConditionName(WriteStallCondition condition) {
  switch (condition) {
    case WriteStallCondition::kDelayed:
      return "delayed";
    case WriteStallCondition::kStopped:
      return "stopped";
    case WriteStallCondition::kNormal:
      break;
  }
  return "normal";
}

}  // namespace

void AddTableProperties(const TableProperties& p, JsonWriter* json) {
  json->Key("table_properties").BeginObject();
  json->Add("data_size", p.data_size)
      .Add("index_size", p.index_size)
      .Add("index_partitions", p.index_partitions)
      .Add("top_level_index_size", p.top_level_index_size)
      .Add("index_key_is_user_key", p.index_key_is_user_key)
      .Add("index_value_is_delta_encoded", p.index_value_is_delta_encoded)
      .Add("filter_size", p.filter_size)
      .Add("raw_key_size", p.raw_key_size)
      .Add("raw_average_key_size", Average(p.raw_key_size, p.num_entries))
      .Add("raw_value_size", p.raw_value_size)
      .Add("raw_average_value_size", Average(p.raw_value_size, p.num_entries))
      .Add("num_data_blocks", p.num_data_blocks)
      .Add("num_entries", p.num_entries)
      .Add("num_filter_entries", p.num_filter_entries)
      .Add("num_deletions", p.num_deletions)
      .Add("num_merge_operands", p.num_merge_operands)
      .Add("num_range_deletions", p.num_range_deletions)
      .Add("format_version", p.format_version)
      .Add("fixed_key_len", p.fixed_key_len)
      .Add("filter_policy", p.filter_policy_name)
      .Add("column_family_name", p.column_family_name)
      .Add("column_family_id", p.column_family_id)
      .Add("comparator", p.comparator_name)
      .Add("merge_operator", p.merge_operator_name)
      .Add("prefix_extractor_name", p.prefix_extractor_name)
      .Add("property_collectors", p.property_collectors_names)
      .Add("compression", p.compression_name)
      .Add("compression_options", p.compression_options)
      .Add("creation_time", p.creation_time)
      .Add("oldest_key_time", p.oldest_key_time)
      .Add("file_creation_time", p.file_creation_time)
      .Add("slow_compression_estimated_data_size",
           p.slow_compression_estimated_data_size)
      .Add("fast_compression_estimated_data_size",
           p.fast_compression_estimated_data_size)
      .Add("db_id", p.db_id)
      .Add("db_session_id", p.db_session_id)
      .Add("orig_file_number", p.orig_file_number)
      .Add("seqno_to_time_mapping",
           p.seqno_to_time_mapping.empty() ? "N/A" : "present");
  json->EndObject();
}

JsonWriter EventLog::Begin() const {
  JsonWriter json;
  json.Add("time_micros", clock_->NowMicros());
  return json;
}

JsonWriter EventLog::Begin(int job_id, std::string_view event) const {
  JsonWriter json = Begin();
  json.Add("job", job_id).Add("event", event);
  return json;
}

void EventLog::Write(JsonWriter&& json) {
  Log(InfoLogLevel::INFO_LEVEL, logger_, "EVENT_LOG_v1 %s",
      std::move(json).Finish().c_str());
}

void EventLog::LogFlushStarted(const FlushJobInfo& info,
                               const FlushInput& input) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(info.job_id, "flush_started");
  json.Add("num_memtables", input.num_memtables)
      .Add("num_entries", input.num_entries)
      .Add("num_deletes", input.num_deletes)
      .Add("total_data_size", input.data_bytes)
      .Add("memory_usage", input.memory_bytes)
      .Add("num_range_deletes", input.num_range_deletes)
      .Add("flush_reason", GetFlushReasonString(info.flush_reason))
      .Add("cf_name", info.cf_name);
  Write(std::move(json));
}

void EventLog::LogFlushFinished(const FlushJobInfo& info,
                                const FlushOutput& output) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(info.job_id, "flush_finished");
  json.Add("output_compression", output.compression)
      .AddArray("lsm_state", output.shape)
      .Add("num_dropped_deletes", output.num_dropped_deletes)
      .Add("immutable_memtables", output.num_immutable_memtables)
      .Add("cf_name", info.cf_name);
  Write(std::move(json));
}

void EventLog::LogMempurge(const Mempurge& purge) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(purge.job_id, "mempurge");
  json.Add("num_memtables", purge.num_memtables)
      .Add("num_entries", purge.num_entries)
      .Add("kept_entries", purge.kept_entries)
      .Add("memory_usage", purge.memory_bytes)
      .Add("kept_memory_usage", purge.kept_memory_bytes)
      .Add("cf_name", purge.cf_name);
  Write(std::move(json));
}

void EventLog::LogCompactionStarted(const CompactionJobInfo& info,
                                    const CompactionInput& input) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(info.job_id, "compaction_started");
  json.Add("cf_name", info.cf_name)
      .Add("compaction_reason",
           GetCompactionReasonString(info.compaction_reason));
  AddInputFiles(info, &json);
  json.Add("score", input.score).Add("input_data_size", input.input_bytes);
  json.Key("oldest_snapshot_seqno");
  if (input.oldest_snapshot == CompactionInput::kNoSnapshot) {
    json.Value(-1);
  } else {
    json.Value(input.oldest_snapshot);
  }
  Write(std::move(json));
}

void EventLog::LogCompactionFinished(const CompactionJobInfo& info,
                                     const CompactionOutput& output) {
  if (logger_ == nullptr) return;
  const auto& stats = info.stats;
  JsonWriter json = Begin(info.job_id, "compaction_finished");
  json.Add("compaction_time_micros", stats.elapsed_micros)
      .Add("compaction_time_cpu_micros", stats.cpu_micros)
      .Add("output_level", info.output_level)
      .Add("num_output_files", info.output_files.size())
      .Add("total_output_size", output.output_bytes)
      .Add("num_input_records", stats.num_input_records)
      .Add("num_output_records", stats.num_output_records)
      .Add("num_subcompactions", output.num_subcompactions)
      .Add("output_compression", output.compression)
      .Add("num_single_delete_mismatches", stats.num_single_del_mismatch)
      .Add("num_single_delete_fallthrough", stats.num_single_del_fallthru)
      .AddArray("lsm_state", output.shape)
      .Add("cf_name", info.cf_name);
  if (!info.status.ok()) json.Add("status", info.status.ToString());
  Write(std::move(json));
}

void EventLog::LogTrivialMove(const TrivialMove& move) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(move.job_id, "trivial_move");
  json.Add("destination_level", move.destination_level)
      .Add("files", move.num_files)
      .Add("total_files_size", move.total_bytes);
  Write(std::move(json));
}

void EventLog::LogTableFileCreation(const TableFileCreationInfo& info,
                                    uint64_t file_number,
                                    SequenceNumber smallest,
                                    SequenceNumber largest) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin();
  json.Add("cf_name", info.cf_name)
      .Add("job", info.job_id)
      .Add("event", "table_file_creation")
      .Add("file_number", file_number)
      .Add("file_size", info.file_size)
      .Add("file_checksum", info.file_checksum)
      .Add("file_checksum_func_name", info.file_checksum_func_name)
      .Add("smallest_seqno", smallest)
      .Add("largest_seqno", largest);
  if (info.status.ok()) {
    AddTableProperties(info.table_properties, &json);
  } else {
    json.Add("status", info.status.ToString());
  }
  Write(std::move(json));
}

void EventLog::LogTableFileDeletion(const TableFileDeletionInfo& info,
                                    uint64_t file_number) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(info.job_id, "table_file_deletion");
  json.Add("file_number", file_number);
  if (!info.status.ok()) json.Add("status", info.status.ToString());
  Write(std::move(json));
}

void EventLog::LogBlobFileCreation(const BlobFileCreationInfo& info,
                                   uint64_t file_number) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin();
  json.Add("cf_name", info.cf_name)
      .Add("job", info.job_id)
      .Add("event", "blob_file_creation")
      .Add("file_number", file_number)
      .Add("total_blob_count", info.total_blob_count)
      .Add("total_blob_bytes", info.total_blob_bytes)
      .Add("file_checksum", info.file_checksum)
      .Add("file_checksum_func_name", info.file_checksum_func_name)
      .Add("status", info.status.ToString());
  Write(std::move(json));
}

void EventLog::LogBlobFileDeletion(const BlobFileDeletionInfo& info,
                                   uint64_t file_number) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(info.job_id, "blob_file_deletion");
  json.Add("file_number", file_number);
  json.Add("status", info.status.ToString());
  Write(std::move(json));
}

void EventLog::LogRecoveryStarted(int job_id,
                                  const std::vector<uint64_t>& wal_files) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(job_id, "recovery_started");
  json.AddArray("wal_files", wal_files);
  Write(std::move(json));
}

void EventLog::LogRecoveryFinished(int job_id, const Status& status) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin(job_id, "recovery_finished");
  if (!status.ok()) json.Add("status", status.ToString());
  Write(std::move(json));
}

void EventLog::LogStallChange(const WriteStallInfo& info,
                              const StallNumbers& numbers) {
  if (logger_ == nullptr) return;
  const bool ends = info.condition.cur == WriteStallCondition::kNormal;
  JsonWriter json = Begin();
  json.Add("cf_name", info.cf_name)
      .Add("event", ends ? "stall_end" : "stall_begin")
      .Add("condition", ConditionName(info.condition.cur))
      .Add("previous", ConditionName(info.condition.prev))
      .Add("cause", numbers.cause)
      .Add("unflushed_memtables", numbers.unflushed_memtables)
      .Add("level0_files", numbers.level0_files)
      .Add("pending_compaction_bytes", numbers.pending_compaction_bytes)
      .Add("delayed_write_rate", numbers.delayed_write_rate);
  Write(std::move(json));
}

void EventLog::LogStopWithoutJob(uint64_t micros,
                                 const std::vector<std::string>& state) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin();
  json.Add("event", "stop_without_job").Add("stopped_micros", micros);
  json.Key("state").BeginArray();
  for (const std::string& line : state) json.Value(line);
  json.EndArray();
  Write(std::move(json));
}

void EventLog::LogTunerDecision(const TunerEvent& event) {
  if (logger_ == nullptr) return;
  JsonWriter json = Begin();
  json.Add("event", "tuner_decision")
      .Add("tuner", event.tuner)
      .Add("decision", event.decision);
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) json.Add(name, value);
  };
  text("before", event.before);
  text("after", event.after);
  text("reason", event.reason);
  text("why", event.why);
  for (const auto& [name, value] : event.numbers) json.Add(name, value);
  Write(std::move(json));
}

}  // namespace ROCKSDB_NAMESPACE::engine

#include "db/read/point_lookup.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "db/manifest/version.h"
#include "table/entity.h"
#include "table/timestamps.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

size_t AskMemTables(const ReadView& view, const LookupKey& key,
                    GetContext* context) {
  view.mem->Get(key, context);
  size_t searched = 1;
  for (; !context->Decided() && searched <= view.imm->size(); ++searched) {
    (*view.imm)[searched - 1]->Get(key, context);
  }
  return searched;
}

uint32_t HitTicker(int level) {
  return level == 0 ? GET_HIT_L0 : level == 1 ? GET_HIT_L1 : GET_HIT_L2_AND_UP;
}

bool FileMayHold(const InternalKeyComparator& icmp, const LevelFile& file,
                 const Slice& user_key) {
  if (icmp.CompareKeys(user_key, file.smallest_user_key()) < 0) {
    return false;
  }
  const int order = icmp.CompareKeys(user_key, file.largest_user_key());
  return order < 0 || (order == 0 && !IsRangeSentinel(file.largest));
}

namespace {

Status SearchLevel0(const LookupDeps& deps, const Version& version,
                    const ReadOptions& options, const LookupKey& key,
                    GetContext* context) {
  const Slice user_key = key.user_key();
  for (const LevelFile& file : version.level(0).flat) {
    if (!FileMayHold(*deps.icmp, file, user_key)) continue;
    RETURN_IF_ERROR(
        deps.tables->Get(options, *file.file, 0, key.internal_key(), context));
    context->EndCoveringSource();
    if (context->Decided()) break;
  }
  return Status::OK();
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): no two of them belong together.
Status SearchSortedLevel(const LookupDeps& deps, const Version& version,
                         int level, size_t first, const ReadOptions& options,
                         const LookupKey& key, GetContext* context) {
  assert(0 < level && level < version.num_levels());
  const Slice user_key = key.user_key();
  const LevelFiles& files = version.level(level);
  for (size_t i = first; i < files.size(); ++i) {
    const LevelFile& file = files.flat[i];
    if (deps.icmp->CompareKeys(user_key, file.smallest_user_key()) < 0) {
      break;
    }
    RETURN_IF_ERROR(deps.tables->Get(options, *file.file, level,
                                     key.internal_key(), context));
    if (context->Decided() ||
        !deps.icmp->SameKey(user_key, file.largest_user_key())) {
      break;
    }
  }
  context->EndCoveringSource();
  return Status::OK();
}

namespace {

Status SearchTables(const LookupDeps& deps, const Version& version,
                    const ReadOptions& options, const LookupKey& key,
                    GetContext* context) {
  const PerfTimer timer(deps.store->clock,
                        &PerfContext::get_from_output_files_time);
  int level = 0;
  RETURN_IF_ERROR(SearchLevel0(deps, version, options, key, context));
  while (!context->Decided() && ++level < version.num_non_empty_levels()) {
    const size_t first =
        version.level(level).Find(*deps.icmp, key.internal_key());
    RETURN_IF_ERROR(
        SearchSortedLevel(deps, version, level, first, options, key, context));
  }
  if (context->Decided()) {
    RecordTick(deps.store->statistics, HitTicker(level));
    PerfAddAtLevel<&PerfContextByLevel::user_key_return_count>(
        static_cast<uint32_t>(level));
  }
  return Status::OK();
}

// `blob_index` may be `*value`.
Status ReadBlob(const LookupDeps& deps, const ReadView& view,
                const ReadOptions& options, const Slice& user_key,
                const Slice& blob_index, PinnableSlice* value) {
  if (deps.icmp->timestamp_size() > 0) {
    return Status::NotSupported("blob files with user timestamps");
  }
  return deps.blobs->Read(options, *view.version, user_key, blob_index, value);
}

// REQUIRES: `entity` is one. Columns in blob files come into it.
Status ReadBlobColumns(const LookupDeps& deps, const ReadView& view,
                       const ReadOptions& options, const Slice& user_key,
                       PinnableSlice* entity) {
  if (!MayHaveBlobColumns(*entity)) return Status::OK();
  PinnableSlice blob;
  const auto read = [&](const Slice& blob_index, Slice* column) {
    Status status = ReadBlob(deps, view, options, user_key, blob_index, &blob);
    *column = Slice(blob.data(), blob.size());
    return status;
  };
  std::string inlined;
  RETURN_IF_ERROR(InlineBlobColumns(*entity, read, &inlined));
  entity->Reset();
  *entity->GetSelf() = std::move(inlined);
  entity->PinSelf();
  return Status::OK();
}

}  // namespace

Status ResolveLookup(const LookupDeps& deps, const ReadView& view,
                     const ReadOptions& options, GetContext* context,
                     PinnableSlice* value) {
  using State = GetContext::State;
  switch (context->state()) {
    case State::kFound:
      if (!context->found_entity()) return Status::OK();
      return ReadBlobColumns(deps, view, options, context->stored_key(), value);
    case State::kNotFound:
    case State::kDeleted:
      return Status::NotFound();
    case State::kBlobFound:
      if (value == nullptr) return Status::OK();
      return ReadBlob(deps, view, options, context->stored_key(), *value,
                      value);
    case State::kMerge:
    case State::kMergeFound:
    case State::kMergeBlobFound:
    case State::kMergeDeleted:
      break;
    case State::kBadValue:
      return context->value_status();
    case State::kCorrupt:
      return Status::Corruption("A corrupt entry was found for the key ",
                                context->user_key().ToString(/*hex=*/true));
  }
  const size_t operand_count = context->operands().size();
  assert(operand_count > 0);  // In these states there is one at least.
  PerfAdd<&PerfContext::internal_merge_point_lookup_count>(operand_count);
  if (value == nullptr) return Status::OK();
  const bool blob_base = context->state() == State::kMergeBlobFound;
  if (blob_base) {
    RETURN_IF_ERROR(
        ReadBlob(deps, view, options, context->stored_key(), *value, value));
  }
  if (context->found_entity()) {
    RETURN_IF_ERROR(
        ReadBlobColumns(deps, view, options, context->stored_key(), value));
  }
  const Slice user_key =
      StripTimestamp(context->user_key(), deps.icmp->timestamp_size());
  const MergeContext merge{view.options->merge_operator.get(),
                           deps.store->info_log, deps.store->statistics};
  const std::string base_bytes = value->ToString();
  const Slice base(base_bytes);
  value->Reset();
  if (context->found_entity()) {
    RETURN_IF_ERROR(ResolveMergeOnEntity(
        merge, user_key, base, context->operands(), value->GetSelf()));
  } else {
    const bool has_base = blob_base || context->state() == State::kMergeFound;
    const Slice* const base_slice = has_base ? &base : nullptr;
    RETURN_IF_ERROR(ResolveMerge(merge, user_key, base_slice,
                                 context->operands(), value->GetSelf()));
  }
  value->PinSelf();
  const std::optional<size_t>& threshold =
      options.merge_operand_count_threshold;
  return threshold && operand_count > *threshold
             ? Status::OkMergeOperandThresholdExceeded()
             : Status::OK();
}

namespace {

bool SearchMemTables(const ReadView& view, const LookupKey& key,
                     GetContext* context) {
  const PerfTimer timer(nullptr, &PerfContext::get_from_memtable_time);
  PerfAdd<&PerfContext::get_from_memtable_count>(
      AskMemTables(view, key, context));
  return context->Decided();
}

// Lets `context` look through everything it wants, newest first.
Status Search(const LookupDeps& deps, const ReadView& view,
              const ReadOptions& options, const LookupKey& key,
              GetContext* context) {
  if (deps.timestamp != nullptr) context->WantTimestamp(deps.timestamp);
  if (options.ignore_range_deletions) context->IgnoreRangeDeletions();
  Statistics* const statistics = deps.store->statistics;
  if (!deps.skip_memtables && SearchMemTables(view, key, context)) {
    RecordTick(statistics, MEMTABLE_HIT);
    return Status::OK();
  }
  RecordTick(statistics, MEMTABLE_MISS);
  if (options.read_tier == kMemtableTier) return Status::NotFound();
  return SearchTables(deps, *view.version, options, key, context);
}

}  // namespace

Status LookUp(const LookupDeps& deps, const ReadView& view,
              const ReadOptions& options, const Slice& user_key,
              SequenceNumber sequence, PinnableSlice* value) {
  const LookupKey key(user_key, sequence);
  GetContext context(user_key, sequence, value);
  RETURN_IF_ERROR(Search(deps, view, options, key, &context));
  const PerfTimer timer(deps.store->clock, &PerfContext::get_post_process_time);
  return ResolveLookup(deps, view, options, &context, value);
}

Status LookUpEntity(const LookupDeps& deps, const ReadView& view,
                    const ReadOptions& options, const Slice& user_key,
                    SequenceNumber sequence, PinnableWideColumns* columns) {
  const LookupKey key(user_key, sequence);
  PinnableSlice value;
  GetContext context(user_key, sequence, &value);
  context.WantEntities();
  RETURN_IF_ERROR(Search(deps, view, options, key, &context));
  Status status = ResolveLookup(deps, view, options, &context, &value);
  RETURN_IF_ERROR(status);
  if (context.found_entity()) {
    RETURN_IF_ERROR(columns->SetWideColumnValue(std::move(value)));
  } else {
    columns->SetPlainValue(std::move(value));
  }
  return status;  // May be a success with a sub-code.
}

Status LookUpNewestChange(const LookupDeps& deps, const ReadView& view,
                          const LookupKey& newest, NewestChange* change) {
  GetContext context(newest.user_key(), kSequenceMax, /*value=*/nullptr);
  RETURN_IF_ERROR(Search(deps, view, ReadOptions(), newest, &context));
  if (context.state() == GetContext::State::kCorrupt) {
    return ResolveLookup(deps, view, ReadOptions(), &context, nullptr);
  }
  change->is_range_deletion = context.cover() > context.found_sequence();
  change->sequence = std::max(context.found_sequence(), context.cover());
  return Status::OK();
}

Status LookUpOperands(const LookupDeps& deps, const ReadView& view,
                      const ReadOptions& options, const LookupKey& key,
                      const OperandList& out) {
  using State = GetContext::State;
  *out.count = 0;
  PinnableSlice base;
  const SequenceNumber sequence = ExtractSequence(key.internal_key());
  GetContext context(key.user_key(), sequence, &base);
  if (out.wants_more != nullptr && *out.wants_more) {
    context.AskAfterOperands(out.wants_more);
  }
  RETURN_IF_ERROR(Search(deps, view, options, key, &context));
  const bool in_blob = context.state() == State::kBlobFound ||
                       context.state() == State::kMergeBlobFound;
  if (in_blob) {
    RETURN_IF_ERROR(
        ReadBlob(deps, view, options, context.stored_key(), base, &base));
  }
  const bool merges = context.state() == State::kMerge ||
                      context.state() == State::kMergeFound ||
                      context.state() == State::kMergeDeleted;
  // Absent, or an entry that cannot be read.
  if (!merges && !in_blob && context.state() != State::kFound) {
    return ResolveLookup(deps, view, options, &context, &base);
  }
  std::vector<std::string>& operands = context.operands();
  const bool has_base = in_blob || context.state() == State::kFound ||
                        context.state() == State::kMergeFound;
  *out.count = static_cast<int>(operands.size()) + (has_base ? 1 : 0);
  if (*out.count > out.room) {
    return Status::Incomplete(
        Status::SubCode::KMergeOperandsInsufficientCapacity);
  }
  PinnableSlice* next = out.operands;
  if (has_base) *next++ = std::move(base);
  for (auto it = operands.rbegin(); it != operands.rend(); ++it) {
    next->Reset();
    *next->GetSelf() = std::move(*it);
    next++->PinSelf();
  }
  assert(next == out.operands + *out.count);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine

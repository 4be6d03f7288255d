// DBImpl::MultiGet and MultiGetEntity: one moment for all keys, then family by
// family.

#include <algorithm>
#include <cassert>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "db/read/multi_get.h"
#include "table/block/key_compare.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Sorts keys by the eight bytes behind what all have in common, and only then
// by the rest.
void SortBytewise(std::vector<MultiGetKey>* keys) {
  assert(!keys->empty());
  const Slice& first = keys->front().user_key;
  size_t common = first.size();
  for (const MultiGetKey& key : *keys) {
    common = std::min(common, first.difference_offset(key.user_key));
  }
  struct Item {
    uint64_t prefix;
    const MultiGetKey* key;
  };
  std::vector<Item> items;
  items.reserve(keys->size());
  for (const MultiGetKey& key : *keys) {
    items.push_back({KeyPrefix64(key.user_key, common), &key});
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return a.key->user_key.compare(b.key->user_key) < 0;
  });
  std::vector<MultiGetKey> sorted;
  sorted.reserve(keys->size());
  for (const Item& item : items) sorted.push_back(*item.key);
  keys->swap(sorted);
}

// Callers may say that keys are sorted; looking costs less than being wrong.
void Sort(const InternalKeyComparator& icmp, bool said_sorted,
          std::vector<MultiGetKey>* keys) {
  const auto before = [&](const MultiGetKey& a, const MultiGetKey& b) {
    return icmp.CompareUserKey(a.user_key, b.user_key) < 0;
  };
  if (said_sorted && std::is_sorted(keys->begin(), keys->end(), before)) {
    return;
  }
  // For a few keys its own memory costs more than comparing them whole.
  constexpr size_t kFewKeys = 16;
  if (icmp.bytewise() && keys->size() > kFewKeys) {
    SortBytewise(keys);
  } else {
    std::sort(keys->begin(), keys->end(), before);
  }
  assert(std::is_sorted(keys->begin(), keys->end(), before));
}

void RecordMultiGet(Statistics* statistics, size_t num_keys,
                    const MultiGetTotals& totals) {
  PerfAdd<&PerfContext::multiget_read_bytes>(totals.value_bytes);
  if (statistics == nullptr) return;
  RecordTick(statistics, NUMBER_MULTIGET_CALLS);
  RecordTick(statistics, NUMBER_MULTIGET_KEYS_READ, num_keys);
  RecordTick(statistics, NUMBER_MULTIGET_KEYS_FOUND, totals.found);
  RecordTick(statistics, NUMBER_MULTIGET_BYTES_READ, totals.value_bytes);
  RecordInHistogram(statistics, BYTES_PER_MULTIGET, totals.value_bytes);
}

}  // namespace

// The keys of one call, and what comes back for them.
struct DBImpl::MultiGetCall {
  const ReadOptions& options;
  ColumnFamilyHandle* const* families;  // Null: `family` for all.
  ColumnFamilyHandle* family;
  size_t num_keys;
  const Slice* keys;
  PinnableSlice* values;
  Status* statuses;
  bool sorted_input;
  MultiGetTotals totals;
  PinnableWideColumns* columns = nullptr;  // Null: only values are wanted.

  ColumnFamilyHandle* FamilyAt(size_t i) const {
    return families != nullptr ? families[i] : family;
  }
};

void DBImpl::MultiGetFamily(const ColumnFamily& family, const ReadView& view,
                            SequenceNumber sequence, MultiGetCall* call) const {
  std::vector<MultiGetKey> keys;
  keys.reserve(call->num_keys);
  for (size_t i = 0; i < call->num_keys; ++i) {
    if (call->families != nullptr &&
        FamilyOf(call->families[i]).get() != &family) {
      continue;
    }
    call->values[i].Reset();
    keys.push_back({call->keys[i], &call->values[i], &call->statuses[i],
                    call->columns != nullptr ? &call->columns[i] : nullptr});
  }
  assert(!keys.empty());  // A family is here because of a key.
  Sort(family.icmp(), call->sorted_input, &keys);
  const LookupDeps deps = LookupDepsOf(family, call->options);
  LookUpMany({deps, view, call->options, sequence}, keys.data(), keys.size(),
             &call->totals);
}

// All keys at one sequence. With several families it is held as a snapshot
// while the views are pinned: a batch over two of them is seen whole.
void DBImpl::MultiGetFamilies(MultiGetCall* call) {
  PinnedViews pinned;
  for (size_t i = 0; i < call->num_keys; ++i) {
    pinned.try_emplace(FamilyOf(call->FamilyAt(i)).get());
  }
  PerfTimer taking_state(state_->store.clock, &PerfContext::get_snapshot_time);
  const bool hold = pinned.size() > 1 && call->options.snapshot == nullptr;
  const Snapshot* const held = hold ? NewSnapshot() : nullptr;
  PinViews(&pinned);
  assert(!pinned.empty());
  const SequenceNumber sequence =
      held != nullptr
          ? held->GetSequenceNumber()
          : SequenceFor(call->options, *pinned.begin()->second.get());
  ReleaseSnapshot(held);
  taking_state.Stop();
  for (const auto& [family, view] : pinned) {
    MultiGetFamily(*family, *view.get(), sequence, call);
  }
}

void DBImpl::RunMultiGet(MultiGetCall* call) {
  Statistics* const statistics = state_->store.statistics;
  StopWatch watch(state_->store.clock, statistics, DB_MULTIGET);
  const PerfCpuTimer cpu(state_->store.clock, &PerfContext::get_cpu_nanos);
  if (call->num_keys == 0) return;
  if (call->families == nullptr) {
    const FamilyPtr& family = FamilyOf(call->family);
    PerfTimer taking_state(state_->store.clock,
                           &PerfContext::get_snapshot_time);
    const ScopedView view(family->views());
    const SequenceNumber sequence = SequenceFor(call->options, *view);
    taking_state.Stop();
    MultiGetFamily(*family, *view, sequence, call);
  } else {
    MultiGetFamilies(call);
  }
  RecordMultiGet(statistics, call->num_keys, call->totals);
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
void DBImpl::MultiGet(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** column_families, const Slice* keys,
                      PinnableSlice* values, std::string* timestamps,
                      Status* statuses, bool sorted_input) {
  if (state_->tracer.Traces(QueryTracer::kMultiGet)) [[unlikely]]
    state_->tracer.MultiGet(column_families, nullptr, keys, num_keys);
  bool stamped = timestamps != nullptr;
  for (size_t i = 0; i < num_keys && !stamped; ++i) {
    stamped = ReadsWithTimestamp(options, column_families[i]);
  }
  if (stamped) [[unlikely]] {
    MultiGetAt(options, num_keys, column_families, keys, values, timestamps,
               statuses);
    return;
  }
  MultiGetCall call{options, column_families, nullptr,      num_keys, keys,
                    values,  statuses,        sorted_input, {}};
  RunMultiGet(&call);
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
void DBImpl::MultiGet(const ReadOptions& options,
                      ColumnFamilyHandle* column_family, size_t num_keys,
                      const Slice* keys, PinnableSlice* values,
                      std::string* timestamps, Status* statuses,
                      bool sorted_input) {
  if (timestamps != nullptr || ReadsWithTimestamp(options, column_family)) {
    return DB::MultiGet(options, column_family, num_keys, keys, values,
                        timestamps, statuses, sorted_input);
  }
  if (state_->tracer.Traces(QueryTracer::kMultiGet)) [[unlikely]]
    state_->tracer.MultiGet(nullptr, column_family, keys, num_keys);
  MultiGetCall call{options, nullptr,  column_family, num_keys, keys,
                    values,  statuses, sorted_input,  {}};
  RunMultiGet(&call);
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
void DBImpl::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                            ColumnFamilyHandle** column_families,
                            const Slice* keys, PinnableWideColumns* results,
                            Status* statuses, bool sorted_input) {
  bool stamped = false;
  for (size_t i = 0; i < num_keys; ++i) {
    results[i].Reset();
    stamped = stamped || ReadsWithTimestamp(options, column_families[i]);
  }
  if (!stamped) [[likely]] {
    std::vector<PinnableSlice> values(num_keys);
    MultiGetCall call{options, column_families, nullptr,  num_keys,
                      keys,    values.data(),   statuses, sorted_input,
                      {},      results};
    RunMultiGet(&call);
    return;
  }
  Statistics* const statistics = state_->store.statistics;
  StopWatch watch(state_->store.clock, statistics, DB_MULTIGET);
  MultiGetTotals totals;
  // One by one, at a moment that a snapshot holds meanwhile.
  ReadOptions at = options;
  const Snapshot* const held =
      options.snapshot == nullptr ? NewSnapshot() : nullptr;
  if (held != nullptr) at.snapshot = held;
  for (size_t i = 0; i < num_keys; ++i) {
    if (totals.value_bytes > options.value_size_soft_limit) {
      statuses[i] = Status::Aborted("value_size_soft_limit exceeded");
      continue;
    }
    statuses[i] = GetEntity(at, column_families[i], keys[i], &results[i]);
    if (!statuses[i].ok()) continue;
    ++totals.found;
    totals.value_bytes += results[i].serialized_size();
  }
  ReleaseSnapshot(held);
  RecordMultiGet(statistics, num_keys, totals);
}

}  // namespace ROCKSDB_NAMESPACE::engine

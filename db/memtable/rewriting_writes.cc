// Writes that look at what the memtable holds: values that change where they
// are (inplace_update_support), and operands that are merged as they come
// (max_successive_merges). One writer at a time.

#include <cassert>
#include <cstring>
#include <exception>

#include "db/memtable/entry_checksum.h"
#include "db/memtable/memtable.h"
#include "db/memtable/memtable_apply.h"
#include "table/internal_key.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

// ------------------------------------------------------------------- memtable

void MemTable::SetMergeLimit(const MergeLimit& limit) {
  successive_merges_max_.store(limit.successive_max, std::memory_order_relaxed);
  merges_from_files_.store(limit.from_files, std::memory_order_relaxed);
}

MergeLimit MemTable::merge_limit() const {
  return {Load(successive_merges_max_),
          merges_from_files_.load(std::memory_order_relaxed)};
}

size_t MemTable::CountMerges(const Slice& user_key, size_t most) const {
  const LookupKey lookup(user_key, kSequenceMax);
  if (rep_ != nullptr) return rep_->CountMerges(lookup, most);
  size_t count = 0;
  const auto count_from = [&](const auto* node) {
    for (; node != nullptr && count < most; node = node->Next(0), ++count) {
      const Slice key = node->key();
      if (!icmp_->SameKey(ExtractUserKey(key), user_key) ||
          ExtractType(key) != ValueType::kMerge) {
        return;
      }
    }
  };
  const SkipListTarget target(lookup.internal_key());
  if (icmp_->bytewise()) {
    count_from(bytewise_list_.SeekGreaterOrEqual(target));
  } else {
    count_from(list_.SeekGreaterOrEqual(target));
  }
  return count;
}

char* MemTable::EntryToChange(const Slice& user_key) {
  assert(in_place_ != nullptr);
  // Another representation's entries are its own; versions with timestamps
  // are all wanted.
  if (rep_ != nullptr || timestamp_size_ > 0) return nullptr;
  const LookupKey lookup(user_key, kSequenceMax);
  const SkipListTarget target(lookup.internal_key());
  const auto entry_of = [&](auto* node) -> char* {
    if (node == nullptr) return nullptr;
    const Slice key = node->key();
    if (!icmp_->SameKey(ExtractUserKey(key), user_key) ||
        ExtractType(key) != ValueType::kValue) {
      return nullptr;
    }
    const bool deleted = has_range_deletions() &&
                         range_deletions_.NewestOver(user_key, kSequenceMax) >
                             ExtractSequence(key);
    return deleted ? nullptr : node->entry();
  };
  return icmp_->bytewise() ? entry_of(bytewise_list_.SeekGreaterOrEqual(target))
                           : entry_of(list_.SeekGreaterOrEqual(target));
}

namespace {

// An entry whose value is about to change.
struct OpenEntry {
  explicit OpenEntry(char* entry) {
    key = GetLengthPrefixedSlice(entry);
    value_at = entry + (key.data() + key.size() - entry);
    value = GetLengthPrefixedSlice(value_at);
  }
  // `bytes`, of which there are not more than before, may be its own.
  void SetValue(const char* bytes, size_t size, uint32_t protection_bytes) {
    assert(size <= value.size());
    char* const p = value_at + VarintLength(size);
    if (size > 0) std::memmove(p, bytes, size);
    EncodeVarint32(value_at, static_cast<uint32_t>(size));
    AppendEntryChecksum(key.data(), p + size, protection_bytes);
  }

  Slice key;
  char* value_at;  // Its length first.
  Slice value;
};

Status CallbackFailed(const std::string& why) {
  return Status::Corruption("inplace_callback failed", why);
}

}  // namespace

MemTable::Change MemTable::Replace(const Slice& user_key, const Slice& value) {
  char* const entry = EntryToChange(user_key);
  if (entry == nullptr) return Change::kNotHere;
  const WriteLock writing(in_place_->LockOf(user_key));
  OpenEntry open(entry);
  if (value.size() > open.value.size()) return Change::kNotHere;
  open.SetValue(value.data(), value.size(), protection_bytes_);
  return Change::kDone;
}

Result<MemTable::Change> MemTable::Update(const Slice& user_key,
                                          const Slice& delta,
                                          std::string* merged) {
  char* const entry = EntryToChange(user_key);
  if (entry == nullptr) return Change::kNotHere;
  const WriteLock writing(in_place_->LockOf(user_key));
  OpenEntry open(entry);
  char* const bytes = open.value_at + VarintLength(open.value.size());
  auto size = static_cast<uint32_t>(open.value.size());
  UpdateStatus did = UPDATE_FAILED;
  try {
    did = in_place_->callback()(bytes, &size, delta, merged);
  } catch (const std::exception& e) {
    return CallbackFailed(e.what());
  }
  if (did == UPDATED) return Change::kAdd;
  if (did == UPDATED_INPLACE) {
    if (size > open.value.size()) {
      return CallbackFailed("it made a value longer where it is");
    }
    open.SetValue(bytes, size, protection_bytes_);
  }
  return Change::kDone;
}

// -------------------------------------------------------------------- records

Status FamilyResolver::ReadNewest(const NewestQuery& /*query*/,
                                  NewestValue* /*newest*/) {
  return Status::NotSupported(
      "inplace_callback, where older values cannot be read");
}

Status RecordInserter::AddRewriting(const BatchRecord& record,
                                    SequenceNumber sequence) {
  assert(!options_.concurrent || !memtable_->updates_in_place());
  if (record.type == ValueType::kValue && memtable_->updates_in_place()) {
    return UpdateInPlace(record, sequence);
  }
  if (record.type == ValueType::kMerge && memtable_->limits_merges() &&
      !options_.replay) {
    return AddMerged(record, sequence);
  }
  return AddEntry(record.key, sequence, record.type, record.value);
}

Status RecordInserter::UpdateInPlace(const BatchRecord& record,
                                     SequenceNumber sequence) {
  using Change = MemTable::Change;
  if (memtable_->in_place_callback() == nullptr) {
    const Change did = memtable_->Replace(record.key, record.value);
    if (did == Change::kDone) return {};
    return AddEntry(record.key, sequence, record.type, record.value);
  }
  std::string merged;
  const Result<Change> did =
      memtable_->Update(record.key, record.value, &merged);
  if (!did.ok()) return did.status();
  switch (*did) {
    case Change::kDone:
      return {};
    case Change::kAdd:
      return AddEntry(record.key, sequence, ValueType::kValue, merged);
    case Change::kNotHere:
      return UpdateElsewhere(record, sequence);
  }
  return {};
}

// The value to update is somewhere else, or nowhere.
Status RecordInserter::UpdateElsewhere(const BatchRecord& record,
                                       SequenceNumber sequence) {
  NewestValue newest;
  RETURN_IF_ERROR(families_->ReadNewest(
      {family_, record.key, sequence, /*from_files=*/true}, &newest));
  if (newest.is_entity) {
    return Status::NotSupported("inplace_callback on wide columns");
  }
  auto size = static_cast<uint32_t>(newest.bytes.size());
  std::string merged;
  UpdateStatus did = UPDATE_FAILED;
  try {
    did = memtable_->in_place_callback()(
        newest.exists ? newest.bytes.data() : nullptr, &size, record.value,
        &merged);
  } catch (const std::exception& e) {
    return CallbackFailed(e.what());
  }
  if (did == UPDATE_FAILED) return {};
  if (did == UPDATED) {
    return AddEntry(record.key, sequence, ValueType::kValue, merged);
  }
  if (size > newest.bytes.size()) {
    return CallbackFailed("it made a value longer where it is");
  }
  return AddEntry(record.key, sequence, ValueType::kValue,
                  Slice(newest.bytes.data(), size));
}

// What cannot be merged here stays an operand: nothing is lost.
Status RecordInserter::AddMerged(const BatchRecord& record,
                                 SequenceNumber sequence) {
  const MergeLimit limit = memtable_->merge_limit();
  const auto add = [&] {
    return AddEntry(record.key, sequence, record.type, record.value);
  };
  if (memtable_->CountMerges(record.key, limit.successive_max) <
      limit.successive_max) {
    return add();
  }
  NewestValue merged;
  const Status read = families_->ReadNewest(
      {family_, record.key, sequence, limit.from_files, &record.value},
      &merged);
  if (!read.ok()) return add();
  return AddEntry(
      record.key, sequence,
      merged.is_entity ? ValueType::kWideColumnEntity : ValueType::kValue,
      merged.bytes);
}

}  // namespace ROCKSDB_NAMESPACE::engine

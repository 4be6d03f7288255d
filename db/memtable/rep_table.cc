#include "db/memtable/rep_table.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>

#include "db/memtable/entry_checksum.h"
#include "db/options/memtable_factories.h"
#include "rocksdb/env.h"
#include "table/timestamps.h"
#include "util/coding.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Slice ValueOfEntry(const Slice& key) {
  return engine::GetLengthPrefixedSlice(key.data() + key.size());
}

Status BadRep(const std::string& name, const char* what) {
  return Status::Corruption("memtable of kind " + name, what);
}

constexpr char kOutOfOrder[] = "returned its entries out of order";
constexpr char kNoEntry[] = "returned a null pointer as an entry";

}  // namespace

// Two cursors of the rep: over everything, and over the keys of one prefix.
class RepTable::EntryIterator final : public InternalIterator {
 public:
  EntryIterator(const RepTable* table, PrefixSeek* prefix)
      : table_(table), prefix_(prefix) {}

  void SeekToFirst() override {
    Total()->SeekToFirst();
    Stand();
  }
  void SeekToLast() override {
    Total()->SeekToLast();
    Stand();
  }
  void Seek(const Slice& target) override {
    const PerfTimer timer(nullptr, &PerfContext::seek_on_memtable_time);
    PerfAdd<&PerfContext::seek_on_memtable_count>();
    For(target)->Seek(target, nullptr);
    Stand();
    if (valid_ && table_->icmp_->Compare(key_, target) < 0) Fail(kOutOfOrder);
  }
  void SeekForPrev(const Slice& target) override {
    const PerfTimer timer(nullptr, &PerfContext::seek_on_memtable_time);
    PerfAdd<&PerfContext::seek_on_memtable_count>();
    For(target)->SeekForPrev(target, nullptr);
    Stand();
    if (valid_ && table_->icmp_->Compare(key_, target) > 0) Fail(kOutOfOrder);
  }
  void Next() override {
    assert(Valid());
    PerfAdd<&PerfContext::next_on_memtable_count>();
    const Slice before = key_;
    at_->Next();
    Stand();
    if (valid_ && table_->icmp_->Compare(before, key_) >= 0) Fail(kOutOfOrder);
  }
  void Prev() override {
    assert(Valid());
    PerfAdd<&PerfContext::prev_on_memtable_count>();
    const Slice behind = key_;
    // Backwards an upper bound says nothing about prefixes.
    if (at_ == within_cursor_.get() && !prefix_->ends_with_prefix()) {
      Total()->SeekForPrev(behind, nullptr);
      if (!at_->Valid()) return Fail(kOutOfOrder);
    }
    at_->Prev();
    Stand();
    if (valid_ && table_->icmp_->Compare(key_, behind) >= 0) Fail(kOutOfOrder);
  }
  Status status() const override { return status_; }
  bool IsKeyPinned() const override { return true; }
  bool IsValuePinned() const override { return true; }

 private:
  MemTableRep::Iterator* Total() {
    if (total_ == nullptr) total_.reset(table_->rep_->GetIterator(nullptr));
    within_.clear();
    return at_ = total_.get();
  }
  // The caller's seek may look at one prefix only; the seeks that follow it,
  // of iterators above, stay there with it until they have to read the whole.
  MemTableRep::Iterator* For(const Slice& target) {
    if (prefix_ == nullptr) return Total();
    const SliceTransform& extractor = *table_->prefix_extractor_;
    const Slice user_key = ExtractUserKey(target);
    Slice prefix;
    if (prefix_->Prefix(extractor, user_key, &prefix)) {
      within_ = prefix.ToString();
      prefix_->RuleOut();  // All that has another prefix.
    } else if (within_.empty() || prefix_->active() || prefix_->whole() ||
               !prefix_->ends_with_prefix() || !extractor.InDomain(user_key) ||
               extractor.Transform(user_key) != Slice(within_)) {
      return Total();
    }
    if (within_cursor_ == nullptr) {
      within_cursor_.reset(table_->rep_->GetDynamicPrefixIterator(nullptr));
    }
    return at_ = within_cursor_.get();
  }
  void Stand() {
    valid_ = status_.ok() && at_->Valid();
    if (!valid_) return;
    const char* const entry = at_->key();
    if (entry == nullptr) return Fail(kNoEntry);
    key_ = EntryOrder::KeyOf(entry);
    value_ = ValueOfEntry(key_);
    const uint32_t bytes = table_->protection_bytes_;
    if (bytes > 0 && !EntryChecksumMatches(key_, value_, bytes)) {
      valid_ = false;
      status_ = DamagedEntry(key_);
    }
  }
  void Fail(const char* what) {
    valid_ = false;
    status_ = BadRep(table_->factory_->Name(), what);
  }

  const RepTable* const table_;
  PrefixSeek* const prefix_;
  std::unique_ptr<MemTableRep::Iterator> total_;
  std::unique_ptr<MemTableRep::Iterator> within_cursor_;
  MemTableRep::Iterator* at_ = nullptr;
  std::string within_;  // The prefix; empty: everything.
  Status status_;
};

RepTable::RepTable(const Setup& setup)
    : icmp_(setup.icmp),
      order_(setup.icmp),
      allocator_(setup.arena),
      prefix_extractor_(setup.prefix_extractor),
      factory_(setup.factory),
      protection_bytes_(setup.protection_bytes),
      by_prefix_(setup.prefix_extractor != nullptr &&
                 (IsHashFactory(*setup.factory) ||
                  !IsBuiltinMemTableFactory(*setup.factory))),
      rep_(setup.factory->CreateMemTableRep(order_, &allocator_,
                                            setup.prefix_extractor,
                                            setup.info_log, setup.family_id)) {}

std::unique_ptr<RepTable> RepTable::Create(const Setup& setup) {
  if (setup.factory == nullptr || IsSkipListFactory(*setup.factory) ||
      (IsHashFactory(*setup.factory) && setup.prefix_extractor == nullptr)) {
    return nullptr;
  }
  std::unique_ptr<RepTable> table(new RepTable(setup));
  if (table->rep_ != nullptr) return table;
  Warn(setup.info_log, "Memtable factory %s made nothing: using a skiplist",
       setup.factory->Name());
  return nullptr;
}

bool RepTable::Add(const ParsedInternalKey& key, const Slice& value,
                   bool concurrent) {
  const size_t key_size = key.user_key.size() + kTrailerSize;
  const size_t bytes = static_cast<size_t>(VarintLength(key_size)) + key_size +
                       static_cast<size_t>(VarintLength(value.size())) +
                       value.size();
  assert(key_size <= UINT32_MAX && value.size() <= UINT32_MAX);
  char* entry = nullptr;
  const KeyHandle handle = rep_->Allocate(bytes + protection_bytes_, &entry);
  char* p = EncodeVarint32(entry, static_cast<uint32_t>(key_size));
  const char* const internal_key = p;
  std::memcpy(p, key.user_key.data(), key.user_key.size());
  p += key.user_key.size();
  EncodeFixed64(p, PackSequenceAndType(key.sequence, key.type));
  p = EncodeVarint32(p + kTrailerSize, static_cast<uint32_t>(value.size()));
  assert(p + value.size() == entry + bytes);
  if (!value.empty()) std::memcpy(p, value.data(), value.size());
  AppendEntryChecksum(internal_key, p + value.size(), protection_bytes_);
  return concurrent ? rep_->InsertKeyConcurrently(handle)
                    : rep_->InsertKey(handle);
}

// What a lookup's callback needs.
struct RepTable::Search {
  const RepTable& table;
  const LookupKey& lookup;
  GetContext* const context;
  uint64_t last;  // No trailer may be larger.
};

bool RepTable::OnEntry(void* search, const char* entry) {
  auto* const s = static_cast<Search*>(search);
  const InternalKeyComparator& icmp = *s->table.icmp_;
  const auto bad = [s](const char* what) {
    s->context->MarkBad(BadRep(s->table.factory_->Name(), what));
    return false;
  };
  if (entry == nullptr) return bad(kNoEntry);
  const Slice key = EntryOrder::KeyOf(entry);
  const Slice user_key = ExtractUserKey(key);
  const int order = icmp.CompareKeys(user_key, s->lookup.user_key());
  if (order > 0) return false;
  const uint64_t trailer = ExtractTrailer(key);
  const size_t timestamp_size = icmp.timestamp_size();
  // Timestamps order the entries of one key before their sequences do.
  if (order < 0 || (timestamp_size == 0 && trailer > s->last)) {
    return bad(kOutOfOrder);
  }
  s->last = trailer;
  const uint32_t bytes = s->table.protection_bytes_;
  if (bytes > 0 && !EntryChecksumMatches(key, ValueOfEntry(key), bytes)) {
    s->context->MarkBad(DamagedEntry(key));
    return false;
  }
  if (s->context->wants_timestamp() &&
      !s->context->Accept(TimestampOf(user_key, timestamp_size),
                          trailer >> 8)) {
    return true;
  }
  return s->context->Add(static_cast<ValueType>(trailer & 0xff), trailer >> 8,
                         ValueOfEntry(key), /*pinner=*/nullptr);
}

void RepTable::Get(const LookupKey& lookup, GetContext* context) const {
  Search search{*this, lookup, context, ExtractTrailer(lookup.internal_key())};
  rep_->Get(ROCKSDB_NAMESPACE::LookupKey(lookup), &search, &OnEntry);
}

InternalIterator* RepTable::NewIterator(PrefixSeek* prefix) const {
  const bool within =
      by_prefix_ && prefix != nullptr && prefix->Accepts(prefix_extractor_);
  return new EntryIterator(this, within ? prefix : nullptr);
}

size_t RepTable::CountMerges(const LookupKey& lookup, size_t most) const {
  struct Counter {
    const InternalKeyComparator& icmp;
    const Slice user_key;
    const size_t most;
    size_t count;
  } counter{*icmp_, lookup.user_key(), most, 0};
  const auto on_entry = [](void* arg, const char* entry) {
    auto* const c = static_cast<Counter*>(arg);
    if (entry == nullptr) return false;
    const Slice key = EntryOrder::KeyOf(entry);
    if (!c->icmp.SameKey(ExtractUserKey(key), c->user_key) ||
        ExtractType(key) != ValueType::kMerge) {
      return false;
    }
    return ++c->count < c->most;
  };
  rep_->Get(ROCKSDB_NAMESPACE::LookupKey(lookup), &counter, on_entry);
  assert(counter.count <= most);
  return counter.count;
}

SequenceNumber RepTable::NewestSequence(const LookupKey& lookup) const {
  struct Newest {
    const InternalKeyComparator& icmp;
    const Slice user_key;
    SequenceNumber sequence;
  } newest{*icmp_, lookup.user_key(), 0};
  const auto on_entry = [](void* arg, const char* entry) {
    auto* const n = static_cast<Newest*>(arg);
    if (entry == nullptr) return false;
    const Slice key = EntryOrder::KeyOf(entry);
    if (!n->icmp.SameKey(ExtractUserKey(key), n->user_key)) return false;
    n->sequence = std::max(n->sequence, ExtractSequence(key));
    // Entries of one key are ordered by timestamps before sequences.
    return n->icmp.timestamp_size() > 0;
  };
  rep_->Get(ROCKSDB_NAMESPACE::LookupKey(lookup), &newest, on_entry);
  return newest.sequence;
}

uint64_t RepTable::CountBetween(const Slice& start, const Slice& end) const {
  return rep_->ApproximateNumEntries(start, end);
}

}  // namespace ROCKSDB_NAMESPACE::engine

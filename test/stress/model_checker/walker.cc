#include "test/stress/model_checker/walker.h"

#include <algorithm>

#include "rocksdb/slice_transform.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

// The keys that share their prefix with this one; it alone, if it has none.
std::pair<uint32_t, uint32_t> PrefixRange(ThreadContext* t, int slot,
                                          uint32_t key) {
  const auto& extractor =
      t->shared.database.options().families[slot].prefix_extractor;
  if (extractor == nullptr) return {0, t->shape().keys()};
  const std::string name = t->expected().KeyOf(key);
  if (!extractor->InDomain(name)) return {key, key + 1};
  const std::string prefix = extractor->Transform(name).ToString();
  const auto shares = [&](uint32_t other) {
    const std::string other_name = t->expected().KeyOf(other);
    return extractor->InDomain(other_name) &&
           extractor->Transform(other_name) == Slice(prefix);
  };
  uint32_t begin = key;
  uint32_t end = key + 1;
  while (begin > 0 && shares(begin - 1)) --begin;
  while (end < t->shape().keys() && shares(end)) ++end;
  return {begin, end};
}

}  // namespace

Walker::Walker(ThreadContext* t, const SlotUse& use)
    : slot_(use.slot()), upper_(t->shape().keys()) {
  DrawOptions(t, /*plain=*/false);
  low_ = t->expected().Committed(slot_, 0, t->shape().keys());
  Make(t, use.handle());
  high_ = t->expected().Pending(slot_, 0, t->shape().keys());
}

Walker::Walker(ThreadContext* t, const SlotUse& use, const Snapshot* snapshot,
               const std::vector<uint64_t>& low,
               const std::vector<uint64_t>& high)
    : slot_(use.slot()), upper_(t->shape().keys()), low_(low), high_(high) {
  DrawOptions(t, /*plain=*/true);
  options_.snapshot = snapshot;
  Make(t, use.handle());
}

void Walker::DrawOptions(ThreadContext* t, bool plain) {
  if (!plain && t->Chance(400)) {
    lower_ = t->AnyKey();
    lower_name_ = t->expected().KeyOf(lower_);
    lower_bound_ = lower_name_;
    options_.iterate_lower_bound = &lower_bound_;
  }
  if (!plain && t->Chance(400)) {
    upper_ = std::max(lower_, t->AnyKey());
    upper_name_ = t->expected().KeyOf(upper_);
    upper_bound_ = upper_name_;
    options_.iterate_upper_bound = &upper_bound_;
  }
  const uint64_t order = plain ? 0 : t->random.Uniform(4);
  options_.total_order_seek = order <= 1;
  options_.auto_prefix_mode = order == 2;
  within_prefix_ = order == 3;
  options_.prefix_same_as_start = within_prefix_ && t->Chance(500);
  options_.tailing = !plain && t->Chance(150) && !t->IsStamped(slot_);
  options_.pin_data = !options_.tailing && t->Chance(100);
  options_.async_io = t->Chance(200);
  options_.adaptive_readahead = t->Chance(200);
  options_.readahead_size = t->Chance(200) ? 10000 : 0;
  options_.auto_readahead_size = t->Chance(500);
  options_.fill_cache = t->Chance(800);
  options_.background_purge_on_iterator_cleanup = t->Chance(300);
  options_.allow_unprepared_value = t->Chance(300);
}

void Walker::Make(ThreadContext* t, ColumnFamilyHandle* family) {
  options_ = t->ReadsOf(slot_, options_);
  it_.reset(t->db()->NewIterator(options_, family));
}

bool Walker::Move(ThreadContext* t, int steps) {
  for (int i = 0; i < steps; ++i) {
    if (!Step(t)) return false;
  }
  return true;
}

bool Walker::WalkAll(ThreadContext* t) {
  last_ = "SeekToFirst";
  shown_begin_ = lower_;
  shown_end_ = upper_;
  it_->SeekToFirst();
  if (!LandedForward(t, lower_)) return false;
  while (at_) {
    const uint32_t from = *at_ + 1;
    last_ = "Next";
    it_->Next();
    if (!LandedForward(t, from)) return false;
  }
  last_ = "SeekToLast";
  it_->SeekToLast();
  if (!LandedBack(t, int64_t{upper_} - 1)) return false;
  while (at_) {
    const int64_t from = int64_t{*at_} - 1;
    last_ = "Prev";
    it_->Prev();
    if (!LandedBack(t, from)) return false;
  }
  return true;
}

void Walker::NewTail(ThreadContext* t) {
  if (!options_.tailing) return;
  low_ = t->expected().Committed(slot_, 0, t->shape().keys());
}

bool Walker::Step(ThreadContext* t) {
  const uint64_t what = t->random.Uniform(20);
  if (at_ && what < 9) {
    const uint32_t from = *at_ + 1;
    last_ = "Next";
    it_->Next();
    return LandedForward(t, from);
  }
  // Neither a tailing iterator nor one that seeks prefixes goes back.
  const bool back = !options_.tailing && !within_prefix_;
  if (at_ && what < 16 && back) {
    const int64_t from = int64_t{*at_} - 1;
    last_ = "Prev";
    it_->Prev();
    return LandedBack(t, from);
  }
  if (what == 16 && !within_prefix_) {
    NewTail(t);
    last_ = "SeekToFirst";
    shown_begin_ = lower_;
    shown_end_ = upper_;
    it_->SeekToFirst();
    return LandedForward(t, lower_);
  }
  if (what == 17 && back) {
    last_ = "SeekToLast";
    shown_begin_ = lower_;
    shown_end_ = upper_;
    it_->SeekToLast();
    return LandedBack(t, int64_t{upper_} - 1);
  }
  return SeekTo(t, t->AnyKey(), back && t->Chance(500));
}

bool Walker::SeekTo(ThreadContext* t, uint32_t key, bool back) {
  // Outside of the bounds no prefix is shown, and nothing is defined.
  if (within_prefix_ && (key < lower_ || key >= upper_)) return true;
  NewTail(t);
  shown_begin_ = lower_;
  shown_end_ = upper_;
  if (within_prefix_) {
    const auto [begin, end] = PrefixRange(t, slot_, key);
    shown_begin_ = std::max(lower_, begin);
    shown_end_ = std::min(upper_, end);
  }
  const std::string name = t->expected().KeyOf(key);
  last_ = std::string(back ? "SeekForPrev " : "Seek ") + std::to_string(key);
  if (back) {
    it_->SeekForPrev(name);
    return LandedBack(t, std::min<int64_t>(key, int64_t{upper_} - 1));
  }
  it_->Seek(name);
  return LandedForward(t, std::max(key, lower_));
}

bool Walker::LandedForward(ThreadContext* t, uint32_t from) {
  at_.reset();
  if (!t->Ok(it_->status(), "iterator")) return false;
  uint32_t to = shown_end_;
  if (it_->Valid()) {
    at_ = t->expected().IndexOf(it_->key());
    if (!at_ || *at_ < from || *at_ >= upper_) {
      t->Fail(Describe() + " from " + std::to_string(from) + " shows key " +
              it_->key().ToString(/*hex=*/true));
      return false;
    }
    to = std::min(to, *at_);
  }
  for (uint32_t key = from; key < to; ++key) {
    if (!CheckAbsent(t, key)) return false;
  }
  // Beyond the prefix anything may be shown.
  if (at_ && *at_ >= shown_end_) at_.reset();
  return !at_ || CheckHere(t);
}

bool Walker::LandedBack(ThreadContext* t, int64_t from) {
  at_.reset();
  if (!t->Ok(it_->status(), "iterator")) return false;
  int64_t to = int64_t{shown_begin_} - 1;
  if (it_->Valid()) {
    at_ = t->expected().IndexOf(it_->key());
    if (!at_ || int64_t{*at_} > from || *at_ < lower_) {
      t->Fail(Describe() + " back from " + std::to_string(from) +
              " shows key " + it_->key().ToString(/*hex=*/true));
      return false;
    }
    to = int64_t{*at_};
  }
  for (int64_t key = from; key > to; --key) {
    if (!CheckAbsent(t, static_cast<uint32_t>(key))) return false;
  }
  return !at_ || CheckHere(t);
}

uint64_t Walker::high(ThreadContext* t, uint32_t key) const {
  return options_.tailing ? t->expected().cell(slot_, key).pending.load()
                          : high_[key];
}

bool Walker::CheckAbsent(ThreadContext* t, uint32_t key) {
  const uint64_t newest = high(t, key);
  const uint64_t id = t->expected().IdOf(slot_, key);
  if (MayBeAbsent(id, low_[key], newest)) return true;
  t->CheckRead(slot_, key, low_[key], newest, std::nullopt, Describe().c_str());
  return false;
}

bool Walker::CheckHere(ThreadContext* t) {
  if (options_.allow_unprepared_value && !it_->PrepareValue()) {
    if (!t->Ok(it_->status(), "PrepareValue")) return false;
    t->Fail("PrepareValue failed without an error");
    return false;
  }
  const std::string value = it_->value().ToString();
  const uint64_t newest = high(t, *at_);
  const std::string wrong =
      Judge(t->expected().IdOf(slot_, *at_), low_[*at_], newest, value);
  if (wrong.empty()) return CheckColumns(t);
  t->CheckRead(slot_, *at_, low_[*at_], newest, value, Describe().c_str());
  return false;
}

bool Walker::CheckColumns(ThreadContext* t) {
  const WideColumns& columns = it_->columns();
  if (columns.empty() || columns[0].value() != it_->value()) {
    t->Fail(Describe() + ": the default column is not the value");
    return false;
  }
  const std::optional<KeyState> state =
      StateOf(t->expected().IdOf(slot_, *at_), it_->value().ToStringView());
  if (columns.size() == 1 || !state) return true;
  const std::string expected =
      ColumnValue(t->expected().IdOf(slot_, *at_), state->generation);
  if (columns.size() == 2 && columns[1].name() == kColumnName &&
      columns[1].value() == expected) {
    return true;
  }
  t->Fail(Describe() + ": other columns are wrong at key " +
          std::to_string(*at_));
  return false;
}

std::string Walker::Describe() const {
  std::string text = "iterator " + last_;
  if (options_.iterate_lower_bound != nullptr) {
    text += " lower " + std::to_string(lower_);
  }
  if (options_.iterate_upper_bound != nullptr) {
    text += " upper " + std::to_string(upper_);
  }
  if (options_.total_order_seek) text += " total_order_seek";
  if (options_.auto_prefix_mode) text += " auto_prefix_mode";
  if (options_.prefix_same_as_start) text += " prefix_same_as_start";
  if (options_.tailing) text += " tailing";
  if (options_.snapshot != nullptr) text += " snapshot";
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker

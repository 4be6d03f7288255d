#include "test/stress/model_checker/expected_state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

struct Header {
  Totals totals;
  std::atomic<SlotState> slots[kSlotsMax];
  std::atomic<uint64_t> time;
  std::atomic<bool> has_accounts;
  PreparedTable prepared;
};

constexpr size_t kHeaderBytes = 16384;
static_assert(sizeof(Header) <= kHeaderBytes);

}  // namespace

Status ExpectedState::Open(const std::string& path, const Shape& shape,
                           std::unique_ptr<ExpectedState>* result) {
  const size_t size = kHeaderBytes + sizeof(Cell) * shape.keys() *
                                         static_cast<size_t>(shape.slots);
  int file = -1;
  if (!path.empty()) {
    file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, static_cast<off_t>(size)) != 0) {
      if (file >= 0) ::close(file);
      return Status::IOError("cannot open " + path);
    }
  }
  const int flags =
      path.empty() ? MAP_PRIVATE | MAP_ANONYMOUS : static_cast<int>(MAP_SHARED);
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, file, 0);
  if (file >= 0) ::close(file);
  if (memory == MAP_FAILED) return Status::IOError("cannot map " + path);
  result->reset(new ExpectedState(shape, memory, size));
  return Status::OK();
}

// A new file is all zeros: no slot is there, and every key is absent.
ExpectedState::ExpectedState(const Shape& shape, void* memory, size_t size)
    : shape_(shape),
      memory_(memory),
      size_(size),
      cells_(
          reinterpret_cast<Cell*>(static_cast<char*>(memory) + kHeaderBytes)) {}

ExpectedState::~ExpectedState() { ::munmap(memory_, size_); }

Totals& ExpectedState::totals() {
  return static_cast<Header*>(memory_)->totals;
}

std::atomic<uint64_t>& ExpectedState::time() {
  return static_cast<Header*>(memory_)->time;
}

PreparedTable& ExpectedState::prepared() {
  return static_cast<Header*>(memory_)->prepared;
}

std::atomic<bool>& ExpectedState::has_accounts() {
  return static_cast<Header*>(memory_)->has_accounts;
}

std::atomic<SlotState>& ExpectedState::slot_state(int slot) {
  return static_cast<Header*>(memory_)->slots[slot];
}

uint64_t ExpectedState::IdOf(int slot, uint32_t key) const {
  if (IsMirror(key)) return (key - shape_.plain) % shape_.groups;
  uint64_t id = kIdsPerSlot * static_cast<uint64_t>(slot + 1) + key;
  if (!shape_.filtered) return id;
  if (key % kFilteredEvery == 3) id += kFilteredIds;
  if (key % kSkippedEvery == 5) id += kSkippedIds;
  return id;
}

// Plain keys share prefixes of four bytes; some have a tail, with bytes of
// all kinds. The number is before the tail, so the order is that of numbers.
std::string ExpectedState::KeyOf(uint32_t key) const {
  char text[32];
  if (IsMirror(key)) {
    const uint32_t n = key - shape_.plain;
    std::snprintf(text, sizeof(text), "~m%02u%05u", n / shape_.groups,
                  n % shape_.groups);
    return text;
  }
  std::snprintf(text, sizeof(text), "k%03u%02u", key / 100, key % 100);
  std::string name = text;
  if (key % 5 == 1) name += std::string(key % 60, 'x');
  if (key % 5 == 2) name += std::string("\0\xff\0", 3);
  return name;
}

std::optional<uint32_t> ExpectedState::IndexOf(const Slice& name) const {
  unsigned int high = 0;
  unsigned int low = 0;
  const std::string text = name.ToString();
  uint32_t key = 0;
  if (std::sscanf(text.c_str(), "~m%2u%5u", &high, &low) == 2) {
    key = MirrorKey(low, high);
  } else if (std::sscanf(text.c_str(), "k%3u%2u", &high, &low) == 2) {
    key = high * 100 + low;
  } else {
    return std::nullopt;
  }
  if (key >= shape_.keys() || KeyOf(key) != text) return std::nullopt;
  return key;
}

std::vector<uint64_t> ExpectedState::Committed(int slot, uint32_t begin,
                                               uint32_t end) {
  std::vector<uint64_t> words;
  words.reserve(end - begin);
  for (uint32_t k = begin; k < end; ++k) {
    words.push_back(cell(slot, k).committed.load());
  }
  return words;
}

std::vector<uint64_t> ExpectedState::Pending(int slot, uint32_t begin,
                                             uint32_t end) {
  std::vector<uint64_t> words;
  words.reserve(end - begin);
  for (uint32_t k = begin; k < end; ++k) {
    words.push_back(cell(slot, k).pending.load());
  }
  return words;
}

void ExpectedState::RaiseDurable(Cell* cell, uint64_t word) {
  uint64_t before = cell->durable.load();
  while (before < word && !cell->durable.compare_exchange_weak(before, word)) {
  }
}

void ExpectedState::RaiseAll() {
  for (int slot = 0; slot < shape_.slots; ++slot) {
    for (uint32_t k = 0; k < shape_.keys(); ++k) {
      RaiseDurable(&cell(slot, k), cell(slot, k).committed.load());
    }
  }
}

void ExpectedState::ForgetVolatile() {
  for (int slot = 0; slot < shape_.slots; ++slot) {
    for (uint32_t k = 0; k < shape_.keys(); ++k) {
      cell(slot, k).committed.store(cell(slot, k).durable.load());
    }
  }
}

void ExpectedState::ClearSlot(int slot) {
  for (uint32_t k = 0; k < shape_.keys(); ++k) {
    Cell& c = cell(slot, k);
    const uint32_t last = c.last_generation.load() + 1;
    c.last_generation.store(last);
    const uint64_t word = KeyState{.generation = last}.Pack();
    c.committed.store(word);
    c.pending.store(word);
    c.durable.store(word);
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker

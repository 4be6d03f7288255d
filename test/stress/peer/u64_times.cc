#include "test/stress/peer/u64_times.h"

#include <string_view>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr size_t kTimeBytes = 8;

std::string_view KeyOf(std::string_view bytes, bool has_time) {
  return has_time ? bytes.substr(0, bytes.size() - kTimeBytes) : bytes;
}
uint64_t NumberOf(std::string_view time) {
  uint64_t number = 0;
  for (size_t i = time.size(); i > 0; --i) {
    number = number << 8 | static_cast<unsigned char>(time[i - 1]);
  }
  return number;
}

int CompareTimes(void* /*state*/, const char* a, size_t a_size, const char* b,
                 size_t b_size) {
  const uint64_t first = NumberOf({a, a_size});
  const uint64_t second = NumberOf({b, b_size});
  return first < second ? -1 : (first > second ? 1 : 0);
}

// NOLINTNEXTLINE(readability-function-size): the callback's parameters.
int CompareKeys(void* /*state*/, const char* a, size_t a_size,
                unsigned char a_has_time, const char* b, size_t b_size,
                unsigned char b_has_time) {
  return KeyOf({a, a_size}, a_has_time != 0)
      .compare(KeyOf({b, b_size}, b_has_time != 0));
}

// The newest entry of a key first.
int Compare(void* state, const char* a, size_t a_size, const char* b,
            size_t b_size) {
  const int order = CompareKeys(state, a, a_size, 1, b, b_size, 1);
  if (order != 0) return order;
  return -CompareTimes(state, a + a_size - kTimeBytes, kTimeBytes,
                       b + b_size - kTimeBytes, kTimeBytes);
}

const char* NameOfComparator(void* /*state*/) {
  return "leveldb.BytewiseComparator.u64ts";
}

void Nothing(void* /*state*/) {}

}  // namespace

std::string BytesOfTime(uint64_t time) {
  std::string bytes;
  for (size_t i = 0; i < kTimeBytes; ++i, time >>= 8) {
    bytes += static_cast<char>(time & 0xff);
  }
  return bytes;
}

const std::string& NewestTime() {
  static const std::string kNewest = BytesOfTime(UINT64_MAX);
  return kNewest;
}

rocksdb_comparator_t* NewU64Comparator(const Api& api) {
  return api.comparator_with_ts_create(nullptr, Nothing, Compare, CompareTimes,
                                       CompareKeys, NameOfComparator,
                                       kTimeBytes);
}

}  // namespace ROCKSDB_NAMESPACE::stress

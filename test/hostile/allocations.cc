#include "test/hostile/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

// Inlined, the pairs below look to the compiler like new with free.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace {

std::atomic<size_t> g_largest_bytes{0};

void* Take(size_t size, size_t alignment) {
  size_t largest = g_largest_bytes.load(std::memory_order_relaxed);
  while (size > largest && !g_largest_bytes.compare_exchange_weak(
                               largest, size, std::memory_order_relaxed)) {
  }
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  const size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded);
}
void* TakeOrThrow(size_t size, size_t alignment) {
  void* const taken = Take(size, alignment);
  if (taken == nullptr) throw std::bad_alloc();
  return taken;
}

}  // namespace

void* operator new(size_t size) { return TakeOrThrow(size, 0); }
void* operator new[](size_t size) { return TakeOrThrow(size, 0); }
void* operator new(size_t size, std::align_val_t alignment) {
  return TakeOrThrow(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return TakeOrThrow(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return Take(size, 0);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return Take(size, 0);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete[](void* p, size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace ROCKSDB_NAMESPACE::test {

AllocationWatch::AllocationWatch() { g_largest_bytes = 0; }
size_t AllocationWatch::LargestBytes() const { return g_largest_bytes; }

}  // namespace ROCKSDB_NAMESPACE::test

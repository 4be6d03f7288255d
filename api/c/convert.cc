#include "api/c/convert.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace capi_internal {

bool SaveError(char** errptr, const capi::Status& status) {
  if (status.ok()) return false;
  if (errptr != nullptr) {
    std::free(*errptr);
    *errptr = CopyString(status.ToString());
  }
  return true;
}

void SaveException(char** errptr) noexcept {
  const char* text = nullptr;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    text = "Operation aborted: Memory limit reached";
  } catch (...) {
    text = "Operation aborted: an exception in a callback";
  }
  if (errptr == nullptr) return;
  std::free(*errptr);
  *errptr = strdup(text);
}

char* CopyBytes(const capi::Slice& bytes) {
  // malloc(0) may be NULL, which would read as "not found".
  const size_t room = bytes.empty() ? 1 : bytes.size();
  char* copy = static_cast<char*>(std::malloc(room));
  if (copy != nullptr && !bytes.empty()) {
    std::memcpy(copy, bytes.data(), bytes.size());
  }
  return copy;
}

char* CopyString(const std::string& text) { return strdup(text.c_str()); }

const capi::Slice* OptionalKey(const char* key, size_t length,
                               capi::Slice* slice) {
  if (key == nullptr) return nullptr;
  *slice = capi::Slice(key, length);
  return slice;
}

}  // namespace capi_internal

extern "C" void rocksdb_free(void* ptr) { std::free(ptr); }

#include "tools/peer_bench/api.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace peer_bench {

namespace {

void* Find(void* library, const std::string& path, const char* name) {
  void* function = dlsym(library, name);
  if (function != nullptr) return function;
  std::fprintf(stderr, "%s has no %s\n", path.c_str(), name);
  std::exit(1);
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): one statement for each name.
Api LoadApi(const std::string& path) {
  // Lazy: a library may name functions of programs that are not here, as one
  // for Java does.
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "cannot load: %s\n", dlerror());
    std::exit(1);
  }
  Api api;
#define PEER_BENCH_FIND(name)                      \
  api.name = reinterpret_cast<decltype(api.name)>( \
      Find(library, path, "rocksdb_" #name));
  PEER_BENCH_FUNCTIONS(PEER_BENCH_FIND)
#undef PEER_BENCH_FIND
  return api;
}

}  // namespace peer_bench

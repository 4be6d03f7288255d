#include "test/stress/hostile/target.h"

#include <cstdio>
#include <cstdlib>

#include "test/support/golden.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

void Abort(const char* what) {
  std::fprintf(stderr, "hostile: %s\n", what);
  std::abort();
}
void (*g_require_handler)(const char*) = &Abort;

}  // namespace

void Require(bool holds, const char* what) {
  if (!holds) g_require_handler(what);
}

void SetRequireHandler(void (*handler)(const char* what)) {
  g_require_handler = handler;
}

std::vector<Target> AllTargets() {
  std::vector<Target> targets;
  AddByteTargets(&targets);
  AddBlockTargets(&targets);
  AddTableTargets(&targets);
  AddLogTargets(&targets);
  AddTextTargets(&targets);
  AddFileTargets(&targets);
  AddTraceTargets(&targets);
  return targets;
}

std::vector<std::string> GoldenSeeds(const std::string& part, size_t count,
                                     size_t bytes_max) {
  const auto paths = test::GoldenFiles([&](const std::filesystem::path& path) {
    return path.filename().string().find(part) != std::string::npos &&
           std::filesystem::file_size(path) <= bytes_max;
  });
  std::vector<std::string> seeds;
  const size_t step = paths.size() / count + 1;
  for (size_t i = 0; i < paths.size(); i += step) {
    seeds.push_back(test::ReadWholeFile(paths[i]));
  }
  return seeds;
}

}  // namespace ROCKSDB_NAMESPACE::hostile

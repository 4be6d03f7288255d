// stress_peer: executes operations with a RocksDB library.
//
//   stress_peer LIBRARY DATABASE
//
// Place. Stress programs run it as a process of its own, because two libraries
// with the same names do not share one (test/stress/target/child_target.h).
//
// Lines in: operations; "reopen o.FAMILY=OPTIONS ..." opens the database,
// "close" closes it. Lines out: "> " and the answer.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "test/stress/peer/c_target.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

Api Load(const char* path) {
  // Lazy: a library may name functions of programs that are not here, as one
  // for Java does.
  void* const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "stress_peer: %s\n", dlerror());
    std::exit(2);
  }
  Api api;
#define STRESS_PEER_FIND(name) \
  api.name =                   \
      reinterpret_cast<decltype(api.name)>(dlsym(library, "rocksdb_" #name));
  STRESS_PEER_FUNCTIONS(STRESS_PEER_FIND)
#undef STRESS_PEER_FIND
  return api;
}

std::string Answer(CTarget* target, const std::string& line) {
  if (line == "close") return target->Close();
  Operation operation;
  if (!FromText(line, &operation)) return "not an operation";
  return operation.kind == Kind::kReopen ? target->Open(operation)
                                         : target->Execute(operation);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress

int main(int argc, char** argv) {
  namespace stress = ROCKSDB_NAMESPACE::stress;
  if (argc != 3) {
    std::fprintf(stderr, "usage: stress_peer LIBRARY DATABASE\n");
    return 2;
  }
  const stress::Api api = stress::Load(argv[1]);
  stress::CTarget target(api, argv[2]);
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::string answer = stress::Answer(&target, line);
    std::printf("> %s\n", answer.c_str());
    std::fflush(stdout);
  }
  target.Close();
  std::fflush(stdout);
  std::_Exit(0);  // Libraries for other languages need not end well.
}

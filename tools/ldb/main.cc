// ldb: looks into databases and changes them.

#include "rocksdb/ldb_tool.h"

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::LDBTool().RunAndReturn(argc, argv);
}

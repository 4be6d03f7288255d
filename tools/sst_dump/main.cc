// sst_dump: looks into table files.

#include "rocksdb/sst_dump_tool.h"

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::SSTDumpTool().Run(argc, argv);
}

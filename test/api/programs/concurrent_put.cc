// The measuring program of the article on allow_concurrent_memtable_write, as
// published: ten threads put a million keys each. It must compile and run
// unchanged; the install test only makes kNum smaller.
#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
using namespace rocksdb;
const int kThreadNum = 10;
const long kNum = 10000000;
const std::string key_suffix = "_A_LONG_SUFFIX";
const std::string value = "123456789012345678901234567890";
// const std::string value = std::string(1024, 'a');
void Func(DB* db, long start, long count) {
  Status s;
  std::cout << "Thread " << std::this_thread::get_id()
            << " handle key range: " << start << " to " << start + count
            << std::endl;
  for (long i = 0; i < count; i++) {
    s = db->Put(WriteOptions(), std::to_string(i + start) + key_suffix, value);
    if (!s.ok()) {
      std::cout << "Thread " << std::this_thread::get_id()
                << " put error: " << s.ToString() << std::endl;
      break;
    }
  }
}
std::string kDBPath = "./testdb";
int main(int argc, char** argv) {
  DB* db;
  Options options;
  // create the DB if it's not already present
  options.create_if_missing = true;
  // options.write_buffer_size = 1024*1024*512;
  if (argc > 1) {
    std::cout << "use parallel" << std::endl;
    options.allow_concurrent_memtable_write = true;
    options.enable_write_thread_adaptive_yield = true;
  }
  std::cout << value << std::endl;
  // open DB
  Status s = DB::Open(options, kDBPath, &db);
  assert(s.ok());
  std::thread* threads[kThreadNum];
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kThreadNum; i++) {
    threads[i] =
        new std::thread(Func, db, i * kNum / kThreadNum, kNum / kThreadNum);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  for (auto& t : threads) {
    t->join();
  }
  auto end = std::chrono::steady_clock::now();
  std::cout << "used " << (end - start).count() << std::endl;
  for (int i = 0; i < kThreadNum; i++) {
    delete threads[i];
  }
  delete db;
  return 0;
}

// Which memtable factories are the library's own.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/memtablerep.h"

namespace ROCKSDB_NAMESPACE::engine {

struct HashRepOptions {
  size_t bucket_count = 1;
  int height = 4;
  int branching = 4;
  // More entries make a skiplist of a bucket's list; 0: it is always one.
  uint32_t list_max = 0;
  size_t huge_page_size = 0;
  int log_threshold = 0;  // 0: never
  bool log_spread = false;
};

// Of both hash tables.
class HashRepFactory final : public MemTableRepFactory {
 public:
  HashRepFactory(const char* name, const char* nick,
                 const HashRepOptions& options)
      : name_(name), nick_(nick), options_(options) {}
  const char* Name() const override { return name_; }
  const char* NickName() const override { return nick_; }
  std::string GetId() const override;
  bool CanHandleDuplicatedKey() const override { return true; }
  using MemTableRepFactory::CreateMemTableRep;
  // Null without prefixes.
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& order,
                                 ROCKSDB_NAMESPACE::Allocator* allocator,
                                 const SliceTransform* prefixes,
                                 Logger* logger) override;

 private:
  const char* const name_;
  const char* const nick_;
  const HashRepOptions options_;
};

// The default kind, for which no MemTableRep is made?
bool IsSkipListFactory(const MemTableRepFactory& factory);
// One of the hash tables? They need prefixes.
bool IsHashFactory(const MemTableRepFactory& factory);
// Made by this library, not by the program?
bool IsBuiltinMemTableFactory(const MemTableRepFactory& factory);

}  // namespace ROCKSDB_NAMESPACE::engine

// Configurable: an object that gives access to its option struct.
//
// Place. Base of Customizable, and so of every pluggable object. The usual call
// is `factory->GetOptions<BlockBasedTableOptions>()`.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ColumnFamilyOptions;
struct ConfigOptions;
struct DBOptions;

class Configurable {
 public:
  virtual ~Configurable() = default;

  // The object's struct of type T, or null if it has none of that name.
  template <typename T>
  const T* GetOptions() const {
    return GetOptions<T>(T::kName());
  }
  template <typename T>
  T* GetOptions() {
    return GetOptions<T>(T::kName());
  }
  template <typename T>
  const T* GetOptions(const std::string& name) const {
    return static_cast<const T*>(GetOptionsPtr(name));
  }
  template <typename T>
  T* GetOptions(const std::string& name) {
    return static_cast<T*>(const_cast<void*>(GetOptionsPtr(name)));
  }

  // Lines for the LOG: one indented "name: value" each.
  virtual std::string GetPrintableOptions() const { return ""; }

  // Called once before first use, after every field is set.
  virtual Status PrepareOptions(const ConfigOptions& /*options*/) {
    return Status::OK();
  }
  // Called when a database is opened with this object.
  virtual Status ValidateOptions(const DBOptions& /*db_options*/,
                                 const ColumnFamilyOptions& /*cf*/) const {
    return Status::OK();
  }

 protected:
  // The struct called `name`, or null.
  virtual const void* GetOptionsPtr(const std::string& /*name*/) const {
    return nullptr;
  }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API

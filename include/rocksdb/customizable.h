// Customizable: base of every pluggable object of the API: it has a name.
//
// Place. Base of the interfaces that programs may implement: file systems,
// clocks, listeners, table property collectors. The engine stores names in
// OPTIONS files and compares them when a database is opened again.
//
// Model. A wrapper answers Inner() with the object it wraps, so that
// CheckedCast<T>() finds an implementation under any number of wrappers.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/configurable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

class Customizable : public Configurable {
 public:
  ~Customizable() override = default;

  // The name of the implementation. Constant for the life of the object.
  virtual const char* Name() const = 0;

  // The name by which options text refers to this very object.
  virtual std::string GetId() const { return Name(); }

  // An older name the object also answers to, or "".
  virtual const char* NickName() const { return ""; }

  // True when `name` is the name or the older name of this object. Wrappers
  // are not looked through.
  virtual bool IsInstanceOf(const std::string& name) const {
    return !name.empty() && (name == Name() || name == NickName());
  }

  // The object called `T::kClassName()` here or below, or null.
  template <typename T>
  const T* CheckedCast() const {
    if (IsInstanceOf(T::kClassName())) return static_cast<const T*>(this);
    const Customizable* inner = Inner();
    return inner == nullptr ? nullptr : inner->CheckedCast<T>();
  }
  template <typename T>
  T* CheckedCast() {
    return const_cast<T*>(
        static_cast<const Customizable*>(this)->CheckedCast<T>());
  }

  // Looks into a wrapped object as well.
  const void* GetOptionsPtr(const std::string& name) const override {
    const Customizable* inner = Inner();
    return inner == nullptr ? nullptr : inner->GetOptionsPtr(name);
  }

 protected:
  virtual const Customizable* Inner() const { return nullptr; }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API

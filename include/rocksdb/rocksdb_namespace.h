// The namespace every public name lives in, and the attribute that exports
// it from the shared library.
//
// A program may rename the namespace by defining ROCKSDB_NAMESPACE before
// including any header, provided that the library was built the same way.
#pragma once

#ifndef ROCKSDB_NAMESPACE
#define ROCKSDB_NAMESPACE rocksdb
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ROCKSDB_API __attribute__((visibility("default")))
#else
#define ROCKSDB_API
#endif

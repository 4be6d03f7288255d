// NEVER and ALWAYS: conditions that only a bug of ours can break.
//
// Place. Where a release build must go on sensibly although an invariant does
// not hold: the caller handles the branch, usually by returning Corruption.
//
//   if (NEVER(index >= count)) return Status::Corruption("...");
//
// In dev builds a broken condition stops the process at once, so that tests
// find it; in release builds it only chooses the branch.
#pragma once

#include <cassert>

#ifdef NDEBUG
#define NEVER(condition) (__builtin_expect(!!(condition), 0))
#define ALWAYS(condition) (__builtin_expect(!!(condition), 1))
#else
#define NEVER(condition) \
  ((condition) ? (assert(false && "NEVER: " #condition), true) : false)
#define ALWAYS(condition) \
  ((condition) ? true : (assert(false && "ALWAYS: " #condition), false))
#endif

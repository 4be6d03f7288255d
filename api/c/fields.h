// Setters and getters of plain option fields, one row each.
//
// Place. Included by the files of api/c that have such tables. A table defines
// FIELD_OPTIONS (the opaque type) and FIELD_PREFIX (what stands before
// _set_ and _get_ in the function's name), then lists rows:
//
//   FIELD(name, type, member)    setter and getter
//   SETTER(name, type, member)   only the setter
//   GETTER(name, type, member)   only the getter
//
// `type` is the one of rocksdb/c.h, `member` the path below `rep`. Booleans
// become 0 or 1, enums their number.
//
// LIFETIME(name, type) makes the object with its default values, and destroys
// it.
#pragma once

#include <type_traits>

namespace capi_internal {

template <typename Member, typename Value>
void Assign(Member* member, Value value) {
  if constexpr (std::is_same_v<Member, bool>) {
    *member = value != 0;
  } else {
    *member = static_cast<Member>(value);
  }
}

}  // namespace capi_internal

#define FIELD_JOIN(prefix, verb, name) rocksdb_##prefix##_##verb##_##name
#define FIELD_NAME(prefix, verb, name) FIELD_JOIN(prefix, verb, name)

#define SETTER(name, type, member)                                  \
  void FIELD_NAME(FIELD_PREFIX, set, name)(FIELD_OPTIONS * options, \
                                           type value) {            \
    capi_internal::Assign(&options->rep.member, value);             \
  }
#define GETTER(name, type, member)                                    \
  type FIELD_NAME(FIELD_PREFIX, get, name)(FIELD_OPTIONS * options) { \
    return static_cast<type>(options->rep.member);                    \
  }
#define FIELD(name, type, member) \
  SETTER(name, type, member)      \
  GETTER(name, type, member)
// NOLINTBEGIN(bugprone-macro-parentheses): declarations.
#define LIFETIME(name, type)                               \
  type* rocksdb_##name##_create(void) { return new type; } \
  void rocksdb_##name##_destroy(type* options) { delete options; }
// NOLINTEND(bugprone-macro-parentheses)

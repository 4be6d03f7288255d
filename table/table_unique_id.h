// The ids that identify a table file wherever it is copied.
//
// Place. The MANIFEST stores the internal id, programs get the public one,
// and the block cache's keys are made of the internal one.
//
// Model. A database session id (20 characters, base 36) and the file number
// are unique in the world with overwhelming likelihood; the id is a
// reversible mix of them with the hash of the database id.
//
// Threads. Pure functions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE::engine {

// False when the properties lack one of database id, session id and number.
bool InternalUniqueId(const TableProperties& properties, uint64_t id[2]);
bool InternalUniqueId(const std::string& db_id,
                      const std::string& db_session_id, uint64_t file_number,
                      uint64_t id[2]);

// The id that the public API shows: bijective in the internal one.
void InternalToPublicUniqueId(uint64_t id[2]);

// The same of a table, and one word more from the hash of the database id.
inline constexpr size_t kExtendedIdWords = 3;
bool PublicUniqueId(const TableProperties& properties,
                    uint64_t id[kExtendedIdWords]);

// A session id for this opening, from 128 random bits.
std::string EncodeSessionId(uint64_t upper, uint64_t lower);

}  // namespace ROCKSDB_NAMESPACE::engine

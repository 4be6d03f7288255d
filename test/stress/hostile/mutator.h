// Mutator: makes a damaged input of a good one.
//
// Model. One to four changes in a row: a flipped bit, a byte, an integer that
// overflows somewhere (as fixed 16, 32, 64 bits or as a varint), a cut, a piece
// taken out, doubled or moved, two inputs spliced; in text, numbers and whole
// lines; and what the target itself knows to change. Then, mostly, checksums
// are made right.
//
// Threads. One at a time.

#pragma once

#include <string>
#include <vector>

#include "test/stress/hostile/target.h"

namespace ROCKSDB_NAMESPACE::hostile {

inline constexpr size_t kInputBytesMax = size_t{1} << 18;

// `others`: what may be spliced in.
void Mutate(const Target& target, const std::vector<std::string>& others,
            Random64* random, std::string* input);

// One change that knows no format.
void MutateBytes(Random64* random, std::string* input);

// The systematic part: of every byte of `seed` one bit flipped, with its
// checksum as it was and made right, and the cut before it.
inline constexpr size_t kChangesPerByte = 3;
void MakeChange(const Target& target, size_t change, std::string* input);

}  // namespace ROCKSDB_NAMESPACE::hostile

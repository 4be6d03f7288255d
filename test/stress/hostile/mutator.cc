#include "test/stress/hostile/mutator.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using engine::DecodeFixed16;
using engine::EncodeFixed16;
using engine::EncodeFixed32;
using engine::EncodeFixed64;
using engine::GetVarint64Ptr;
using engine::PutVarint64;

uint64_t InterestingNumber(Random64* random) {
  static constexpr uint64_t kNumbers[] = {0,
                                          1,
                                          2,
                                          7,
                                          8,
                                          0x7f,
                                          0x80,
                                          0xff,
                                          0x100,
                                          0x7fff,
                                          0x8000,
                                          0xffff,
                                          0x10000,
                                          0x0fffffff,
                                          0x10000000,
                                          0x3fffffff,
                                          0x40000000,
                                          0x7fffffff,
                                          0x80000000,
                                          0xfffffff0,
                                          0xfffffffb,
                                          0xffffffff,
                                          0x100000000,
                                          1ull << 40,
                                          (1ull << 56) - 1,
                                          1ull << 56,
                                          INT64_MAX,
                                          1ull << 63,
                                          UINT64_MAX - 5,
                                          UINT64_MAX};
  const uint64_t number = kNumbers[random->Uniform(std::size(kNumbers))];
  return random->OneIn(4) ? number + random->Uniform(17) - 8 : number;
}

size_t Place(Random64* random, const std::string& input) {
  // The ends of most formats are where they say what is in between.
  const size_t size = input.size();
  if (size > 80 && random->OneIn(4)) return size - 1 - random->Uniform(64);
  if (size > 80 && random->OneIn(8)) return random->Uniform(64);
  return random->Uniform(size);
}

size_t PieceSize(Random64* random, size_t limit) {
  return std::min<size_t>(limit, 1 + random->Skewed(12));
}

void SetFixed(Random64* random, std::string* input) {
  const size_t width = size_t{2} << random->Uniform(3);
  if (input->size() < width) return;
  const size_t at = std::min(Place(random, *input), input->size() - width);
  char* const p = input->data() + at;
  uint64_t number = InterestingNumber(random);
  if (random->OneIn(3)) {
    number = DecodeFixed16(p) + random->Uniform(9) - 4;
  }
  if (width == 2) EncodeFixed16(p, static_cast<uint16_t>(number));
  if (width == 4) EncodeFixed32(p, static_cast<uint32_t>(number));
  if (width == 8) EncodeFixed64(p, number);
}

void SetVarint(Random64* random, std::string* input) {
  const size_t at = Place(random, *input);
  uint64_t old = 0;
  const char* const end =
      GetVarint64Ptr(input->data() + at, input->data() + input->size(), &old);
  if (end == nullptr) return;
  std::string bytes;
  PutVarint64(&bytes, random->OneIn(2) ? InterestingNumber(random)
                                       : old + random->Uniform(9) - 4);
  input->replace(at, static_cast<size_t>(end - input->data()) - at, bytes);
}

void MovePiece(Random64* random, std::string* input) {
  const size_t from = Place(random, *input);
  const std::string piece =
      input->substr(from, PieceSize(random, input->size() - from));
  const size_t to = random->Uniform(input->size() + 1);
  if (random->OneIn(2)) {
    input->insert(to, piece);
  } else {
    input->replace(to, std::min(piece.size(), input->size() - to), piece);
  }
}

void ErasePiece(Random64* random, std::string* input) {
  const size_t from = Place(random, *input);
  input->erase(from, PieceSize(random, input->size() - from));
}

void InsertBytes(Random64* random, std::string* input) {
  std::string bytes(PieceSize(random, 64), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random->Uniform(256));
  if (random->OneIn(2)) bytes.assign(bytes.size(), bytes[0]);
  input->insert(random->Uniform(input->size() + 1), bytes);
}

// A run of digits becomes another number.
void SetTextNumber(Random64* random, std::string* input) {
  size_t from = Place(random, *input);
  while (from < input->size() && !std::isdigit((*input)[from] & 0xff)) ++from;
  if (from == input->size()) return;
  size_t end = from;
  while (end < input->size() && std::isdigit((*input)[end] & 0xff)) ++end;
  std::string number = std::to_string(InterestingNumber(random));
  if (random->OneIn(4)) number = "-" + number;
  if (random->OneIn(8)) number += "999999999999";
  if (random->OneIn(8)) number += ".5e308";
  input->replace(from, end - from, number);
}

// Takes out, doubles or swaps what stands between two separators.
void ChangeLine(Random64* random, std::string* input) {
  static constexpr char kSeparators[] = "\n;:=,{} ";
  const char separator =
      kSeparators[random->Uniform(std::size(kSeparators) - 1)];
  const size_t from = input->find(separator, Place(random, *input));
  if (from == std::string::npos) return;
  const size_t end = std::min(input->find(separator, from + 1), input->size());
  const std::string line = input->substr(from, end - from);
  if (random->OneIn(3)) {
    input->erase(from, end - from);
  } else if (random->OneIn(2)) {
    input->insert(end, line);
  } else {
    input->insert(std::min(input->size(), random->Uniform(input->size() + 1)),
                  line);
  }
}

void Splice(Random64* random, const std::vector<std::string>& others,
            std::string* input) {
  if (others.empty()) return;
  const std::string& other = others[random->Uniform(others.size())];
  if (other.empty()) return;
  const size_t from = random->Uniform(other.size());
  const size_t size = random->OneIn(2) ? other.size() - from
                                       : PieceSize(random, other.size() - from);
  const size_t to = random->Uniform(input->size() + 1);
  if (random->OneIn(2)) input->resize(to);
  input->insert(to, other, from, size);
}

}  // namespace

void MutateBytes(Random64* random, std::string* input) {
  if (input->empty()) return InsertBytes(random, input);
  switch (random->Uniform(12)) {
    case 0:
    case 1: {
      char& byte = (*input)[Place(random, *input)];
      byte = static_cast<char>(byte ^ (1 << random->Uniform(8)));
      return;
    }
    case 2:
      (*input)[Place(random, *input)] = static_cast<char>(random->Uniform(256));
      return;
    case 3:
    case 4:
      return SetFixed(random, input);
    case 5:
    case 6:
      return SetVarint(random, input);
    case 7:
      return MovePiece(random, input);
    case 8:
      return ErasePiece(random, input);
    case 9:
      return InsertBytes(random, input);
    case 10:
      return SetTextNumber(random, input);
    default:
      if (random->OneIn(2)) return ChangeLine(random, input);
      input->resize(random->Uniform(input->size()));
      return;
  }
}

void Mutate(const Target& target, const std::vector<std::string>& others,
            Random64* random, std::string* input) {
  const uint64_t changes = 1 + random->Skewed(2);
  for (uint64_t i = 0; i < changes; ++i) {
    if (target.mutate && !random->OneIn(3)) {
      target.mutate(random, input);
    } else if (random->OneIn(10)) {
      Splice(random, others, input);
    } else {
      MutateBytes(random, input);
    }
    if (input->size() > kInputBytesMax) input->resize(kInputBytesMax);
  }
  if (target.seal && !random->OneIn(10)) target.seal(input);
}

void MakeChange(const Target& target, size_t change, std::string* input) {
  const size_t at = change / kChangesPerByte;
  if (at >= input->size()) return;
  const size_t kind = change % kChangesPerByte;
  if (kind == 2) {
    input->resize(at);
    return;
  }
  (*input)[at] = static_cast<char>((*input)[at] ^ (1 << (at % 8)));
  if (kind == 1 && target.seal) target.seal(input);
}

}  // namespace ROCKSDB_NAMESPACE::hostile

#include "util/merge_operators.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The newest operand wins.
class PutOperator final : public MergeOperator {
 public:
  const char* Name() const override { return "PutOperator"; }
  const char* NickName() const override { return "put"; }

  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    merge_out->existing_operand = merge_in.operand_list.back();
    return true;
  }
  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    new_value->assign(operand_list.back().data(), operand_list.back().size());
    return true;
  }
};

// A number of any other size counts as 0, so that a damaged counter restarts
// instead of making its key unreadable.
class UInt64AddOperator final : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "UInt64AddOperator"; }
  const char* NickName() const override { return "uint64add"; }

  bool Merge(const Slice& /*key*/, const Slice* existing_value,
             const Slice& value, std::string* new_value,
             Logger* /*logger*/) const override {
    uint64_t sum = Decode(value);
    if (existing_value != nullptr) sum += Decode(*existing_value);
    new_value->clear();
    PutFixed64(new_value, sum);
    return true;
  }

 private:
  static uint64_t Decode(const Slice& value) {
    return value.size() == sizeof(uint64_t) ? DecodeFixed64(value.data()) : 0;
  }
};

class StringAppendOperator final : public MergeOperator {
 public:
  StringAppendOperator(std::string name, std::string nick_name,
                       std::string delimiter)
      : name_(std::move(name)),
        nick_name_(std::move(nick_name)),
        delimiter_(std::move(delimiter)) {}

  const char* Name() const override { return name_.c_str(); }
  const char* NickName() const override { return nick_name_.c_str(); }
  std::string GetId() const override {
    return "{id=" + name_ + ";delimiter=" + delimiter_ + ";}";
  }

  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    const Slice* const base = merge_in.existing_value;
    if (base == nullptr && merge_in.operand_list.size() == 1) {
      merge_out->existing_operand = merge_in.operand_list.front();
      return true;
    }
    merge_out->new_value.clear();
    if (base != nullptr) {
      merge_out->new_value.assign(base->data(), base->size());
    }
    Append(merge_in.operand_list, base == nullptr, &merge_out->new_value);
    return true;
  }

  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    new_value->clear();
    Append(operand_list, /*first=*/true, new_value);
    return true;
  }

 private:
  // `first`: nothing precedes the first operand, not even an empty value.
  template <typename Operands>
  void Append(const Operands& operands, bool first, std::string* out) const {
    size_t size = out->size();
    for (const Slice& operand : operands) {
      size += operand.size() + delimiter_.size();
    }
    out->reserve(size);
    for (const Slice& operand : operands) {
      if (!first) out->append(delimiter_);
      first = false;
      out->append(operand.data(), operand.size());
    }
  }

  const std::string name_;
  const std::string nick_name_;
  const std::string delimiter_;
};

class MaxOperator final : public MergeOperator {
 public:
  const char* Name() const override { return "MaxOperator"; }
  const char* NickName() const override { return "max"; }

  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    Slice largest = Largest(merge_in.operand_list);
    if (merge_in.existing_value != nullptr &&
        largest.compare(*merge_in.existing_value) < 0) {
      largest = *merge_in.existing_value;
    }
    merge_out->existing_operand = largest;
    return true;
  }
  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    const Slice largest = Largest(operand_list);
    new_value->assign(largest.data(), largest.size());
    return true;
  }

 private:
  template <typename Operands>
  static Slice Largest(const Operands& operands) {
    return *std::max_element(
        operands.begin(), operands.end(),
        [](const Slice& a, const Slice& b) { return a.compare(b) < 0; });
  }
};

class BytesXorOperator final : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "BytesXOR"; }
  const char* NickName() const override { return "bytesxor"; }

  bool Merge(const Slice& /*key*/, const Slice* existing_value,
             const Slice& value, std::string* new_value,
             Logger* /*logger*/) const override {
    new_value->assign(value.data(), value.size());
    if (existing_value == nullptr) return true;
    if (existing_value->size() > new_value->size()) {
      new_value->resize(existing_value->size(), '\0');
    }
    for (size_t i = 0; i < existing_value->size(); i++) {
      (*new_value)[i] =
          static_cast<char>((*new_value)[i] ^ (*existing_value)[i]);
    }
    return true;
  }
};

// Values and operands are sorted lists of integers, separated by commas.
class SortListOperator final : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "MergeSortOperator"; }
  const char* NickName() const override { return "sortlist"; }

  bool Merge(const Slice& /*key*/, const Slice* existing_value,
             const Slice& value, std::string* new_value,
             Logger* /*logger*/) const override {
    std::vector<int64_t> existing;
    std::vector<int64_t> added;
    if (existing_value != nullptr && !Parse(*existing_value, &existing)) {
      return false;
    }
    if (!Parse(value, &added)) return false;
    std::vector<int64_t> merged(existing.size() + added.size());
    std::merge(existing.begin(), existing.end(), added.begin(), added.end(),
               merged.begin());
    new_value->clear();
    for (const int64_t number : merged) {
      if (!new_value->empty()) new_value->push_back(',');
      new_value->append(std::to_string(number));
    }
    return true;
  }

 private:
  static bool Parse(const Slice& list, std::vector<int64_t>* numbers) {
    const char* p = list.data();
    const char* const end = p + list.size();
    while (p < end) {
      int64_t number = 0;
      const auto [stop, error] = std::from_chars(p, end, number);
      if (error != std::errc() || (stop != end && *stop != ',')) return false;
      numbers->push_back(number);
      p = stop == end ? end : stop + 1;
    }
    return true;
  }
};

// "{id=X;delimiter=Y;}" or "id=X;delimiter=Y" or just "X".
struct ParsedId {
  std::string id;
  std::string delimiter = ",";
};

ParsedId ParseId(std::string text) {
  ParsedId parsed;
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
    text = text.substr(1, text.size() - 2);
  }
  if (text.compare(0, 3, "id=") != 0) {
    parsed.id = text;
    return parsed;
  }
  const size_t id_end = std::min(text.find(';'), text.size());
  parsed.id = text.substr(3, id_end - 3);
  constexpr char kDelimiter[] = "delimiter=";
  const size_t at = text.find(kDelimiter, id_end);
  if (at == std::string::npos) return parsed;
  parsed.delimiter = text.substr(at + sizeof(kDelimiter) - 1);
  // The closing ';' belongs to the text, unless the delimiter is ';' itself.
  if (parsed.delimiter.size() > 1 && parsed.delimiter.back() == ';') {
    parsed.delimiter.pop_back();
  } else if (parsed.delimiter == ";") {
    parsed.delimiter.clear();
  }
  return parsed;
}

}  // namespace

std::shared_ptr<MergeOperator> NewPutOperator() {
  return std::make_shared<PutOperator>();
}

std::shared_ptr<MergeOperator> NewUInt64AddOperator() {
  return std::make_shared<UInt64AddOperator>();
}

std::shared_ptr<MergeOperator> NewStringAppendOperator(std::string delimiter) {
  return std::make_shared<StringAppendOperator>(
      "StringAppendOperator", "stringappend", std::move(delimiter));
}

std::shared_ptr<MergeOperator> NewStringAppendTestOperator(
    std::string delimiter) {
  return std::make_shared<StringAppendOperator>(
      "StringAppendTESTOperator", "stringappendtest", std::move(delimiter));
}

std::shared_ptr<MergeOperator> NewMaxOperator() {
  return std::make_shared<MaxOperator>();
}

std::shared_ptr<MergeOperator> NewBytesXorOperator() {
  return std::make_shared<BytesXorOperator>();
}

std::shared_ptr<MergeOperator> NewSortListOperator() {
  return std::make_shared<SortListOperator>();
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

Status MergeOperator::CreateFromString(const ConfigOptions& /*opts*/,
                                       const std::string& id,
                                       std::shared_ptr<MergeOperator>* result) {
  if (id.empty() || id == "nullptr") {
    result->reset();
    return Status::OK();
  }
  const engine::ParsedId parsed = engine::ParseId(id);
  for (const auto& known :
       {engine::NewPutOperator(), engine::NewUInt64AddOperator(),
        engine::NewStringAppendOperator(parsed.delimiter),
        engine::NewStringAppendTestOperator(parsed.delimiter),
        engine::NewMaxOperator(), engine::NewBytesXorOperator(),
        engine::NewSortListOperator()}) {
    if (known->IsInstanceOf(parsed.id)) {
      *result = known;
      return Status::OK();
    }
  }
  return Status::NotSupported("Could not load MergeOperator", id);
}

}  // namespace ROCKSDB_NAMESPACE

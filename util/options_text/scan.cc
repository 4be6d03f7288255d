#include "util/options_text/scan.h"

#include <charconv>
#include <limits>
#include <system_error>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// Does "name=" follow at `pos` (after blanks)?
bool NameFollows(std::string_view text, size_t pos) {
  while (pos < text.size() && IsSpace(text[pos])) ++pos;
  const size_t begin = pos;
  while (pos < text.size() && IsNameByte(text[pos])) ++pos;
  return pos > begin && pos < text.size() && text[pos] == '=';
}

// The index behind the '}' that closes the '{' at `open`; npos: none.
size_t CloseOf(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

Status Unbalanced(std::string_view text) {
  return Status::InvalidArgument("Mismatched curly braces in options",
                                 Slice(text.data(), text.size()));
}

// One value and the index of the separator behind it (or the end).
struct ValueSpan {
  std::string_view value;
  size_t end;
};

// Strips the braces of a value that is one nested text; a list of such
// texts, "{...}:{...}", keeps them.
Result<std::string_view> StripBraces(std::string_view value) {
  if (value.empty() || value.front() != '{') return value;
  const size_t close = CloseOf(value, 0);
  if (close == value.size()) {
    return TrimText(value.substr(1, value.size() - 2));
  }
  const std::string_view rest = TrimText(value.substr(close));
  if (rest.front() == ':') return value;
  return Status::InvalidArgument("Unexpected characters after nested options",
                                 Slice(rest.data(), rest.size()));
}

Result<ValueSpan> ScanValue(std::string_view text, size_t pos, bool commas) {
  size_t end = pos;
  while (end < text.size()) {
    const char c = text[end];
    if (c == ';' || (commas && c == ',' && NameFollows(text, end + 1))) break;
    if (c == '{') {
      end = CloseOf(text, end);
      if (end == std::string_view::npos) return Unbalanced(text);
    } else {
      ++end;
    }
  }
  const Result<std::string_view> value =
      StripBraces(TrimText(text.substr(pos, end - pos)));
  if (!value.ok()) return value.status();
  return ValueSpan{*value, end};
}

Result<std::vector<Setting>> Split(std::string_view text, bool commas) {
  text = TrimText(text);
  if (!text.empty() && text.front() == '{' && CloseOf(text, 0) == text.size()) {
    text = text.substr(1, text.size() - 2);
  }
  std::vector<Setting> settings;
  size_t pos = 0;
  while (pos < text.size()) {
    if (IsSpace(text[pos]) || text[pos] == ';' ||
        (commas && text[pos] == ',')) {
      ++pos;
      continue;
    }
    const size_t equals = text.find('=', pos);
    const size_t separator = text.find(';', pos);
    if (equals == std::string_view::npos || separator < equals) {
      return Status::InvalidArgument(
          "Mismatched key value pair, '=' expected",
          Slice(text.data() + pos, text.size() - pos));
    }
    const std::string_view name = TrimText(text.substr(pos, equals - pos));
    if (name.empty()) return Status::InvalidArgument("Empty key found");
    const Result<ValueSpan> value = ScanValue(text, equals + 1, commas);
    if (!value.ok()) return value.status();
    settings.emplace_back(name, value->value);
    pos = value->end + 1;
  }
  return settings;
}

// Splits number and suffix; *shift is the power of two of the suffix.
Status SplitSuffix(std::string_view* text, int* shift) {
  *shift = 0;
  std::string_view digits = *text;
  if (digits.size() > 1 && (digits.back() == 'b' || digits.back() == 'B')) {
    digits.remove_suffix(1);
  }
  const char last = digits.empty() ? '0' : digits.back();
  switch (last) {
    case 'k':
    case 'K':
      *shift = 10;
      break;
    case 'm':
    case 'M':
      *shift = 20;
      break;
    case 'g':
    case 'G':
      *shift = 30;
      break;
    case 't':
    case 'T':
      *shift = 40;
      break;
    default:
      return Status::OK();  // A lone B is left for the number to refuse.
  }
  digits.remove_suffix(1);
  *text = digits;
  return Status::OK();
}

Status NotANumber(std::string_view text) {
  return Status::InvalidArgument("not a number in range",
                                 Slice(text.data(), text.size()));
}

}  // namespace

std::string_view TrimText(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

Result<std::vector<Setting>> SplitSettings(std::string_view text) {
  return Split(text, /*commas=*/false);
}

Result<std::vector<Setting>> SplitSettingsOrCommas(std::string_view text) {
  return Split(text, /*commas=*/true);
}

Result<std::vector<std::string>> SplitList(std::string_view text,
                                           char separator) {
  std::vector<std::string> parts;
  text = TrimText(text);
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = begin;
    std::string_view part;
    if (text[begin] == '{') {
      end = CloseOf(text, begin);
      if (end == std::string_view::npos) return Unbalanced(text);
      part = text.substr(begin + 1, end - begin - 2);
    } else {
      while (end < text.size() && text[end] != separator) {
        end += text[end] == '\\' ? 2u : 1u;
      }
      end = end < text.size() ? end : text.size();
      part = text.substr(begin, end - begin);
    }
    parts.emplace_back(TrimText(part));
    begin = end + 1;
  }
  return parts;
}

std::string EscapeText(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      escaped += "\\n";
    } else if (c == '\r') {
      escaped += "\\r";
    } else {
      if (c == '\\' || c == '#' || c == ':') escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string UnescapeText(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char next = text[++i];
    plain += next == 'n' ? '\n' : next == 'r' ? '\r' : next;
  }
  return plain;
}

Status ParseBool(std::string_view text, bool* value) {
  text = TrimText(text);
  if (text == "true" || text == "1") {
    *value = true;
  } else if (text == "false" || text == "0") {
    *value = false;
  } else {
    return Status::InvalidArgument("not true or false",
                                   Slice(text.data(), text.size()));
  }
  return Status::OK();
}

Status ParseUnsigned(std::string_view text, uint64_t max, uint64_t* value) {
  const std::string_view whole = text = TrimText(text);
  int shift = 0;
  RETURN_IF_ERROR(SplitSuffix(&text, &shift));
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      number > max >> shift) {
    return NotANumber(whole);
  }
  *value = number << shift;
  return Status::OK();
}

Status ParseSigned(std::string_view text, int64_t min, int64_t max,
                   int64_t* value) {
  const std::string_view whole = text = TrimText(text);
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  // -(min + 1) + 1 is -min without overflow.
  const uint64_t bound = negative ? static_cast<uint64_t>(-(min + 1)) + 1
                                  : static_cast<uint64_t>(max);
  uint64_t magnitude = 0;
  if (!ParseUnsigned(text, bound, &magnitude).ok() || (negative && min > 0)) {
    return NotANumber(whole);
  }
  *value = static_cast<int64_t>(negative ? uint64_t{0} - magnitude : magnitude);
  return Status::OK();
}

Status ParseDouble(std::string_view text, double* value) {
  text = TrimText(text);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), *value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return NotANumber(text);
  }
  return Status::OK();
}

std::string PrintDouble(double value) {
  char digits[400];  // The largest double has 309 digits before the point.
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits),
                                          value, std::chars_format::fixed, 6);
  return error == std::errc() ? std::string(digits, end) : "nan";
}

}  // namespace ROCKSDB_NAMESPACE::engine

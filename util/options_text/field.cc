#include "util/options_text/field.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// People and scripts read the LOG's options right-aligned to this column.
constexpr size_t kLogNameColumn = 48;

Status WithName(const Status& status, std::string_view name) {
  return Status::InvalidArgument(
      "Error parsing " + std::string(name),
      status.getState() != nullptr ? status.getState() : "");
}

bool Written(const OptionField& field, const TextMode& mode) {
  if (field.Has(kNotStored)) return false;
  // Obsolete ones may be set, but there is nothing to change.
  if (mode.mutable_only && (!field.Has(kMutable) || field.Has(kObsolete))) {
    return false;
  }
  return !mode.shared_only || field.Has(kShared);
}

}  // namespace

const OptionField* FindField(FieldTable fields, std::string_view name) {
  const auto row =
      std::find_if(fields.begin(), fields.end(),
                   [&](const OptionField& f) { return name == f.name; });
  return row == fields.end() ? nullptr : &*row;
}

Status SetField(FieldTable fields, const TextMode& mode, std::string_view name,
                std::string_view value, void* object) {
  const size_t dot = name.find('.');
  const OptionField* field = FindField(fields, name.substr(0, dot));
  const bool nested = dot != std::string_view::npos;
  if (field == nullptr || (nested && field->kind->fields().empty())) {
    if (mode.ignore_unknown) return Status::OK();
    return Status::InvalidArgument("Could not find option",
                                   Slice(name.data(), name.size()));
  }
  if (mode.mutable_only && !field->Has(kMutable)) {
    return Status::InvalidArgument("Option not changeable", field->name);
  }
  void* const place = field->at(object);
  if (nested) {
    TextMode inner = mode;
    inner.mutable_only = false;  // The outer row decided.
    return SetField(field->kind->fields(), inner, name.substr(dot + 1), value,
                    place);
  }
  Status status = field->kind->parse(mode, value, place);
  if (status.ok()) return status;
  // A plug-in that is not here is not a mistake of the text.
  if (status.IsNotSupported()) return status;
  return WithName(status, name);
}

Status ParseStruct(std::span<const OptionField> fields, const TextMode& mode,
                   std::string_view text, void* object) {
  const Result<std::vector<Setting>> settings = SplitSettings(text);
  if (!settings.ok()) return settings.status();
  TextMode inner = mode;
  inner.mutable_only = false;
  for (const auto& [name, value] : *settings) {
    RETURN_IF_ERROR(SetField(fields, inner, name, value, object));
  }
  return Status::OK();
}

void PrintStruct(std::span<const OptionField> fields, const TextMode& mode,
                 const void* object, std::string* out) {
  TextMode inner = mode;
  inner.mutable_only = false;
  *out += '{';
  PrintFields(fields, inner, object, ";", out);
  *out += '}';
}

void PrintFields(FieldTable fields, const TextMode& mode, const void* object,
                 std::string_view delimiter, std::string* out) {
  for (const OptionField& field : fields) {
    if (!Written(field, mode)) continue;
    *out += field.name;
    *out += '=';
    const std::string value = PrintField(field, mode, object);
    // A separator inside a value would end it; braces keep it together.
    const bool wrap = value.find(';') != std::string::npos &&
                      value.front() != '{' && delimiter.front() == ';';
    *out += wrap ? "{" + value + "}" : value;
    *out += delimiter;
  }
}

std::string PrintField(const OptionField& field, const TextMode& mode,
                       const void* object) {
  std::string text;
  field.kind->print(mode, field.Of(object), &text);
  return text;
}

bool IsRefused(const OptionField& field, const void* object) {
  if (field.refused == nullptr) return false;
  const std::string value =
      PrintField(field, TextMode{.shallow = true}, object);
  if (std::string_view(field.refused) == kAnyObject) return value != "nullptr";
  const Result<std::vector<std::string>> refused =
      SplitList(field.refused, '|');
  return refused.ok() &&
         std::find(refused->begin(), refused->end(), value) != refused->end();
}

bool SameValue(const OptionField& field, const void* a, const void* b) {
  const TextMode mode;
  return PrintField(field, mode, a) == PrintField(field, mode, b);
}

std::vector<std::string> LogLines(FieldTable fields, const void* object,
                                  const std::string& prefix) {
  std::vector<std::string> lines;
  for (const OptionField& field : fields) {
    if (field.Has(kObsolete)) continue;
    const std::string name = prefix + field.name;
    const FieldTable inner = field.kind->fields();
    if (!inner.empty()) {
      for (std::string& line : LogLines(inner, field.Of(object), name + ".")) {
        lines.push_back(std::move(line));
      }
      continue;
    }
    std::string line(
        name.size() < kLogNameColumn ? kLogNameColumn - name.size() : 0, ' ');
    line += name + ": ";
    field.kind->log(field.Of(object), &line);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ROCKSDB_NAMESPACE::engine

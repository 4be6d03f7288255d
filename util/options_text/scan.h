// Splitting and escaping of options text, and its scalar values.
//
// Place. Lowest part of util/options_text: knows characters, not options.
//
// Model. A list of settings is "name=value;name=value"; a value that begins
// with '{' ends at the matching '}' and is stripped of both. Elements of a
// list value are separated by ':'. In strings a backslash stands before \, #
// and :, and \n and \r mean what they mean in C.
//
// Threads. Pure functions.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/status.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

using Setting = std::pair<std::string, std::string>;

std::string_view TrimText(std::string_view text);

// "a=1;b={c=2;d=3}" -> {a, 1}, {b, c=2;d=3}. Empty settings are skipped. A
// whole text in braces is read without them.
Result<std::vector<Setting>> SplitSettings(std::string_view text);

// The same, where a comma before something like "name=" also separates: the
// form in which Ceph passes options.
Result<std::vector<Setting>> SplitSettingsOrCommas(std::string_view text);

// Parts between separators that are outside of braces and not escaped.
// Elements in braces are stripped of them. Empty text: no parts.
Result<std::vector<std::string>> SplitList(std::string_view text,
                                           char separator);

std::string EscapeText(std::string_view text);
std::string UnescapeText(std::string_view text);

Status ParseBool(std::string_view text, bool* value);
// Decimal, with an optional suffix k, m, g or t (1024-based), each also with
// a B behind it. InvalidArgument outside of [min, max].
Status ParseSigned(std::string_view text, int64_t min, int64_t max,
                   int64_t* value);
Status ParseUnsigned(std::string_view text, uint64_t max, uint64_t* value);
Status ParseDouble(std::string_view text, double* value);

// Six digits behind a point, whatever the locale.
std::string PrintDouble(double value);

}  // namespace ROCKSDB_NAMESPACE::engine

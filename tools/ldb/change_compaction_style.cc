// Makes a database of leveled compaction ready for another style: one table,
// in level 0.

#include <cstdio>
#include <optional>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

constexpr char kSeeHelp[] =
    " Check ldb help for proper compaction style value.\n";

std::optional<CompactionStyle> StyleOf(const Arguments& arguments,
                                       const char* flag) {
  const std::string text = arguments.Text(flag);
  if (text == "0") return kCompactionStyleLevel;
  if (text == "1") return kCompactionStyleUniversal;
  return std::nullopt;
}

Outcome ChangeCompactionStyle(const Arguments& arguments) {
  const auto before = StyleOf(arguments, "old_compaction_style");
  if (!before) {
    return Outcome::Fail(
        std::string("Use --old_compaction_style to specify old compaction "
                    "style.") +
        kSeeHelp);
  }
  const auto after = StyleOf(arguments, "new_compaction_style");
  if (!after) {
    return Outcome::Fail(
        std::string("Use --new_compaction_style to specify new compaction "
                    "style.") +
        kSeeHelp);
  }
  if (*before == *after) {
    return Outcome::Fail(
        "Old compaction style is the same as new compaction style. Nothing to "
        "do.\n");
  }
  if (*before == kCompactionStyleUniversal) {
    return Outcome::Fail(
        "Convert from universal compaction to level compaction. Nothing to "
        "do.\n");
  }
  auto session =
      Session::Open(arguments, OpenMode::kWritable, [](auto* options) {
        options->disable_auto_compactions = true;
        options->target_file_size_base = uint64_t{1} << 50;
        options->target_file_size_multiplier = 1;
        options->max_compaction_bytes = uint64_t{1} << 60;
      });
  if (!session.ok()) return session.status();
  std::printf("files per level before compaction: %s\n",
              (*session)->FilesPerLevel().c_str());
  CompactRangeOptions options;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  options.max_subcompactions = 1;
  options.change_level = true;
  options.target_level = 0;
  RETURN_IF_ERROR((*session)->db()->CompactRange(options, (*session)->family(),
                                                 nullptr, nullptr));
  std::printf("files per level after compaction: %s\n",
              (*session)->FilesPerLevel().c_str());
  return (*session)->Close();
}

const char* const kChangeCompactionStyleFlags[] = {"old_compaction_style",
                                                   "new_compaction_style"};

}  // namespace

const Command kChangeCompactionStyle = {
    "change_compaction_style",
    "--old_compaction_style=<Old compaction style: 0 for level compaction, 1 "
    "for universal compaction> --new_compaction_style=<New compaction style: 0 "
    "for level compaction, 1 for universal compaction>",
    kChangeCompactionStyleFlags, true, ChangeCompactionStyle};

}  // namespace ROCKSDB_NAMESPACE::ldb

#include "test/stress/options/draw_options.h"

#include <algorithm>
#include <string_view>

#include "db/options/objects.h"
#include "test/stress/history/operation.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using engine::FieldTable;
using engine::OptionField;
using engine::Random64;

// Values that a release does not know, or that it cannot live with.
struct Unfit {
  Since until;  // Fits releases after this one.
  const char* name;
  const char* value;
};
constexpr Unfit kUnfit[] = {
    {Since::k7, "format_version", "6"},
    {Since::k7, "format_version", "7"},
    {Since::k7, "lowest_used_cache_tier", "kVolatileCompressedTier"},
    // A memtable whose first block fills it is full when it is made.
    {Since::k11, "arena_block_size", "65536"},
    {Since::k11, "memtable_huge_page_size", "2097152"},
    // Flush and CompactRange may wait for ever (issues 12094 and 13280).
    {Since::k11, "min_write_buffer_number_to_merge", "2"},
    {Since::k11, "min_write_buffer_number_to_merge", "3"},
    {Since::k7, "memtable_prefix_bloom_size_ratio", "0.25"},
};

// Can a database written with this value be read by every release from
// `since` on, and do they know its name?
bool IsAllowed(Since since, const OptionValues& option,
               std::string_view value) {
  return option.since <= since &&
         std::none_of(std::begin(kUnfit), std::end(kUnfit),
                      [&](const Unfit& unfit) {
                        return since <= unfit.until &&
                               option.name == std::string_view(unfit.name) &&
                               value == unfit.value;
                      });
}

// Options at their defaults are as instructive as others, so some sets change
// little and some much.
struct Draw {
  Random64 random;
  Random64 fixed;  // Of options that a database keeps.
  uint64_t chance = 0;
  uint64_t fixed_chance = 0;

  Draw(const DrawRequest& request, std::string_view name)
      : random(Fingerprint(name, request.seed * 1000003 + request.opening)),
        fixed(Fingerprint(name, ~request.seed)) {
    constexpr uint64_t kChances[] = {5, 15, 30, 50, 80};
    chance = kChances[random.Uniform(std::size(kChances))];
    fixed_chance = kChances[fixed.Uniform(std::size(kChances))];
  }

  Settings Of(Section section, const DrawRequest& request) {
    Settings drawn;
    for (const OptionValues& option : ValuesOf(section)) {
      const bool of_tuner =
          option.name == std::string_view("auto_tuned_compaction");
      const bool left = std::count(request.without.begin(),
                                   request.without.end(), option.name) > 0;
      if (of_tuner && !request.tuner) continue;
      Random64& source = option.fixed_for_database ? fixed : random;
      // The tuner is on in about a third of all sets.
      const uint64_t odds = of_tuner                    ? 50
                            : option.fixed_for_database ? fixed_chance
                                                        : chance;
      const bool changed = source.Uniform(100) < odds;
      const char* const value =
          option.values[source.Uniform(option.values.size())];
      if (changed && !left && IsAllowed(request.since, option, value)) {
        drawn[option.name] = value;
      }
    }
    return drawn;
  }
};

bool Is(const Settings& settings, const char* name, std::string_view value) {
  const auto it = settings.find(name);
  return it != settings.end() && it->second == value;
}

int NumberIn(const Settings& settings, const char* name, int fallback) {
  const auto it = settings.find(name);
  return it == settings.end() ? fallback
                              : static_cast<int>(NumberOf(it->second));
}

void RepairTable(const Settings& options, Settings* table) {
  if (Is(*table, "index_type", "kHashSearch") &&
      !options.contains("prefix_extractor")) {
    table->erase("index_type");
  }
  if (Is(*table, "no_block_cache", "true")) {
    table->erase("cache_index_and_filter_blocks");
    table->erase("pin_l0_filter_and_index_blocks_in_cache");
    table->erase("block_cache");
    table->erase("prepopulate_block_cache");
  }
  if (Is(*table, "block_align", "true") &&
      !Is(options, "compression", "kNoCompression")) {
    table->erase("block_align");
  }
  if (Is(*table, "block_align", "true")) {
    table->erase("super_block_alignment_size");
    table->erase("flush_block_policy_factory");  // A page for each key.
  }
  // RocksDB asks for a power of two with aligned blocks.
  if (Is(*table, "block_align", "true") && Is(*table, "block_size", "1")) {
    table->erase("block_size");
  }
}

// RocksDB asserts, or refuses, what is ignored here.
void RepairForOthers(FamilySettings* family) {
  if (!Is(family->table, "index_type", "kTwoLevelIndexSearch")) {
    family->table.erase("partition_filters");
  }
  if (Is(family->table, "index_type", "kHashSearch")) {
    family->table.erase("index_block_restart_interval");
    // Keys that are shorter have no fixed prefix.
    const auto prefix = family->options.find("prefix_extractor");
    if (prefix != family->options.end() &&
        prefix->second.starts_with("rocksdb.FixedPrefix")) {
      family->table.erase("index_type");
    }
  }
}

// The kind is drawn once per option set: a log with prepared transactions is
// for a TransactionDB.
Settings DrawTransactions(const DrawRequest& request) {
  constexpr const char* kKinds[] = {"locking", "locking", "optimistic", "", ""};
  constexpr const char* kStripes[] = {"1", "3", "16"};
  const bool left = std::count(request.without.begin(), request.without.end(),
                               "transactions") > 0;
  if (request.seed == 0 || !request.transactions || left) return {};
  Draw draw(request, "transactions");
  const std::string kind = kKinds[draw.fixed.Uniform(std::size(kKinds))];
  if (kind.empty()) {
    return draw.random.OneIn(4) ? Settings{{"trim", "true"}} : Settings();
  }
  Settings drawn = {{"kind", kind}};
  if (kind == "locking") {
    drawn["num_stripes"] = kStripes[draw.random.Uniform(std::size(kStripes))];
    if (draw.random.OneIn(4)) drawn["skip_concurrency_control"] = "true";
  } else if (draw.random.OneIn(2)) {
    drawn["validate_policy"] = "kValidateSerial";
  }
  return drawn;
}

FamilySettings DrawFamily(const DrawRequest& request, const Settings& db,
                          const std::string& name) {
  FamilySettings family;
  if (request.seed == 0) return family;
  Draw draw(request, "family " + name);
  family.options = draw.Of(Section::kFamily, request);
  family.table = draw.Of(Section::kTable, request);
  if (request.since == Since::k7) {
    // The default is a newer one.
    family.table.emplace("format_version", "5");
    // It asserts that no block of an ingested file begins with a deletion that
    // has a timestamp, where the index holds the first keys of blocks.
    if (HasTimestamps(name) &&
        Is(family.table, "index_type", "kBinarySearchWithFirstKey")) {
      family.table.erase("index_type");
    }
  }
  if (request.since != Since::kOurs) RepairForOthers(&family);
  Repair(db, &family);
  return family;
}

Settings DrawDb(const DrawRequest& request) {
  if (request.seed == 0) return {};
  Settings db = Draw(request, "db").Of(Section::kDb, request);
  if (request.since != Since::kOurs && Is(db, "allow_mmap_reads", "true")) {
    db.erase("use_direct_io_for_flush_and_compaction");
  }
  if (Is(DrawTransactions(request), "trim", "true")) {
    db.erase("avoid_flush_during_recovery");
  }
  // RocksDB refuses both, because a commit is several writes.
  if (Is(DrawTransactions(request), "kind", "locking")) {
    db.erase("unordered_write");
    // With pipelined writes genuine releases, 7.8.3 and 11.8.1, delete logs
    // that hold prepared transactions.
    if (request.since != Since::kOurs) db.erase("enable_pipelined_write");
  }
  Repair(&db);
  return db;
}

std::string Text(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += (text.empty() ? "" : "; ") + name + "=" + value;
  }
  return text;
}

}  // namespace

void Repair(Settings* db) {
  if (Is(*db, "allow_mmap_reads", "true")) db->erase("use_direct_reads");
  if (Is(*db, "enable_pipelined_write", "true")) {
    for (const char* name :
         {"unordered_write", "atomic_flush", "two_write_queues"}) {
      db->erase(name);
    }
  }
  if (Is(*db, "allow_concurrent_memtable_write", "false")) {
    db->erase("unordered_write");
  }
  // A program that keeps logs back must not close without flushing them, and
  // RocksDB does not take both.
  if (Is(*db, "atomic_flush", "true")) db->erase("unordered_write");
}

void Repair(const Settings& db, FamilySettings* family) {
  Settings& options = family->options;
  const auto memtable = options.find("memtable_factory");
  if (memtable != options.end() && !memtable->second.starts_with("skip_list") &&
      !Is(db, "allow_concurrent_memtable_write", "false")) {
    options.erase(memtable);  // The others take no concurrent writes.
  }
  // An operand that is merged as it comes needs those before it.
  if (Is(db, "unordered_write", "true")) options.erase("max_successive_merges");
  // Legal, but a program that never compacts stops writing.
  if (Is(options, "disable_auto_compactions", "true")) {
    options["level0_slowdown_writes_trigger"] = "10000";
    options["level0_stop_writes_trigger"] = "10000";
  }
  // Bits of one type belong to another where compression differs by level.
  if (Is(options, "compression", "kNoCompression") &&
      (options.contains("compression_per_level") ||
       options.contains("bottommost_compression"))) {
    family->table.erase("block_align");
  }
  const int levels = NumberIn(options, "num_levels", 7);
  if (NumberIn(options, "blob_file_starting_level", 0) >= levels) {
    options.erase("blob_file_starting_level");
  }
  RepairTable(options, &family->table);
}

DrawnOptions DrawOptions(const DrawRequest& request,
                         const std::vector<std::string>& families) {
  DrawnOptions drawn;
  drawn.db = DrawDb(request);
  drawn.transactions = DrawTransactions(request);
  for (const std::string& name : families) {
    drawn.families[name] = DrawFamily(request, drawn.db, name);
  }
  if (request.seed == 0) return drawn;
  Draw draw(request, "calls");
  drawn.reads = draw.Of(Section::kRead, request);
  drawn.writes = draw.Of(Section::kWrite, request);
  if (Is(drawn.writes, "disableWAL", "true")) drawn.writes.erase("sync");
  return drawn;
}

FamilySettings DrawFamily(const DrawRequest& request,
                          const std::string& family) {
  return DrawFamily(request, DrawDb(request), family);
}

std::string DrawnOptions::ToString() const {
  std::string text = "db: " + Text(db);
  for (const auto& [name, family] : families) {
    text += "\n  family " + name + ": " + Text(family.options) +
            "\n    table: " + Text(family.table);
  }
  return text + "\n  reads: " + Text(reads) + "\n  writes: " + Text(writes) +
         "\n  transactions: " + Text(transactions);
}

std::vector<std::pair<std::string, std::string>> MutableChanges(Section section,
                                                                Since since) {
  const FieldTable fields = section == Section::kDb ? engine::DbOptionFields()
                            : section == Section::kFamily
                                ? engine::CfOptionFields()
                                : engine::BlockBasedTableOptionFields();
  std::vector<std::pair<std::string, std::string>> changes;
  for (const OptionValues& option : ValuesOf(section)) {
    const OptionField* const field = engine::FindField(fields, option.name);
    if (field == nullptr || !field->Has(engine::kMutable)) continue;
    // Refused while writes are unordered.
    if (std::string_view(option.name) == "max_successive_merges") continue;
    // Forbids compression, which another change may turn on.
    if (std::string_view(option.name) == "block_align") continue;
    // RocksDB does not check it together with the index type.
    if (std::string_view(option.name) == "index_block_restart_interval" &&
        since != Since::kOurs) {
      continue;
    }
    // 7.8.3 asserts that a block of the arena is smaller, which it was before.
    if (std::string_view(option.name) == "write_buffer_size" &&
        since == Since::k7) {
      continue;
    }
    for (const char* value : option.values) {
      if (IsAllowed(since, option, value)) {
        changes.emplace_back(option.name, value);
      }
    }
  }
  return changes;
}

std::pair<std::string, std::string> SpellTableChange(const std::string& name,
                                                     const std::string& value,
                                                     uint64_t spelling) {
  const char* const factory =
      spelling % 2 == 0 ? "block_based_table_factory" : "table_factory";
  // A value in braces would lose them as a member.
  if (spelling < 2 || value.starts_with('{')) {
    return {factory, "{" + name + "=" + value + "}"};
  }
  return {std::string(factory) + "." + name, value};
}

std::string OptionString(const Settings& db, const FamilySettings& family) {
  std::string text;
  for (const auto& [name, value] : db) text += name + "=" + value + ";";
  for (const auto& [name, value] : family.options) {
    text += name + "=" + value + ";";
  }
  text += "block_based_table_factory={";
  for (const auto& [name, value] : family.table) {
    text += name + "=" + value + ";";
  }
  return text + "}";
}

}  // namespace ROCKSDB_NAMESPACE::stress

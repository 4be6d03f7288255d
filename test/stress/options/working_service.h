// WorkingService: a CompactionService whose worker is the thread that waits.
//
// Place. An option as any other (option_values.h): a history's answers do not
// depend on who compacts.
//
// Model. Schedule() keeps the input, Wait() hands it to DB::OpenAndCompact(),
// which opens the database from its files as another process would. Each job
// writes into a folder of its own in `folder`, which is emptied before it.
// Jobs of families that it does not serve, and every fifth one, are left to the
// database.
//
// Invariants. A job that fails is not tried again here: the database does that.
//
// Threads. Any.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

class WorkingService final : public CompactionService {
 public:
  // `env` is the database's.
  WorkingService(Env* env, std::string folder);
  const char* Name() const override { return "WorkingService"; }

  // The objects of a family's options that its OPTIONS file cannot name.
  // kAnyFamily: of those that are not named.
  static constexpr const char* kAnyFamily = "";
  void Serve(const std::string& family, const ColumnFamilyOptions& options);

  CompactionServiceScheduleResponse Schedule(const CompactionServiceJobInfo&,
                                             const std::string& input) override;
  CompactionServiceJobStatus Wait(const std::string& id,
                                  std::string* result) override;
  void CancelAwaitingJobs() override { canceled_ = true; }
  void OnInstallation(const std::string& id,
                      CompactionServiceJobStatus status) override;

 private:
  struct Job {
    std::string db_name;
    std::string family;
    std::string input;
  };

  // Null: none. Holding mu_.
  const CompactionServiceOptionsOverride* Find(const std::string& family) const;
  void RemoveFolder(const std::string& id) const;

  Env* const env_;
  const std::string folder_;
  std::atomic<bool> canceled_{false};  // In this session.
  std::mutex mu_;
  std::string session_;  // One opening of the database after another.
  uint64_t offers_ = 0;
  std::map<std::string, Job> jobs_;
  std::map<std::string, CompactionServiceOptionsOverride> served_;
};

bool IsWorking(const std::shared_ptr<CompactionService>& service);

// Does nothing if the database has no such service. Called for every family,
// with the options with which it is opened.
void ServeFamily(const DBOptions& db, const std::string& family,
                 const ColumnFamilyOptions& options);

}  // namespace ROCKSDB_NAMESPACE::stress

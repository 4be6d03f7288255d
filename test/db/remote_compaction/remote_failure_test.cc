// A compaction service that fails, lies or is stopped: nothing of the database
// changes, and the next compaction goes well.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "db/remote_compaction/compaction_input.h"
#include "db/remote_compaction/compaction_result.h"
#include "rocksdb/convenience.h"
#include "test/db/remote_compaction/service_fixture.h"
#include "test/support/error_fs.h"
#include "test/support/text_log.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::RemoteInput;
using engine::RemoteResult;

class RemoteFailure : public RemoteFixture {
 protected:
  static constexpr const char* kRows = "a=new b=1 c=1 ";

  std::set<std::string> LiveFiles() {
    std::vector<LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    std::set<std::string> names;
    for (const LiveFileMetaData& file : live) names.insert(file.name);
    return names;
  }
  // A compaction that fails with these words.
  void ExpectRefused(const std::string& words) {
    const std::set<std::string> before = LiveFiles();
    const Status status = Compact();
    EXPECT_TRUE(status.IsIOError()) << status.ToString();
    EXPECT_NE(std::string::npos, status.ToString().find(words))
        << status.ToString();
    EXPECT_EQ(before, LiveFiles());
    EXPECT_EQ(kRows, Rows());
  }
  void ExpectHealthy() {
    service_->answer = [this](const std::string& input, std::string* result) {
      return RunWorker(input, result);
    };
    Ok(Compact());
    EXPECT_EQ("0", Property("rocksdb.num-files-at-level0"));
    EXPECT_EQ(kRows, Rows());
    Put("later", "1");  // Writes go on.
    Flush();
    // No table but the live ones is in the directory.
    WaitForCompactOptions wait;
    wait.wait_for_purge = true;
    Ok(db_->WaitForCompact(wait));
    EXPECT_EQ(LiveFiles().size(), FilesIn(kPath).size());
  }
  // The worker's result, changed.
  void ChangeResult(const std::function<void(RemoteResult*)>& change) {
    service_->answer = [this, change](const std::string& input,
                                      std::string* result) {
      std::string bytes;
      EXPECT_EQ(JobStatus::kSuccess, RunWorker(input, &bytes));
      RemoteResult read;
      Ok(read.DecodeFrom(bytes));
      change(&read);
      *result = read.Encode();
      return JobStatus::kSuccess;
    };
  }
  // One bit of each output with this ending changes on its way.
  void DamageOutputs(const std::string& ending, size_t offset) {
    service_->answer = [this, ending, offset](const std::string& input,
                                              std::string* result) {
      EXPECT_EQ(JobStatus::kSuccess, RunWorker(input, result));
      int damaged = 0;
      for (const std::string& name : FilesIn(kOutput)) {
        if (!name.ends_with(ending)) continue;
        const std::string path = std::string(kOutput) + "/" + name;
        std::string bytes;
        Ok(ReadFileToString(env_.get(), path, &bytes));
        EXPECT_LT(offset, bytes.size());
        bytes[offset] = static_cast<char>(bytes[offset] ^ 1);
        Ok(WriteStringToFile(env_.get(), bytes, path));
        ++damaged;
      }
      EXPECT_GT(damaged, 0);
      return JobStatus::kSuccess;
    };
  }
  // What a compaction answers that a worker has when `stop`, which makes later
  // compactions answer what `is_told` knows, is called; stop waits for the
  // worker.
  Status StopWhileAWorkerRuns(
      const std::function<void()>& stop,
      const std::function<bool(const Status&)>& is_told) {
    Open();
    FillLevel0();
    std::atomic<bool> go_on{false};
    service_->answer = [&](const std::string& input, std::string* result) {
      while (!go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return RunWorker(input, result);
    };
    Status status;
    std::atomic<bool> stopped{false};
    std::thread compaction([&] { status = Compact(); });
    EXPECT_TRUE(Await([&] { return service_->waiting == 1; }));
    std::thread stopper([&] {
      stop();
      stopped = true;
    });
    EXPECT_TRUE(Await([&] { return is_told(Compact()); }));
    EXPECT_FALSE(stopped);
    go_on = true;
    compaction.join();
    stopper.join();
    return status;
  }
  void OpenAutomatic() {
    options_.disable_auto_compactions = false;
    options_.level0_file_num_compaction_trigger = 2;
    Open();
  }
  // Until the service works, the database does all but compact.
  void ExpectOnlyCompactionsWait() {
    FillLevel0();
    EXPECT_TRUE(Await([this] { return service_->scheduled >= 2; }));
    EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).IsIOError());
    EXPECT_EQ("0", Property("rocksdb.background-errors"));
    Put("a", "new");
    Flush();
    EXPECT_EQ("0", Property("rocksdb.background-errors"));
    EXPECT_EQ(kRows, Rows());
    Close();
    options_.compaction_service = nullptr;
    Reopen();
    Ok(db_->WaitForCompact(WaitForCompactOptions()));
    EXPECT_EQ("0", Property("rocksdb.num-files-at-level0"));
    EXPECT_EQ(kRows, Rows());
  }
  static bool Await(const std::function<bool()>& done) {
    for (int i = 0; i < 60000 && !done(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return done();
  }
};

TEST_F(RemoteFailure, IsTheErrorOfAManualCompaction) {
  Open();
  FillLevel0();
  service_->to_schedule = JobStatus::kFailure;
  ExpectRefused("compaction service WorkerService, job ");
  service_->to_schedule = JobStatus::kAborted;
  ExpectRefused("was aborted");
  service_->to_schedule = JobStatus::kSuccess;
  for (const JobStatus status : {JobStatus::kFailure, JobStatus::kAborted}) {
    service_->answer = [status](const std::string&, std::string*) {
      return status;
    };
    ExpectRefused(status == JobStatus::kFailure ? "has failed" : "was aborted");
  }
  EXPECT_EQ(0, service_->installed + service_->dropped);
  ExpectHealthy();
}

TEST_F(RemoteFailure, SaysWhatTheWorkerSaid) {
  Open();
  FillLevel0();
  service_->answer = [](const std::string& input, std::string* result) {
    RemoteInput read;
    Ok(read.DecodeFrom(input));
    RemoteResult failed = RemoteResult::To(read);
    failed.status = Status::NoSpace("the worker's disk");
    *result = failed.Encode();
    return JobStatus::kFailure;
  };
  ExpectRefused("the worker's disk");
  ExpectHealthy();
}

TEST_F(RemoteFailure, OfAnAutomaticCompactionIsTriedAgain) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  options_.bgerror_resume_retry_interval = 1000;
  Open();
  std::atomic<int> failures{2};
  service_->answer = [&](const std::string& input, std::string* result) {
    if (failures.fetch_sub(1) > 0) return JobStatus::kFailure;
    return RunWorker(input, result);
  };
  FillLevel0();
  EXPECT_TRUE(
      Await([this] { return Property("rocksdb.num-files-at-level0") == "0"; }));
  EXPECT_EQ(3, service_->scheduled);
  EXPECT_EQ(kRows, Rows());
  Put("d", "1");
  Close();  // `failures` goes away.
}

TEST_F(RemoteFailure, IsNoErrorOfTheDatabase) {
  OpenAutomatic();
  service_->to_schedule = JobStatus::kFailure;
  ExpectOnlyCompactionsWait();
}

// It shows only when the result is installed.
TEST_F(RemoteFailure, ALateOneIsNoErrorOfTheDatabaseEither) {
  OpenAutomatic();
  ChangeResult(
      [](RemoteResult* result) { ++result->stats.iterator.input_records; });
  ExpectOnlyCompactionsWait();
}

TEST_F(RemoteFailure, TheWorkersSpaceIsNotTheDatabases) {
  OpenAutomatic();
  service_->answer = [](const std::string& input, std::string* result) {
    RemoteInput read;
    Ok(read.DecodeFrom(input));
    RemoteResult failed = RemoteResult::To(read);
    failed.status = Status::NoSpace("the worker's disk");
    *result = failed.Encode();
    return JobStatus::kSuccess;
  };
  ExpectOnlyCompactionsWait();
}

TEST_F(RemoteFailure, AWrongCountChangesNothing) {
  Open();
  FillLevel0();
  ChangeResult(
      [](RemoteResult* result) { ++result->stats.iterator.input_records; });
  ExpectRefused("entries");
  ChangeResult([](RemoteResult* result) {
    engine::BlobFileGarbage garbage;
    garbage.number = 999;
    garbage.blob_count = 1;
    garbage.blob_bytes = 1;
    result->edit.blob_garbage.push_back(garbage);
  });
  ExpectRefused("garbage in blob files");
  EXPECT_EQ(2, service_->dropped);
  ExpectHealthy();
}

TEST_F(RemoteFailure, TheDatabasesOwnDirectoryIsRefused) {
  Open();
  FillLevel0();
  for (const char* directory : {"/db", "/db/", "/other/../db"}) {
    ChangeResult([directory](RemoteResult* result) {
      result->output_directory = directory;
    });
    ExpectRefused("expected an output directory");
  }
  ExpectHealthy();
}

TEST_F(RemoteFailure, ADamagedTableChangesNothing) {
  Open();
  FillLevel0();
  DamageOutputs(".sst", 5);  // In the first data block.
  ExpectRefused("Corruption");
  EXPECT_EQ(1, service_->dropped);
  ExpectHealthy();
}

TEST_F(RemoteFailure, ADamagedBlobFileChangesNothing) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 0;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1.0;
  Open();
  FillLevel0();
  DamageOutputs(".blob", 30 + 32);  // The key of the first record.
  ExpectRefused("blob checksum mismatch");
  EXPECT_EQ(1, service_->dropped);
  service_->answer = [this](const std::string& input, std::string* result) {
    return RunWorker(input, result);
  };
  Ok(Compact());
  EXPECT_EQ(1, service_->installed);
  EXPECT_EQ(kRows, Rows());
}

TEST_F(RemoteFailure, WhatItThrowsIsAFailure) {
  const auto log = std::make_shared<TextLog>();
  options_.info_log = log;
  Open();
  FillLevel0();
  service_->in_schedule = [] { throw std::bad_alloc(); };
  ExpectRefused("Schedule() threw");
  service_->in_schedule = nullptr;
  service_->answer = [](const std::string&, std::string*) -> JobStatus {
    throw std::runtime_error("of the service");
  };
  ExpectRefused("of the service");
  service_->answer = [](const std::string&, std::string*) -> JobStatus {
    throw 1;
  };
  ExpectRefused("Wait() threw");
  service_->in_installation = [] { throw std::runtime_error("too late"); };
  ExpectHealthy();
  EXPECT_TRUE(log->Has("too late"));
  EXPECT_EQ(1, service_->installed);
}

TEST_F(RemoteFailure, GarbageChangesNothing) {
  Open();
  FillLevel0();
  for (const std::string& garbage :
       {std::string(), std::string("x"), std::string(10000, 'x')}) {
    service_->answer = [&garbage](const std::string&, std::string* result) {
      *result = garbage;
      return JobStatus::kSuccess;
    };
    ExpectRefused("compaction result: expected");
  }
  EXPECT_EQ(3, service_->dropped);
  ExpectHealthy();
}

TEST_F(RemoteFailure, APartOfAResultChangesNothing) {
  Open();
  FillLevel0();
  size_t size = 1;
  for (size_t length = 0; length < size; ++length) {
    service_->answer = [&](const std::string& input, std::string* result) {
      EXPECT_EQ(JobStatus::kSuccess, RunWorker(input, result));
      size = result->size();
      result->resize(length);
      return JobStatus::kSuccess;
    };
    ExpectRefused("compaction result: expected");
  }
  EXPECT_GT(size, 100u);
  ExpectHealthy();
}

TEST_F(RemoteFailure, AnotherJobsResultChangesNothing) {
  Open();
  FillLevel0();
  ChangeResult([](RemoteResult* result) { ++result->job_id; });
  ExpectRefused("the answer to job");
  ChangeResult(
      [](RemoteResult* result) { result->edit.deleted_files.pop_back(); });
  ExpectRefused("the deletion of");
  ChangeResult([](RemoteResult* result) { result->edit.log_number = 100; });
  ExpectRefused("an edit about files");
  ExpectHealthy();
}

TEST_F(RemoteFailure, ATableThatIsNotAsSaidChangesNothing) {
  Open();
  FillLevel0();
  ChangeResult(
      [](RemoteResult* result) { ++result->edit.new_files[0].file->size; });
  ExpectRefused("bytes");
  ChangeResult(
      [](RemoteResult* result) { ++result->edit.new_files[0].file->number; });
  ExpectRefused("/output/");
  ChangeResult([](RemoteResult* result) {
    ++result->edit.new_files[0].file->unique_id[1];
  });
  ExpectRefused("nique id");
  ChangeResult([](RemoteResult* result) {
    result->edit.new_files[0].file->largest =
        engine::InternalKey("zz", 1, engine::ValueType::kValue);
  });
  ExpectRefused("keys within those of the inputs");
  ChangeResult([](RemoteResult* result) {
    result->edit.new_files[0].file->largest_sequence = 1000;
  });
  ExpectRefused("sequences of the inputs");
  ChangeResult(
      [](RemoteResult* result) { result->output_directory = "/nowhere"; });
  ExpectRefused("/nowhere/");
  ExpectHealthy();
}

// Each call that changes the disk fails once, while a result is installed.
TEST_F(RemoteFailure, AFailedCallLosesNothing) {
  const auto errors = std::make_shared<ErrorFileSystem>(fs_);
  UseFileSystem(errors);
  const std::unique_ptr<Env> worker_env = NewCompositeEnv(fs_);
  overrides_.env = worker_env.get();
  Open();
  bool injected = true;
  int failures = 0;
  for (int i = 0; injected && i < 200; ++i) {
    FillLevel0();
    Ok(
        errors->SetRule("(ErrInjected (And Writes (Not (PathMatch \"LOG*\")) "
                        "(OnIndex " +
                        std::to_string(i) + ")))"));
    const Status status = Compact();
    injected = errors->injected() > 0;
    errors->ClearRule();
    failures += status.ok() ? 0 : 1;
    EXPECT_EQ(kRows, Rows()) << i << ": " << status.ToString();
    Close();
    Reopen();
    EXPECT_EQ(kRows, Rows()) << i << ": " << status.ToString();
  }
  EXPECT_FALSE(injected);
  EXPECT_GT(failures, 0);
  ExpectHealthy();
}

TEST_F(RemoteFailure, ClosingEndsTheWait) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  const std::shared_ptr<WorkerService> service = service_;
  service_->answer = [&](const std::string&, std::string*) {
    while (service->cancels == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return JobStatus::kAborted;
  };
  FillLevel0();
  ASSERT_TRUE(Await([&] { return service->waiting == 1; }));
  Close();
  EXPECT_EQ(1, service->cancels);
  EXPECT_EQ(0, service->waiting);
  options_.compaction_service = nullptr;
  options_.disable_auto_compactions = true;
  Reopen();
  EXPECT_EQ("2", Property("rocksdb.num-files-at-level0"));
  EXPECT_EQ(kRows, Rows());
}

TEST_F(RemoteFailure, CancellingBackgroundWorkTellsTheServiceOnce) {
  Open();
  CancelAllBackgroundWork(db_.get(), /*wait=*/false);
  EXPECT_EQ(1, service_->cancels);
  CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  Close();
  EXPECT_EQ(1, service_->cancels);
}

// The answer comes, and is not used.
TEST_F(RemoteFailure, ACancelledCompactionDropsTheResult) {
  Open();
  FillLevel0();
  std::atomic<bool> canceled{false};
  service_->answer = [&](const std::string& input, std::string* result) {
    canceled = true;
    return RunWorker(input, result);
  };
  CompactRangeOptions options;
  options.canceled = &canceled;
  const Status status = db_->CompactRange(options, nullptr, nullptr);
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  EXPECT_TRUE(worker_status_.ok()) << worker_status_.ToString();
  EXPECT_EQ(0, service_->installed);
  EXPECT_EQ(1, service_->dropped);
  EXPECT_EQ("2", Property("rocksdb.num-files-at-level0"));
  EXPECT_EQ(kRows, Rows());
  ExpectHealthy();
}

// While the service takes it: the service still learns what became of it.
TEST_F(RemoteFailure, ACancelledCompactionIsNotForgotten) {
  Open();
  FillLevel0();
  std::atomic<bool> canceled{false};
  service_->in_schedule = [&] { canceled = true; };
  CompactRangeOptions options;
  options.canceled = &canceled;
  const Status status = db_->CompactRange(options, nullptr, nullptr);
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  EXPECT_EQ(1, service_->dropped);
  service_->in_schedule = nullptr;
  ExpectHealthy();
}

TEST_F(RemoteFailure, DisablingManualCompactionsWaitsForTheAnswer) {
  const Status status = StopWhileAWorkerRuns(
      [&] { db_->DisableManualCompaction(); },
      [](const Status& later) { return later.IsManualCompactionPaused(); });
  db_->EnableManualCompaction();
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  EXPECT_EQ(0, service_->installed);
  ExpectHealthy();
}

// The service is not told, for that would be final; its result is not used.
TEST_F(RemoteFailure, AbortingCompactionsWaitsForTheAnswer) {
  const Status status = StopWhileAWorkerRuns(
      [&] { db_->AbortAllCompactions(); },
      [](const Status& later) { return later.IsCompactionAborted(); });
  db_->ResumeAllCompactions();
  EXPECT_TRUE(status.IsCompactionAborted()) << status.ToString();
  EXPECT_EQ(0, service_->cancels);
  EXPECT_EQ(0, service_->installed);
  EXPECT_EQ(1, service_->dropped);
  ExpectHealthy();
}

TEST_F(RemoteFailure, AFamilyMayBeDroppedMeanwhile) {
  Open({"second"});
  FillLevel0(handles_[1]);
  FillLevel0();
  std::atomic<bool> dropped{false};
  service_->answer = [&](const std::string& input, std::string* result) {
    while (!dropped) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return RunWorker(input, result);
  };
  Status status;
  std::thread compaction([&] { status = Compact(handles_[1]); });
  ASSERT_TRUE(Await([&] { return service_->waiting == 1; }));
  Ok(db_->DropColumnFamily(handles_[1]));
  dropped = true;
  compaction.join();
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(0, service_->installed);
  EXPECT_FALSE(worker_status_.ok());  // The MANIFEST does not have it any more.
  Ok(db_->DestroyColumnFamilyHandle(handles_[1]));
  handles_.pop_back();
  ExpectHealthy();
}

// Writes and other compactions go on while a service takes its time.
TEST_F(RemoteFailure, ASlowServiceHoldsNothingUp) {
  Open({"second"});
  FillLevel0();
  FillLevel0(handles_[1]);
  std::atomic<bool> go_on{false};
  std::atomic<int> begun{0};
  service_->answer = [&](const std::string& input, std::string* result) {
    const int number = begun++;
    while (number == 0 && !go_on) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const Status done =
        DB::OpenAndCompact(kPath, std::string(kOutput) + std::to_string(number),
                           input, result, overrides_);
    return done.ok() ? JobStatus::kSuccess : JobStatus::kFailure;
  };
  Status status;
  std::thread compaction([&] { status = Compact(); });
  ASSERT_TRUE(Await([&] { return begun == 1; }));
  Put("d", "1");
  Flush();
  Ok(Compact(handles_[1]));
  go_on = true;
  compaction.join();
  Ok(status);
  EXPECT_EQ("a=new b=1 c=1 d=1 ", Rows());
  EXPECT_EQ(kRows, TextOfRows(db_.get(), handles_[1]));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test

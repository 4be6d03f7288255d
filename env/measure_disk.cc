#include "env/measure_disk.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint32_t kSequentialBytes = 1024 * 1024;
constexpr uint32_t kSequentialDepth = 4;
constexpr uint32_t kRandomBytes = 4096;
constexpr uint32_t kRandomDepth = 32;
constexpr uint32_t kCellWriteBytes = 128 * 1024;
constexpr uint32_t kCellWriteDepth = 8;

// Shares of the time. What filling leaves goes to the others.
constexpr double kFillShare = 0.15;
constexpr double kBandwidthShare = 0.10;   // Each of reads and writes.
constexpr double kOperationsShare = 0.08;  // Each.
constexpr double kSaturationShare = 0.08;  // Each.
constexpr double kCellsShare = 0.33;
constexpr double kAllShares =
    kFillShare + kCellsShare +
    2 * (kBandwidthShare + kOperationsShare + kSaturationShare);

static_assert(kAllShares > 0.999 && kAllShares < 1.001);

constexpr double kReadShares[] = {0.05, 0.2, 0.4, 0.6, 0.8, 0.95};
constexpr double kWriteShares[] = {0.0, 0.2, 0.4, 0.6, 0.8, 0.95};
constexpr size_t kCellCount = std::size(kReadShares) * std::size(kWriteShares);
// Of a load, also when the time is over.
constexpr double kLoadSecondsMin = 0.02;
// Requests of 512 KiB, 256 KiB ... 4 KiB.
constexpr int kSaturationSteps = 8;
// Of the best bandwidth: what a saturating request reaches.
constexpr double kSaturated = 0.9;
// Of what was asked for: what a disk that keeps up serves. The rates of short
// cells vary.
constexpr double kServed = 0.9;
// A read is fast up to this multiple of the idle disk's, or a millisecond.
constexpr uint64_t kFastFactor = 3;
constexpr uint64_t kFastMicrosMin = 1000;
// A cell below the bound that is not safe makes requests late; one above it
// that is safe only costs bandwidth.
constexpr double kUnsafeWeight = 2;
constexpr double kFactorFloor = 0.05;
// One kind of requests alone fills the disk at 1. A disk that reads and writes
// independently could take more of both together, but then neither is bounded.
constexpr double kFactorCeiling = 1;

class DiskSurvey {
 public:
  DiskSurvey(LoadedDisk* disk, const MeasureDiskOptions& options)
      : disk_(disk), options_(options) {}

  Status Run() {
    RETURN_IF_ERROR(Fill());
    RETURN_IF_ERROR(Bandwidth(/*write=*/true));
    RETURN_IF_ERROR(Bandwidth(/*write=*/false));
    RETURN_IF_ERROR(Operations(/*write=*/true));
    RETURN_IF_ERROR(Operations(/*write=*/false));
    RETURN_IF_ERROR(Saturation(/*write=*/true));
    RETURN_IF_ERROR(Saturation(/*write=*/false));
    RETURN_IF_ERROR(Cells());
    Judge();
    found.seconds = spent_;
    return Status::OK();
  }

  DiskMeasurement found;

 private:
  // Time for a part whose share is `share`: of the time that is left, by the
  // shares that are left.
  double Budget(double share) const {
    const double left = std::max(options_.seconds - spent_, 0.0);
    return std::max(left * share / std::max(shares_left_, share),
                    kLoadSecondsMin);
  }
  void Spend(double share, double seconds) {
    shares_left_ -= share;
    spent_ += seconds;
  }
  // `ahead`: how much of the shares is done since the last Spend().
  void Tell(const char* step, double ahead = 0) const {
    if (!options_.progress) return;
    const double done = 1 - (shares_left_ - ahead) / kAllShares;
    options_.progress({step, std::clamp(done, 0.0, 1.0),
                       std::max(options_.seconds - spent_, 0.0)});
  }

  Status Fill() {
    const double seconds = Budget(kFillShare);
    const char* const step = "writing the test file";
    Tell(step);
    auto filled = disk_->Fill(
        seconds, [&](double full) { Tell(step, full * kFillShare); });
    if (!filled.ok()) return filled.status();
    const double rate = std::max(filled->bytes_per_second, 1.0);
    const double bytes = static_cast<double>(filled->ops) * kSequentialBytes;
    Spend(kFillShare, bytes / rate);
    return Status::OK();
  }

  Result<DiskRate> Only(bool write, const DiskStream& stream, double share) {
    DiskLoad load;
    (write ? load.writes : load.reads) = stream;
    load.seconds = Budget(share);
    const auto result = disk_->Run(load);
    if (!result.ok()) return result.status();
    Spend(share, result->seconds);
    const DiskRate& rate = write ? result->writes : result->reads;
    if (rate.ops == 0) {
      return Status::IOError(std::string("the disk completed no ") +
                             (write ? "write" : "read") + " in time");
    }
    return rate;
  }

  Status Bandwidth(bool write) {
    Tell(write ? "bandwidth of writes" : "bandwidth of reads");
    const auto rate =
        Only(write, {kSequentialDepth, kSequentialBytes, /*random=*/false, 0},
             kBandwidthShare);
    if (!rate.ok()) return rate.status();
    Raise(write ? &found.profile.write_bytes_per_second
                : &found.profile.read_bytes_per_second,
          rate->bytes_per_second);
    return Status::OK();
  }

  Status Operations(bool write) {
    Tell(write ? "random writes" : "random reads");
    const auto rate =
        Only(write, {kRandomDepth, kRandomBytes, /*random=*/true, 0},
             kOperationsShare);
    if (!rate.ok()) return rate.status();
    Raise(write ? &found.profile.write_ops_per_second
                : &found.profile.read_ops_per_second,
          rate->ops_per_second);
    return Status::OK();
  }

  static void Raise(uint64_t* value, double measured) {
    *value = std::max(
        {*value, static_cast<uint64_t>(std::llround(measured)), uint64_t{1}});
  }

  Status Saturation(bool write) {
    Tell(write ? "saturation of writes" : "saturation of reads");
    const uint64_t most = write ? found.profile.write_bytes_per_second
                                : found.profile.read_bytes_per_second;
    uint64_t* const length = write ? &found.profile.write_saturation_bytes
                                   : &found.profile.read_saturation_bytes;
    *length = kSequentialBytes;
    // All of them: a short load may be slow by chance.
    uint32_t bytes = kSequentialBytes;
    for (int step = 0; step < kSaturationSteps; ++step) {
      bytes /= 2;
      const auto rate =
          Only(write, {kSequentialDepth, bytes, /*random=*/false, 0},
               kSaturationShare / kSaturationSteps);
      if (!rate.ok()) return rate.status();
      if (rate->bytes_per_second >= kSaturated * static_cast<double>(most)) {
        *length = bytes;
      }
    }
    return Status::OK();
  }

  Status Cells() {
    found.read_bytes = kRandomBytes;
    found.write_bytes = kCellWriteBytes;
    for (const double read_share : kReadShares) {
      for (const double write_share : kWriteShares) {
        Tell("reads and writes together");
        RETURN_IF_ERROR(Cell(read_share, write_share));
      }
    }
    return Status::OK();
  }

  Status Cell(double read_share, double write_share) {
    const IoProfile& profile = found.profile;
    DiskLoad load;
    load.reads = {
        kRandomDepth, kRandomBytes, /*random=*/true,
        read_share * static_cast<double>(profile.read_ops_per_second)};
    if (write_share > 0) {
      load.writes = {kCellWriteDepth, kCellWriteBytes, /*random=*/false,
                     write_share *
                         static_cast<double>(profile.write_bytes_per_second) /
                         kCellWriteBytes};
    }
    constexpr double kShare = kCellsShare / static_cast<double>(kCellCount);
    load.seconds = Budget(kShare);
    const auto result = disk_->Run(load);
    if (!result.ok()) return result.status();
    Spend(kShare, result->seconds);
    DiskCell cell;
    cell.read_share = read_share;
    cell.write_share = write_share;
    cell.reads = result->reads;
    cell.writes = result->writes;
    cell.cost = DiskCost(profile, load.reads, load.writes);
    cell.served =
        result->reads.ops > 0 &&
        cell.reads.ops_per_second >= kServed * load.reads.ops_per_second &&
        cell.writes.ops_per_second >= kServed * load.writes.ops_per_second;
    found.cells.push_back(cell);
    return Status::OK();
  }

  // Which cells are safe, and K.
  void Judge() {
    assert(found.cells.size() == kCellCount);
    const uint64_t idle = found.cells.front().reads.p95_micros;
    found.fast_micros = std::max(kFastFactor * idle, kFastMicrosMin);
    std::vector<std::pair<double, bool>> by_cost;
    for (DiskCell& cell : found.cells) {
      cell.safe = cell.served && cell.reads.p95_micros <= found.fast_micros;
      by_cost.emplace_back(cell.cost, cell.safe);
    }
    std::sort(by_cost.begin(), by_cost.end());
    found.profile.k = BestBound(by_cost);
  }

  // Tries a bound behind each cell; the error starts with none below it.
  static double BestBound(const std::vector<std::pair<double, bool>>& cells) {
    double error = 0;
    for (const auto& [cost, safe] : cells) error += safe ? 1 : 0;
    double best_error = error;
    double best = kFactorFloor;
    for (const auto& [cost, safe] : cells) {
      error += safe ? -1 : kUnsafeWeight;
      if (error >= best_error) continue;
      best_error = error;
      best = cost;
    }
    constexpr double kDigits = 100;
    return std::clamp(std::round(best * kDigits) / kDigits, kFactorFloor,
                      kFactorCeiling);
  }

  LoadedDisk* const disk_;
  const MeasureDiskOptions& options_;
  double spent_ = 0;
  double shares_left_ = kAllShares;
};

}  // namespace

double DiskCost(const IoProfile& profile, const DiskStream& reads,
                const DiskStream& writes) {
  const auto share = [](double rate, uint64_t most) {
    return rate / static_cast<double>(std::max<uint64_t>(most, 1));
  };
  return share(reads.ops_per_second, profile.read_ops_per_second) +
         share(reads.ops_per_second * reads.bytes,
               profile.read_bytes_per_second) +
         share(writes.ops_per_second, profile.write_ops_per_second) +
         share(writes.ops_per_second * writes.bytes,
               profile.write_bytes_per_second);
}

Result<DiskMeasurement> MeasureDisk(LoadedDisk* disk,
                                    const MeasureDiskOptions& options) {
  DiskSurvey survey(disk, options);
  RETURN_IF_ERROR(survey.Run());
  return std::move(survey.found);
}

}  // namespace ROCKSDB_NAMESPACE::engine

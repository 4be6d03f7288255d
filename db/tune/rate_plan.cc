#include "db/tune/rate_plan.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::engine {

double TierWork(double files, double room) {
  constexpr int kTiersMax = 8;
  double over = files - room;
  double there = files;
  double size = 1;
  double work = 0;
  for (int tier = 0; tier < kTiersMax && over > 0; ++tier) {
    const double gone = std::min(over, 0.75 * there);
    work += gone * size * 4 / 3;
    over -= gone;
    there /= 4;
    size *= 4;
  }
  return work;
}

double RatePlan::Merged(double rate) const {
  double merged = 0;
  for (const Part& part : parts) {
    const double files = rate * part.share * horizon_secs / part.file_bytes;
    merged +=
        TierWork(level_share * part.level_files + files, part.room_files) *
        table_per_byte * part.file_bytes / horizon_secs;
  }
  return merged;
}

double RatePlan::MergedPerByte(double rate) const {
  return rate > 0 ? Merged(rate) / rate : 0;
}

double RatePlan::Rate() const {
  const bool device = capacity_bytes_per_second > 0;
  double low = 0;
  double high = device ? std::min(capacity_bytes_per_second / front_per_byte,
                                  flush_bytes_per_second)
                       : flush_bytes_per_second;
  // The cost grows with the rate: the largest that fits, to a millionth.
  for (int step = 0; step < 20; ++step) {
    const double rate = (low + high) / 2;
    const double merged = Merged(rate);
    const bool fits =
        device ? rate * front_per_byte + merged <= capacity_bytes_per_second
               : merged <= merge_bytes_per_second;
    (fits ? low : high) = rate;
  }
  return low;
}

}  // namespace ROCKSDB_NAMESPACE::engine

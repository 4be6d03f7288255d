// RatePlan: how fast writers that never rest may write, so that level 0 fills
// up slowly.
//
// Place. Inside the tuner, which corrects the plan by what level 0 does. Pure.
//
// Model. Files arrive at a rate, and level 0 may keep `room` of them. The
// others are merged four to one: first files as they were flushed, then files
// made of four of them, and so on. Each file that a merge of four removes costs
// four thirds of its tier's size in bytes written:
//
//   files over room:  |<-- 3/4 of those flushed -->|<-- 3/16 -->|<- 3/64 ->|
//   bytes per file:            4/3 x 1                4/3 x 4      4/3 x 16
//
// The planned rate is the largest at which flushing, syncing logs and this
// merging fit into
// what the device can write over the horizon. Without a horizon the cost would
// grow for ever, as the logarithm of all bytes written. Every family has its
// own level 0 and its share of the writes.
#pragma once

#include <span>

#include "util/ewma.h"

namespace ROCKSDB_NAMESPACE::engine {

struct RatePlan {
  // What goes into the level 0 of one family.
  struct Part {
    double share = 1;        // Of what is written.
    double file_bytes = 1;   // Of a flush, as clients wrote them.
    double level_files = 0;  // In level 0, or about to be flushed.
    double room_files = 1;   // That may be there at the end.
  };

  double capacity_bytes_per_second = 0;  // Of the device; 0: not the limit.
  double flush_bytes_per_second = 0;
  double merge_bytes_per_second = 0;
  // For each byte that clients write: flushed, and synced of logs; in level 0.
  double front_per_byte = 1;
  double table_per_byte = 1;
  std::span<const Part> parts;
  double horizon_secs = 1;
  // Of level_files, how much is to be merged as if it were still to come.
  double level_share = 0;

  // Bytes per second; at most what flushes write.
  double Rate() const;
  double MergedPerByte(double rate) const;

 private:
  double Merged(double rate) const;  // Bytes per second.
};

// What is merged when of `files` at most `room` stay, in files.
double TierWork(double files, double room);

}  // namespace ROCKSDB_NAMESPACE::engine

#include "db/tune/limits.h"

#include <algorithm>
#include <cmath>

namespace ROCKSDB_NAMESPACE::engine {

void TuneParams::Set(TuneParam param, double value) {
  for (const TuneLimit& limit : kTuneLimits) {
    if (limit.param != param) continue;
    const double sane = std::isfinite(value) ? value : limit.value;
    values_[static_cast<size_t>(param)] =
        std::clamp(sane, limit.min, limit.max);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine

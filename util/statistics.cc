#include "util/statistics.h"

#include <cinttypes>
#include <cstdio>

namespace ROCKSDB_NAMESPACE {

namespace engine {

void StatisticsImpl::recordTick(uint32_t ticker, uint64_t count) {
  if (ticker >= TICKER_ENUM_MAX ||
      get_stats_level() <= StatsLevel::kExceptTickers) {
    return;
  }
  cores_.Here().tickers[ticker].fetch_add(count, std::memory_order_relaxed);
}

uint64_t StatisticsImpl::getTickerCount(uint32_t ticker) const {
  if (ticker >= TICKER_ENUM_MAX) return 0;
  uint64_t total = 0;
  for (size_t i = 0; i < cores_.size(); i++) {
    total += cores_.At(i).tickers[ticker].load(std::memory_order_relaxed);
  }
  return total;
}

void StatisticsImpl::setTickerCount(uint32_t ticker, uint64_t count) {
  if (ticker >= TICKER_ENUM_MAX) return;
  MutexLock lock(&totals_mu_);
  for (size_t i = 0; i < cores_.size(); i++) {
    cores_.At(i).tickers[ticker].store(i == 0 ? count : 0,
                                       std::memory_order_relaxed);
  }
}

uint64_t StatisticsImpl::getAndResetTickerCount(uint32_t ticker) {
  if (ticker >= TICKER_ENUM_MAX) return 0;
  MutexLock lock(&totals_mu_);
  uint64_t total = 0;
  for (size_t i = 0; i < cores_.size(); i++) {
    total +=
        cores_.At(i).tickers[ticker].exchange(0, std::memory_order_relaxed);
  }
  return total;
}

void StatisticsImpl::recordInHistogram(uint32_t type, uint64_t value) {
  if (type >= HISTOGRAM_ENUM_MAX ||
      get_stats_level() <= StatsLevel::kExceptHistogramOrTimers) {
    return;
  }
  cores_.Here().histograms[type].Add(value);
}

Histogram StatisticsImpl::Collect(uint32_t type) const {
  Histogram histogram;
  for (size_t i = 0; i < cores_.size(); i++) {
    cores_.At(i).histograms[type].AddTo(&histogram);
  }
  return histogram;
}

void StatisticsImpl::histogramData(uint32_t type, HistogramData* data) const {
  if (type >= HISTOGRAM_ENUM_MAX) {
    *data = HistogramData();
    return;
  }
  Collect(type).Fill(data);
}

std::string StatisticsImpl::getHistogramString(uint32_t type) const {
  return type < HISTOGRAM_ENUM_MAX ? Collect(type).ToString() : "";
}

Status StatisticsImpl::Reset() {
  MutexLock lock(&totals_mu_);
  for (size_t i = 0; i < cores_.size(); i++) {
    PerCore& core = cores_.At(i);
    for (std::atomic<uint64_t>& ticker : core.tickers) {
      ticker.store(0, std::memory_order_relaxed);
    }
    for (AtomicHistogram& histogram : core.histograms) histogram.Clear();
  }
  return Status::OK();
}

std::string StatisticsImpl::ToString() const {
  std::string text;
  char line[250];
  for (const auto& [ticker, name] : TickersNameMap) {
    snprintf(line, sizeof(line), "%s COUNT : %" PRIu64 "\n", name.c_str(),
             getTickerCount(ticker));
    text += line;
  }
  for (const auto& [type, name] : HistogramsNameMap) {
    HistogramData data;
    histogramData(type, &data);
    snprintf(line, sizeof(line),
             "%s P50 : %f P95 : %f P99 : %f P100 : %f COUNT : %" PRIu64
             " SUM : %" PRIu64 "\n",
             name.c_str(), data.median, data.percentile95, data.percentile99,
             data.max, data.count, data.sum);
    text += line;
  }
  return text;
}

bool StatisticsImpl::getTickerMap(std::map<std::string, uint64_t>* map) const {
  map->clear();
  for (const auto& [ticker, name] : TickersNameMap) {
    (*map)[name] = getTickerCount(ticker);
  }
  return true;
}

bool StatisticsImpl::HistEnabledForType(uint32_t type) const {
  return type < HISTOGRAM_ENUM_MAX;
}

}  // namespace engine

std::shared_ptr<Statistics> CreateDBStatistics() {
  return std::make_shared<engine::StatisticsImpl>();
}

Status Statistics::CreateFromString(const ConfigOptions& /*opts*/,
                                    const std::string& value,
                                    std::shared_ptr<Statistics>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  if (value == engine::StatisticsImpl::kClassName()) {
    *result = CreateDBStatistics();
    return Status::OK();
  }
  return Status::NotSupported("Could not load Statistics", value);
}

}  // namespace ROCKSDB_NAMESPACE

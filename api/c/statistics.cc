// Statistics of databases.
#include "api/c/convert.h"

using capi_internal::CopyString;

extern "C" {

void rocksdb_options_enable_statistics(rocksdb_options_t* options) {
  options->rep.statistics = capi::CreateDBStatistics();
}

void rocksdb_options_set_statistics_level(rocksdb_options_t* options,
                                          int level) {
  if (options->rep.statistics == nullptr) return;
  options->rep.statistics->set_stats_level(
      static_cast<capi::StatsLevel>(level));
}

int rocksdb_options_get_statistics_level(rocksdb_options_t* options) {
  if (options->rep.statistics == nullptr) return 0;
  return static_cast<int>(options->rep.statistics->get_stats_level());
}

char* rocksdb_options_statistics_get_string(rocksdb_options_t* options) {
  if (options->rep.statistics == nullptr) return nullptr;
  return CopyString(options->rep.statistics->ToString());
}

uint64_t rocksdb_options_statistics_get_ticker_count(rocksdb_options_t* options,
                                                     uint32_t ticker_type) {
  if (options->rep.statistics == nullptr) return 0;
  if (ticker_type >= capi::TICKER_ENUM_MAX) return 0;
  return options->rep.statistics->getTickerCount(ticker_type);
}

void rocksdb_options_statistics_get_histogram_data(
    rocksdb_options_t* options, uint32_t histogram_type,
    rocksdb_statistics_histogram_data_t* const data) {
  data->rep = capi::HistogramData();
  if (options->rep.statistics == nullptr) return;
  if (histogram_type >= capi::HISTOGRAM_ENUM_MAX) return;
  options->rep.statistics->histogramData(histogram_type, &data->rep);
}

rocksdb_statistics_histogram_data_t* rocksdb_statistics_histogram_data_create(
    void) {
  return new rocksdb_statistics_histogram_data_t;
}

void rocksdb_statistics_histogram_data_destroy(
    rocksdb_statistics_histogram_data_t* data) {
  delete data;
}

#define HISTOGRAM(name, type, member)                \
  type rocksdb_statistics_histogram_data_get_##name( \
      rocksdb_statistics_histogram_data_t* data) {   \
    return data->rep.member;                         \
  }
HISTOGRAM(median, double, median)
HISTOGRAM(p95, double, percentile95)
HISTOGRAM(p99, double, percentile99)
HISTOGRAM(average, double, average)
HISTOGRAM(std_dev, double, standard_deviation)
HISTOGRAM(max, double, max)
HISTOGRAM(count, uint64_t, count)
HISTOGRAM(sum, uint64_t, sum)
HISTOGRAM(min, double, min)
#undef HISTOGRAM

}  // extern "C"

#include "util/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(JsonWriterTest, NestedValuesAreSeparatedAsInRocksdbsEventLog) {
  JsonWriter json;
  json.Add("time_micros", uint64_t{1795258379394032})
      .Add("job", 2)
      .Add("event", "flush_finished")
      .AddArray("lsm_state", std::vector<int>{1, 0, 7});
  json.Key("table_properties").BeginObject();
  json.Add("data_size", 5).Add("ok", true);
  json.EndObject();
  json.Key("pairs").BeginArray();
  json.BeginArray().Value(1).Value(2).EndArray();
  json.BeginObject().EndObject().EndArray();
  json.Add("score", 1.0).Add("ratio", 0.25);
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"job\": 2, "
      "\"event\": \"flush_finished\", \"lsm_state\": [1, 0, 7], "
      "\"table_properties\": {\"data_size\": 5, \"ok\": true}, "
      "\"pairs\": [[1, 2], {}], \"score\": 1, \"ratio\": 0.25}",
      std::move(json).Finish());
}

TEST(JsonWriterTest, AnEmptyObjectAndAnEmptyArrayAreValid) {
  EXPECT_EQ("{}", JsonWriter().Finish());
  JsonWriter json;
  json.AddArray("a", std::vector<int>());
  EXPECT_EQ("{\"a\": []}", std::move(json).Finish());
}

TEST(JsonWriterTest, StringsAreEscapedAndNonFiniteNumbersAreNull) {
  JsonWriter json;
  json.Add("quote\"", "back\\slash\n\x01").Add("utf8", "\xC3\xA9");
  json.Add("nan", std::numeric_limits<double>::quiet_NaN())
      .Add("inf", std::numeric_limits<double>::infinity());
  EXPECT_EQ(
      "{\"quote\\\"\": \"back\\\\slash\\u000a\\u0001\", "
      "\"utf8\": \"\xC3\xA9\", \"nan\": null, \"inf\": null}",
      std::move(json).Finish());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine

// Splitting, escaping and scalar values of options text.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "util/options_text/scan.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// "name=<value>|name=<value>", or the error.
std::string Show(const Result<std::vector<Setting>>& settings) {
  if (!settings.ok()) return settings.status().ToString();
  std::string text;
  for (const auto& [name, value] : *settings) {
    text += (text.empty() ? "" : "|") + name + "=<" + value + ">";
  }
  return text;
}

TEST(OptionsText, SettingsAreSplitAtSemicolonsOutsideOfBraces) {
  EXPECT_EQ(Show(SplitSettings("a=1;b={c=2;d={e=3}} ; f = x y;")),
            "a=<1>|b=<c=2;d={e=3}>|f=<x y>");
  EXPECT_EQ(Show(SplitSettings("{a=1;b=2}")), "a=<1>|b=<2>");
  EXPECT_EQ(Show(SplitSettings(" ;; ")), "");
  EXPECT_EQ(Show(SplitSettings("a=;b=2")), "a=<>|b=<2>");
}

TEST(OptionsText, CommasSeparateOnlyBeforeAName) {
  EXPECT_EQ(Show(SplitSettings("a=1,b=2")), "a=<1,b=2>");
  EXPECT_EQ(Show(SplitSettingsOrCommas("a=1,b=2;c={x=1,y=2}, d=3")),
            "a=<1>|b=<2>|c=<x=1,y=2>|d=<3>");
  EXPECT_EQ(Show(SplitSettingsOrCommas("a=x,y")), "a=<x,y>");
}

TEST(OptionsText, BrokenTextIsRefusedWithTheReason) {
  EXPECT_EQ(Show(SplitSettings("a=1;nonsense")),
            "Invalid argument: Mismatched key value pair, '=' expected: "
            "nonsense");
  EXPECT_EQ(Show(SplitSettings("a={b=1")),
            "Invalid argument: Mismatched curly braces in options: a={b=1");
  EXPECT_EQ(Show(SplitSettings("=1")), "Invalid argument: Empty key found");
  EXPECT_EQ(Show(SplitSettings("a={b=1}x;c=2")),
            "Invalid argument: Unexpected characters after nested options: x");
}

TEST(OptionsText, EscapesAreUndone) {
  const std::string text = "a\\b#c:d\ne\rf";
  EXPECT_EQ(EscapeText(text), "a\\\\b\\#c\\:d\\ne\\rf");
  EXPECT_EQ(UnescapeText(EscapeText(text)), text);
}

TEST(OptionsText, SizesTakeSuffixes) {
  uint64_t value = 0;
  const auto parse = [&](const char* text) {
    return ParseUnsigned(text, UINT64_MAX, &value).ok() ? value : 12345;
  };
  EXPECT_EQ(parse("7"), 7u);
  EXPECT_EQ(parse("2k"), 2048u);
  EXPECT_EQ(parse("2MB"), 2u << 20);
  EXPECT_EQ(parse("3g"), uint64_t{3} << 30);
  EXPECT_EQ(parse("1T"), uint64_t{1} << 40);
  for (const char* wrong : {"", "x", "-1", "1x", "1 2", "16777216T", "B", "5B",
                            "18446744073709551616"}) {
    EXPECT_EQ(parse(wrong), 12345u) << wrong;
  }
}

TEST(OptionsText, SignedNumbersKeepToTheirBounds) {
  int64_t value = 0;
  EXPECT_TRUE(ParseSigned("-2147483648", INT32_MIN, INT32_MAX, &value).ok());
  EXPECT_EQ(value, INT32_MIN);
  EXPECT_FALSE(ParseSigned("-2147483649", INT32_MIN, INT32_MAX, &value).ok());
  EXPECT_FALSE(ParseSigned("2147483648", INT32_MIN, INT32_MAX, &value).ok());
  EXPECT_TRUE(
      ParseSigned("-9223372036854775808", INT64_MIN, INT64_MAX, &value).ok());
  EXPECT_EQ(value, INT64_MIN);
}

TEST(OptionsText, DoublesUseAPointAndSixDigits) {
  EXPECT_EQ(PrintDouble(0.75), "0.750000");
  EXPECT_EQ(PrintDouble(-1), "-1.000000");
  double value = 0;
  EXPECT_TRUE(ParseDouble(" 10.5 ", &value).ok());
  EXPECT_EQ(value, 10.5);
  EXPECT_FALSE(ParseDouble("10,5", &value).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine

// Histories: what is written can be read back, and what is left when
// operations are taken out is legal.

#include "test/stress/history/history.h"

#include <gtest/gtest.h>

#include <string>

#include "test/stress/history/model.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

HistoryRequest Request(uint64_t seed) {
  HistoryRequest request;
  request.seed = seed;
  request.operations = 500;
  request.crashes = true;
  request.transactions = true;
  return request;
}

TEST(History, ReadsWhatItWrites) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const History history = MakeHistory(Request(seed));
    History read;
    ASSERT_TRUE(FromText(ToText(history), &read)) << seed;
    EXPECT_EQ(history, read) << seed;
  }
}

TEST(History, IsTheSameForTheSameSeed) {
  EXPECT_EQ(MakeHistory(Request(7)), MakeHistory(Request(7)));
  EXPECT_NE(MakeHistory(Request(7)), MakeHistory(Request(8)));
}

TEST(History, StaysLegalWhenOperationsAreTakenOut) {
  engine::Random64 random(1);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    History history = MakeHistory(Request(seed));
    EXPECT_EQ(history, Legal(history));
    std::erase_if(history, [&](const Operation&) { return random.OneIn(3); });
    const History legal = Legal(history);
    EXPECT_EQ(legal, Legal(legal));
  }
}

TEST(History, EndsAPauseBeforeSomethingWouldWait) {
  History history;
  ASSERT_TRUE(
      FromText("pause\nget f=default k=a\nput f=default k=a v=1\n", &history));
  EXPECT_EQ("pause\nget f=default k=a\ncontinue\nput f=default k=a v=1\n",
            ToText(Legal(history)));
}

TEST(History, LeavesKeysToATransactionUntilItIsDecided) {
  History history;
  ASSERT_TRUE(
      FromText("createfamily f=extra1\n"
               "transaction i=1 o.end=prepared [ put f=extra1 k=a v=1 ;"
               " savepoint ; delete f=extra1 k=b ; rollback ]\n"
               "put f=extra1 k=a v=2\nput f=extra1 k=c v=3\n"
               "dropfamily f=extra1\ncrash\n"
               "decide i=2 o.end=commit\ndecide i=1 o.end=commit\n"
               "put f=extra1 k=a v=4\n",
               &history));
  EXPECT_EQ(
      "createfamily f=extra1\n"
      "transaction i=1 n=1 o.end=prepared [ put f=extra1 k=a v=1 ;"
      " savepoint ; delete f=extra1 k=b ; rollback ]\n"
      "put f=extra1 k=c v=3\ncrash\n"
      "decide i=1 o.end=commit [ put f=extra1 k=a v=1 ]\n"
      "put f=extra1 k=a v=4\n",
      ToText(Legal(history)));
}

TEST(Model, ShowsATransactionItsOwnWrites) {
  Operation transaction;
  ASSERT_TRUE(
      FromText("transaction i=1 o.end=rollback [ put f=default k=a v=1 ;"
               " savepoint ; merge f=default k=a v=2 ; get f=default k=a ;"
               " rollback ; iterate f=default k=a steps=sn ]",
               &transaction));
  Model model;
  EXPECT_EQ("1%2C2 ; a=1 - ; OK", model.Execute(transaction));
  EXPECT_FALSE(model.data().Has("default", "a"));
}

TEST(Operation, HasAnyBytesInItsText) {
  Operation put;
  put.family = "default";
  put.key = std::string("\0\xff ;]=%", 7);
  put.value = "v*9";
  Operation read;
  ASSERT_TRUE(FromText(ToText(put), &read)) << ToText(put);
  EXPECT_EQ(put, read);
  EXPECT_EQ("vvvvvvvvv", ExpandValue(read.value));
}

TEST(Operation, RefusesOtherText) {
  Operation read;
  for (const char* text : {"", "nothing", "put x", "batch [ put", "put ]"}) {
    EXPECT_FALSE(FromText(text, &read)) << text;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress

// rocksdb/functor_wrapper.h.

#include "rocksdb/functor_wrapper.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(FunctorWrapper, CallsWithWhatItWasGiven) {
  std::string text;
  std::string name = "a";
  FunctorWrapper<std::string, int> call(
      [&text](std::string key, int n) { text += key + std::to_string(n); },
      std::move(name), 3);
  EXPECT_EQ(text, "");
  call.invoke();
  call.invoke();
  EXPECT_EQ(text, "a3a3");
}

TEST(FunctorWrapper, PassesReferencesOn) {
  int count = 1;
  FunctorWrapper<int&> call([](int& n) { n *= 2; }, count);
  call.invoke();
  EXPECT_EQ(count, 2);
}

TEST(FunctorWrapper, MayHaveNoArguments) {
  int calls = 0;
  FunctorWrapper<> call([&calls] { ++calls; });
  call.invoke();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// What runs look like, as text: a diff shows how a change of the law, the
// picker or the scheduler changed a curve.

#include <gtest/gtest.h>

#include "test/sim/runs.h"
#include "test/support/datadriven.h"

namespace ROCKSDB_NAMESPACE::sim {
namespace {

TEST(Plots, DataDriven) {
  for (const std::string& failure :
       test::RunDataDriven("test/sim/testdata/plots", [](const test::Case& c) {
         const Mode mode = *ModeOf(c.args.at("mode"));
         const std::string name = c.args.at("scenario");
         const auto world = RunScenario(name, mode);
         return PlotsOf(world->seconds(0));
       })) {
    ADD_FAILURE() << failure;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::sim

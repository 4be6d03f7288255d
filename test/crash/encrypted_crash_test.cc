// A crash before each call that changes the disk, below the encryption: the
// database opens again and holds what was promised.
//
// Blocks that a crash leaves as zeros or garbage are not tried. Zeros in the
// unsynced end of a MANIFEST are no longer zeros after decryption, and so no
// longer an end.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/env_encryption.h"
#include "test/crash/script.h"
#include "test/support/crash_fs.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

std::unique_ptr<Env> Encrypted(Env* base) {
  return std::unique_ptr<Env>(NewEncryptedEnv(
      base,
      EncryptionProvider::NewCTRProvider(BlockCipher::NewROT13Cipher(32))));
}

void EncryptedScript(Env* base, CrashScript* progress) {
  const std::unique_ptr<Env> env = Encrypted(base);
  ScriptDb db(Tuning::kRecycled);
  Ok(db.Open(env.get()));
  for (int i = 1; i <= 5; ++i) {
    Ok(db.Write(i, i % 2 == 0));
    if (i % 2 == 0) progress->Reached(static_cast<uint64_t>(i));
    if (i % 2 == 1) {
      Ok(db->Flush(FlushOptions()));
      progress->Reached(static_cast<uint64_t>(i));
    }
  }
  Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  Ok(db.Write(6, false));
  Ok(db.Close());
}

void CheckEncrypted(const CrashPoint& point, Env* base) {
  if (::testing::Test::HasFailure()) return;
  SCOPED_TRACE(point.ToString());
  const std::unique_ptr<Env> env = Encrypted(base);
  ScriptDb db(Tuning::kRecycled);
  Ok(db.Open(env.get()));
  if (db.get() == nullptr) return;
  const auto rows = db.Rows(kDefaultColumnFamilyName);
  const int m = rows.contains("last") ? std::stoi(rows.at("last")) : 0;
  EXPECT_GE(m, static_cast<int>(point.reached));
  EXPECT_EQ(ScriptDb::Expected(kDefaultColumnFamilyName, m), rows);
  Ok(db.Write(m + 1, true));
}

TEST(Crash, UnderEncryptionLosesNothingThatWasSynced) {
  CrashPlan plan;
  std::erase_if(plan.damages, [](const CrashPlan::Damage& damage) {
    return damage.name == "blocks" || damage.name == "garbage";
  });
  EXPECT_GT(ForEachCrashPoint(EncryptedScript, CheckEncrypted, plan), 100u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test

#include "rocksdb/secondary_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/statistics.h"
#include "util/coding.h"
#include "util/compression/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

std::atomic<int> texts_alive{0};

struct CachedText {
  explicit CachedText(std::string s) : bytes(std::move(s)) { texts_alive++; }
  ~CachedText() { texts_alive--; }
  const std::string bytes;
};

const std::string& BytesOf(Cache::ObjectPtr object) {
  return static_cast<const CachedText*>(object)->bytes;
}
void DeleteText(Cache::ObjectPtr object, MemoryAllocator*) {
  delete static_cast<CachedText*>(object);
}
size_t SizeOfText(Cache::ObjectPtr object) { return BytesOf(object).size(); }
Status SaveText(Cache::ObjectPtr object, size_t from, size_t n, char* out) {
  std::memcpy(out, BytesOf(object).data() + from, n);
  return Status::OK();
}
Status MakeText(const Slice& data, CompressionType type, CacheTier,
                Cache::CreateContext*, MemoryAllocator*,
                Cache::ObjectPtr* object, size_t* charge) {
  if (type != kNoCompression) return Status::NotSupported();
  if (data == Slice("poison")) return Status::Corruption("poison");
  *object = new CachedText(data.ToString());
  *charge = data.size();
  return Status::OK();
}

const Cache::CacheItemHelper kInMemory(CacheEntryRole::kDataBlock, &DeleteText);
const Cache::CacheItemHelper kText(CacheEntryRole::kDataBlock, &DeleteText,
                                   &SizeOfText, &SaveText, &MakeText,
                                   &kInMemory);

std::string Key(uint64_t number) {
  std::string key;
  PutFixed64(&key, number);
  PutFixed64(&key, ~number);
  return key;
}

std::string Content(uint64_t number, size_t size = 100) {
  std::string text = "text " + std::to_string(number) + " ";
  text.resize(size, 'x');
  return text;
}

// Room for five texts of 100 bytes in front, for many behind.
class SecondaryCacheTest : public testing::Test {
 protected:
  SecondaryCacheTest() {
    texts_alive = 0;
    behind_.capacity = 1 << 20;
    behind_.num_shard_bits = 0;
    front_.capacity = 500;
    front_.num_shard_bits = 0;
    front_.metadata_charge_policy = kDontChargeCacheMetadata;
    front_.high_pri_pool_ratio = 0.0;
    Remake();
  }
  ~SecondaryCacheTest() override {
    cache_.reset();
    EXPECT_EQ(0, texts_alive.load());
  }

  void Remake() {
    secondary_ = behind_.MakeSharedSecondaryCache();
    front_.secondary_cache = secondary_;
    cache_ = front_.MakeSharedCache();
  }

  void Insert(uint64_t number, const Cache::CacheItemHelper* helper = &kText) {
    ASSERT_TRUE(
        cache_
            ->Insert(Key(number), new CachedText(Content(number)), helper, 100)
            .ok());
  }
  // Puts so much in that all before is evicted.
  void Scan() {
    for (int i = 0; i < 5; i++) Insert(scanned_++);
  }
  bool Find(uint64_t number, const Cache::CacheItemHelper* helper = &kText) {
    Cache::Handle* const handle = cache_->Lookup(
        Key(number), helper, nullptr, Cache::Priority::LOW, statistics_.get());
    if (handle == nullptr) return false;
    EXPECT_EQ(Content(number), BytesOf(cache_->Value(handle)));
    EXPECT_EQ(100u, cache_->GetCharge(handle));
    cache_->Release(handle);
    return true;
  }
  uint64_t Count(uint32_t ticker) const {
    return statistics_->getTickerCount(ticker);
  }

  CompressedSecondaryCacheOptions behind_;
  LRUCacheOptions front_;
  std::shared_ptr<SecondaryCache> secondary_;
  std::shared_ptr<Cache> cache_;
  std::shared_ptr<Statistics> statistics_ = CreateDBStatistics();
  uint64_t scanned_ = 1000;
};

TEST_F(SecondaryCacheTest, WhatIsEvictedTwiceComesBackFromTheSecondTier) {
  Insert(1);
  Scan();
  EXPECT_FALSE(Find(1));  // Only its key was left.
  EXPECT_EQ(1u, Count(COMPRESSED_SECONDARY_CACHE_DUMMY_HITS));
  Insert(1);
  Scan();
  EXPECT_TRUE(Find(1));
  EXPECT_EQ(1u, Count(SECONDARY_CACHE_HITS));
  EXPECT_EQ(1u, Count(SECONDARY_CACHE_DATA_HITS));
  EXPECT_EQ(1u, Count(COMPRESSED_SECONDARY_CACHE_HITS));
  EXPECT_TRUE(Find(1));  // In the first tier now.
  EXPECT_EQ(1u, Count(SECONDARY_CACHE_HITS));
  Scan();
  Scan();                // A hit gives it a second life.
  EXPECT_TRUE(Find(1));  // It had left its key when it went up.
  EXPECT_EQ(2u, Count(SECONDARY_CACHE_HITS));
}

TEST_F(SecondaryCacheTest, AScanLeavesNothingButKeys) {
  for (int i = 0; i < 100; i++) Scan();
  size_t usage = 0;
  ASSERT_TRUE(secondary_->GetUsage(usage).ok());
  EXPECT_GT(usage, 0u);
  EXPECT_LT(usage, 500u * 250);
  for (uint64_t n = 1000; n < scanned_ - 5; n++) ASSERT_FALSE(Find(n)) << n;
}

TEST_F(SecondaryCacheTest, ALookupWithoutAHelperAsksOneTier) {
  Insert(1);
  Scan();
  Insert(1);
  Scan();
  EXPECT_FALSE(Find(1, nullptr));
  EXPECT_FALSE(Find(1, &kInMemory));
  EXPECT_TRUE(Find(1));
}

TEST_F(SecondaryCacheTest, EntriesForMemoryAloneAreNotOffered) {
  for (int i = 0; i < 2; i++) {
    Insert(1, &kInMemory);
    for (int k = 0; k < 5; k++) Insert(2000 + k, &kInMemory);
  }
  EXPECT_FALSE(Find(1));
  EXPECT_EQ(0u, Count(COMPRESSED_SECONDARY_CACHE_DUMMY_HITS));
  EXPECT_TRUE(
      secondary_->Insert(Key(1), nullptr, &kInMemory, /*force_insert=*/true)
          .IsInvalidArgument());
}

TEST_F(SecondaryCacheTest, ErasedEntriesAreGoneFromBothTiers) {
  Insert(1);
  Scan();
  Insert(1);
  Scan();
  cache_->Erase(Key(1));
  EXPECT_FALSE(Find(1));
  EXPECT_EQ(0u, Count(COMPRESSED_SECONDARY_CACHE_DUMMY_HITS));
}

TEST_F(SecondaryCacheTest, WhatCannotBeMadeAgainIsAMiss) {
  CachedText poison("poison");
  ASSERT_TRUE(secondary_->Insert(Key(7), &poison, &kText, true).ok());
  EXPECT_EQ(nullptr, cache_->Lookup(Key(7), &kText));
  // And does not stay.
  size_t usage = 0;
  ASSERT_TRUE(secondary_->GetUsage(usage).ok());
  EXPECT_LT(usage, 250u);
}

TEST_F(SecondaryCacheTest, AFullStrictFirstTierRefusesWhatTheSecondHas) {
  front_.strict_capacity_limit = true;
  Remake();
  const CachedText text(Content(1));
  ASSERT_TRUE(
      secondary_->Insert(Key(1), const_cast<CachedText*>(&text), &kText, true)
          .ok());
  std::vector<Cache::Handle*> pinned(5);
  for (uint64_t i = 0; i < 5; i++) {
    ASSERT_TRUE(cache_
                    ->Insert(Key(10 + i), new CachedText(Content(10 + i)),
                             &kText, 100, &pinned[i])
                    .ok());
  }
  EXPECT_FALSE(Find(1));
  for (Cache::Handle* handle : pinned) cache_->Release(handle);
}

TEST_F(SecondaryCacheTest, BlocksAreCompressedUnlessTheirRoleIsExempt) {
  for (const bool exempt : {false, true}) {
    behind_.do_not_compress_roles = CacheEntryRoleSet();
    if (exempt) behind_.do_not_compress_roles.Add(CacheEntryRole::kDataBlock);
    Remake();
    const CachedText text(std::string(10000, 'z'));
    ASSERT_TRUE(
        secondary_->Insert(Key(1), const_cast<CachedText*>(&text), &kText, true)
            .ok());
    size_t usage = 0;
    ASSERT_TRUE(secondary_->GetUsage(usage).ok());
    EXPECT_EQ(exempt, usage > 10000) << usage;
    bool kept = false;
    const auto found =
        secondary_->Lookup(Key(1), &kText, nullptr, true,
                           /*advise_erase=*/false, nullptr, kept);
    ASSERT_NE(nullptr, found);
    EXPECT_TRUE(kept);
    EXPECT_TRUE(found->IsReady());
    EXPECT_EQ(text.bytes, BytesOf(found->Value()));
    DeleteText(found->Value(), nullptr);
  }
}

TEST_F(SecondaryCacheTest, SavedBytesAreTakenAsTheyAre) {
  const CompressionOptions how;
  CompressRequest request;
  request.type = kLZ4Compression;
  request.options = &how;
  std::string packed;
  ASSERT_TRUE(Compress(request, Content(1), &packed).ok());
  for (int i = 0; i < 2; i++) {
    ASSERT_TRUE(secondary_
                    ->InsertSaved(Key(1), packed, kLZ4Compression,
                                  CacheTier::kVolatileTier)
                    .ok());
  }
  EXPECT_TRUE(Find(1));
}

TEST_F(SecondaryCacheTest, TheEvictionCallbackMayKeepTheObject) {
  front_.secondary_cache = nullptr;
  cache_ = front_.MakeSharedCache();
  std::map<std::string, std::pair<CachedText*, bool>> taken;
  cache_->SetEvictionCallback(
      [&](const Slice& key, Cache::Handle* handle, bool was_hit) {
        EXPECT_EQ(&kText, cache_->GetCacheItemHelper(handle));
        taken[key.ToString()] = {
            static_cast<CachedText*>(cache_->Value(handle)), was_hit};
        return true;
      });
  for (uint64_t n = 1; n <= 5; n++) Insert(n);
  EXPECT_TRUE(Find(2));
  cache_->Erase(Key(3));  // Erased, not evicted.
  Insert(4);              // Replaced, not evicted.
  cache_->SetCapacity(0);
  EXPECT_EQ(4u, taken.size());
  EXPECT_EQ(0u, taken.count(Key(3)));
  for (const auto& [key, text] : taken) delete text.first;
  EXPECT_EQ(0u, cache_->GetUsage());
}

TEST_F(SecondaryCacheTest, ManyThreadsGoThroughBothTiers) {
  front_.capacity = 100 * 100;
  behind_.capacity = 200 * 300;
  Remake();
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      Random64 random(t + 1);
      for (int i = 0; i < 20000; i++) {
        const uint64_t n = random.Uniform(400);
        if (!Find(n)) Insert(n);
        if (i % 100 == 0) cache_->Erase(Key(random.Uniform(400)));
        if (i % 1000 == 0) cache_->SetCapacity(100 * (50 + n % 100));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(Count(SECONDARY_CACHE_HITS), 100u);
}

TEST(TieredCache, BothTiersShareOneCapacity) {
  LRUCacheOptions lru;
  lru.num_shard_bits = 0;
  TieredCacheOptions options;
  options.cache_opts = &lru;
  options.total_capacity = 100 << 20;
  options.compressed_secondary_ratio = 0.3;
  const std::shared_ptr<Cache> cache = NewTieredCache(options);
  ASSERT_NE(nullptr, cache);
  EXPECT_STREQ("LRUCache", cache->Name());
  size_t second = 0;
  ASSERT_TRUE(cache->GetSecondaryCacheCapacity(second).ok());
  EXPECT_EQ(size_t{30} << 20, second);
  EXPECT_EQ(size_t{100} << 20, cache->GetCapacity());
  cache->SetCapacity(50 << 20);
  ASSERT_TRUE(cache->GetSecondaryCacheCapacity(second).ok());
  EXPECT_EQ(size_t{15} << 20, second);
  ASSERT_TRUE(UpdateTieredCache(cache, 80 << 20, 0.5).ok());
  ASSERT_TRUE(cache->GetSecondaryCacheCapacity(second).ok());
  EXPECT_EQ(size_t{40} << 20, second);
  EXPECT_EQ(size_t{80} << 20, cache->GetCapacity());

  EXPECT_TRUE(UpdateTieredCache(cache, -1, 1.5).IsInvalidArgument());
  EXPECT_TRUE(UpdateTieredCache(NewLRUCache(1 << 20)).IsInvalidArgument());
  options.compressed_secondary_ratio = 1.0;
  EXPECT_EQ(nullptr, NewTieredCache(options));
  options.compressed_secondary_ratio = 0.3;
  options.adm_policy = kAdmPolicyThreeQueue;
  EXPECT_EQ(nullptr, NewTieredCache(options));
}

TEST(TieredCache, APolicyMayAdmitWhatWasHitOrEverything) {
  for (const auto policy :
       {kAdmPolicyPlaceholder, kAdmPolicyAllowCacheHits, kAdmPolicyAllowAll}) {
    HyperClockCacheOptions clock(0, 0, 0);
    clock.metadata_charge_policy = kDontChargeCacheMetadata;
    TieredCacheOptions options;
    options.cache_opts = &clock;
    options.cache_type = PrimaryCacheType::kCacheTypeHCC;
    options.adm_policy = policy;
    options.total_capacity = 10000;
    options.compressed_secondary_ratio = 0.9;
    options.comp_cache_opts.num_shard_bits = 0;
    const std::shared_ptr<Cache> cache = NewTieredCache(options);
    ASSERT_NE(nullptr, cache);
    const auto found = [&](uint64_t n) {
      Cache::Handle* const handle = cache->Lookup(Key(n), &kText);
      cache->Release(handle);
      return handle != nullptr;
    };
    for (uint64_t n = 1; n <= 2; n++) {
      (void)cache->Insert(Key(n), new CachedText(Content(n)), &kText, 100);
    }
    EXPECT_TRUE(found(2));
    // One that takes all the room, twice: the first gives hits a second life.
    for (uint64_t n = 3; n <= 4; n++) {
      (void)cache->Insert(Key(n), new CachedText(Content(n)), &kText, 1000);
    }
    EXPECT_EQ(policy == kAdmPolicyAllowAll, found(1)) << policy;
  }
}

TEST(SecondaryCacheOptions, TextsMakeThem) {
  const ConfigOptions config;
  std::shared_ptr<SecondaryCache> cache;
  ASSERT_TRUE(SecondaryCache::CreateFromString(
                  config,
                  "compressed_secondary_cache://capacity=8M;num_shard_bits=2;"
                  "compression_type=kZSTD",
                  &cache)
                  .ok());
  size_t capacity = 0;
  ASSERT_TRUE(cache->GetCapacity(capacity).ok());
  EXPECT_EQ(size_t{8} << 20, capacity);
  EXPECT_NE(std::string::npos, cache->GetPrintableOptions().find("ZSTD"));
  EXPECT_TRUE(SecondaryCache::CreateFromString(
                  config, "compressed_secondary_cache://size=1", &cache)
                  .IsInvalidArgument());
  EXPECT_TRUE(SecondaryCache::CreateFromString(config, "disk://x", &cache)
                  .IsNotSupported());
  ASSERT_TRUE(SecondaryCache::CreateFromString(config, "", &cache).ok());
  EXPECT_EQ(nullptr, cache);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine

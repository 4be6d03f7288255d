#include "test/stress/crash/images.h"

#include <utility>

#include "test/support/error_fs.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using engine::CrashOptions;
using engine::MemFileSystem;
using Data = CrashOptions::Data;
using Names = CrashOptions::Names;

struct Damage {
  const char* name;
  Data data;
  Names names;
  bool torn = false;
  uint64_t block_bytes = 4096;
  bool stays_unsynced = false;
};

constexpr Damage kDamages[] = {
    {"killed", Data::kAll, Names::kAll},
    {"killed, still unsynced", Data::kAll, Names::kAll, false, 4096, true},
    {"synced only", Data::kNone, Names::kNone},
    {"data lost", Data::kNone, Names::kAll},
    {"names lost", Data::kAll, Names::kNone},
    {"torn", Data::kAll, Names::kAll, true},
    {"torn, names lost", Data::kNone, Names::kRandom, true},
    {"prefix", Data::kPrefix, Names::kAll},
    {"prefix, ordered names", Data::kPrefix, Names::kPrefix},
    {"prefix, any names", Data::kPrefix, Names::kSplit},
    {"sectors", Data::kBlocks, Names::kRandom, false, 512},
    {"blocks", Data::kBlocks, Names::kRandom},
    {"blocks, all names", Data::kBlocks, Names::kAll},
    {"blocks, ordered names", Data::kBlocks, Names::kPrefix, true},
    {"garbage sectors", Data::kGarbage, Names::kRandom, false, 512},
    {"garbage", Data::kGarbage, Names::kSplit},
    {"garbage, all names", Data::kGarbage, Names::kAll},
};

bool IsInfoLog(const std::string& path) {
  return test::GlobMatches("LOG*", path.substr(path.rfind('/') + 1));
}

uint64_t Fingerprint(const MemFileSystem& fs) {
  uint64_t mixed = 0;
  fs.ForEachFile([&](const std::string& path, const std::string& content) {
    if (IsInfoLog(path)) return;
    mixed = engine::Hash64(path.data(), path.size(), mixed);
    mixed = engine::Hash64(content.data(), content.size(), mixed);
  });
  return mixed;
}

}  // namespace

std::string Image::ToString() const {
  return "crash before call " + std::to_string(call) + " (" + next_op + "), " +
         damage + ", promised " + std::to_string(promise.power) + " of " +
         std::to_string(promise.started) + " writes, " +
         std::to_string(promise.killed) + " if only killed";
}

ImageCollector::ImageCollector(std::shared_ptr<MemFileSystem> disk,
                               uint64_t seed, uint64_t percent,
                               size_t images_max)
    : disk_(std::move(disk)),
      percent_(percent),
      images_max_(images_max),
      random_(seed) {}

std::shared_ptr<FileSystem> ImageCollector::Watched() {
  return std::make_shared<test::HookedFileSystem>(
      disk_, [this](const test::FileOp& op) {
        Before(op);
        return IOStatus::OK();
      });
}

void ImageCollector::SetPromise(const Promise& promise) {
  engine::MutexLock lock(&mu_);
  promise_ = promise;
}

void ImageCollector::Before(const test::FileOp& op) {
  using test::OpKind;
  if (!op.IsWrite() || IsInfoLog(op.path)) return;
  engine::MutexLock lock(&mu_);
  ++calls_;
  // What follows these changes least.
  const bool dull = op.kind == OpKind::kFlush || op.kind == OpKind::kClose;
  const uint64_t percent = dull ? percent_ / 4 : percent_;
  if (random_.Uniform(100) < percent) TakeOne(op.ToString());
}

void ImageCollector::AtEnd() {
  engine::MutexLock lock(&mu_);
  if (percent_ > 0) TakeOne("(end)");
}

void ImageCollector::TakeOne(const std::string& next_op) {
  if (images_.size() >= images_max_) return;
  const Damage& damage = kDamages[random_.Uniform(std::size(kDamages))];
  CrashOptions options;
  options.seed = random_.Next();
  options.data = damage.data;
  options.names = damage.names;
  options.tear_last_write = damage.torn;
  options.block_bytes = damage.block_bytes;
  options.stays_unsynced = damage.stays_unsynced;
  constexpr uint64_t kKeep[] = {50, 50, 10, 90};
  options.keep_percent = kKeep[random_.Uniform(std::size(kKeep))];
  Image image;
  image.disk = disk_->CrashClone(options);
  ++taken_;
  uint64_t key = Fingerprint(*image.disk);
  for (const uint64_t part :
       {promise_.power, promise_.started, uint64_t{promise_.events_power},
        uint64_t{damage.stays_unsynced}}) {
    key =
        engine::Hash64(reinterpret_cast<const char*>(&part), sizeof(part), key);
  }
  if (!seen_.insert(key).second) return;
  image.promise = promise_;
  image.call = calls_;
  image.next_op = next_op;
  image.damage = damage.name;
  image.is_unsynced = damage.stays_unsynced;
  image.killed =
      damage.data == Data::kAll && damage.names == Names::kAll && !damage.torn;
  image.tail_only = damage.data == Data::kAll || damage.data == Data::kNone ||
                    damage.data == Data::kPrefix;
  images_.push_back(std::move(image));
}

std::vector<Image> ImageCollector::Take() {
  engine::MutexLock lock(&mu_);
  return std::exchange(images_, {});
}

uint64_t ImageCollector::taken() const {
  engine::MutexLock lock(&mu_);
  return taken_;
}

}  // namespace ROCKSDB_NAMESPACE::stress

// The bytes of write batches, and what their reader makes of good and bad
// ones. The cases are in testdata/write_batch and testdata/write_batch_bad.

#include "rocksdb/write_batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "db/write_batch/batch_format.h"
#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "test/support/datadriven.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class FakeHandle : public ColumnFamilyHandle {
 public:
  explicit FakeHandle(uint32_t id,
                      const Comparator* comparator = BytewiseComparator())
      : id_(id), comparator_(comparator) {}
  const std::string& GetName() const override { return name_; }
  uint32_t GetID() const override { return id_; }
  Status GetDescriptor(ColumnFamilyDescriptor*) override { return {}; }
  const Comparator* GetComparator() const override { return comparator_; }

 private:
  uint32_t id_;
  const Comparator* comparator_;
  std::string name_;
};

// Keys that end in eight bytes of time.
class StampedOrder : public Comparator {
 public:
  StampedOrder() : Comparator(/*ts_sz=*/8) {}
  const char* Name() const override { return "StampedOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

std::string Hex(const Slice& bytes) { return bytes.ToString(/*hex=*/true); }

std::string Unhex(const std::string& text) {
  std::string compact;
  for (const char c : text) {
    if (c != ' ') compact.push_back(c);
  }
  std::string bytes;
  for (size_t i = 0; i + 1 < compact.size(); i += 2) {
    bytes.push_back(
        static_cast<char>(std::stoi(compact.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// One line per call.
class Printer : public WriteBatch::Handler {
 public:
  Status PutCF(uint32_t cf, const Slice& key, const Slice& value) override {
    return Say("put", cf, {key, value});
  }
  Status TimedPutCF(uint32_t cf, const Slice& key, const Slice& value,
                    uint64_t time) override {
    return Say("timed_put@" + std::to_string(time), cf, {key, value});
  }
  Status PutEntityCF(uint32_t cf, const Slice& key,
                     const Slice& entity) override {
    return Say("entity", cf, {key, entity});
  }
  Status DeleteCF(uint32_t cf, const Slice& key) override {
    return Say("delete", cf, {key});
  }
  Status SingleDeleteCF(uint32_t cf, const Slice& key) override {
    return Say("single_delete", cf, {key});
  }
  Status DeleteRangeCF(uint32_t cf, const Slice& begin,
                       const Slice& end) override {
    return Say("delete_range", cf, {begin, end});
  }
  Status MergeCF(uint32_t cf, const Slice& key, const Slice& value) override {
    return Say("merge", cf, {key, value});
  }
  Status PutBlobIndexCF(uint32_t cf, const Slice& key,
                        const Slice& value) override {
    return Say("blob_index", cf, {key, value});
  }
  void LogData(const Slice& blob) override { Say("log_data", 0, {blob}); }
  Status MarkBeginPrepare(bool unprepare) override {
    return Say(unprepare ? "begin_unprepare" : "begin_prepare", 0, {});
  }
  Status MarkEndPrepare(const Slice& xid) override {
    return Say("end_prepare", 0, {xid});
  }
  Status MarkNoop(bool empty) override {
    return Say(empty ? "noop empty" : "noop", 0, {});
  }
  Status MarkRollback(const Slice& xid) override {
    return Say("rollback", 0, {xid});
  }
  Status MarkCommit(const Slice& xid) override {
    return Say("commit", 0, {xid});
  }
  Status MarkCommitWithTimestamp(const Slice& xid, const Slice& ts) override {
    return Say("commit", 0, {xid, ts});
  }
  bool Continue() override { return calls_ < calls_max; }

  std::string text;
  size_t calls_max = SIZE_MAX;

 private:
  Status Say(const std::string& what, uint32_t cf,
             const std::vector<Slice>& slices) {
    ++calls_;
    text += what;
    if (cf != 0) text += " cf=" + std::to_string(cf);
    for (const Slice& slice : slices) text += " " + slice.ToString();
    text += "\n";
    return {};
  }

  size_t calls_ = 0;
};

// "kind [cf=N] word [word]"
Status Apply(const std::string& line, WriteBatch* batch) {
  std::istringstream words(line);
  std::string kind;
  std::string word[3];
  words >> kind >> word[0] >> word[1] >> word[2];
  uint32_t cf = 0;
  if (word[0].starts_with("cf=")) {
    cf = static_cast<uint32_t>(std::stoul(word[0].substr(3)));
    word[0] = word[1];
    word[1] = word[2];
  }
  FakeHandle handle(cf);
  if (kind == "put") return batch->Put(&handle, word[0], word[1]);
  if (kind == "merge") return batch->Merge(&handle, word[0], word[1]);
  if (kind == "delete") return batch->Delete(&handle, word[0]);
  if (kind == "single_delete") return batch->SingleDelete(&handle, word[0]);
  if (kind == "delete_range") {
    return batch->DeleteRange(&handle, word[0], word[1]);
  }
  if (kind == "log_data") return batch->PutLogData(word[0]);
  if (kind == "save") return batch->SetSavePoint(), Status();
  if (kind == "rollback") return batch->RollbackToSavePoint();
  if (kind == "pop") return batch->PopSavePoint();
  if (kind == "clear") return batch->Clear(), Status();
  if (kind == "max_bytes") {
    return batch->SetMaxBytes(std::stoul(word[0])), Status();
  }
  return Status::InvalidArgument("unknown line", line);
}

std::string Describe(const WriteBatch& batch) {
  Printer printer;
  const Status status = batch.Iterate(&printer);
  if (!status.ok()) printer.text += status.ToString() + "\n";
  return printer.text;
}

// build [sequence=N]: lines of Apply; prints failures, hex and content.
std::string Build(const test::Case& c) {
  WriteBatch batch;
  std::string out;
  for (const std::string& line : c.input) {
    const Status status = Apply(line, &batch);
    if (!status.ok()) out += line + ": " + status.ToString() + "\n";
  }
  WriteBatchInternal::SetSequence(&batch, c.Uint("sequence", 0));
  const std::string& rep = batch.Data();
  out +=
      Hex({rep.data(), 8}) + " " + Hex({rep.data() + 8, 4}) +
      (rep.size() > 12 ? " " + Hex({rep.data() + 12, rep.size() - 12}) : "") +
      "\n";
  return out + Describe(batch);
}

// read: hex lines; prints what a handler sees.
std::string Read(const test::Case& c) {
  std::string bytes;
  for (const std::string& line : c.input) bytes += Unhex(line);
  return Describe(WriteBatch(bytes));
}

TEST(WriteBatchTest, BytesAreAsTheGoldensSay) {
  for (const std::string& failure : test::RunDataDriven(
           "test/db/testdata/write_batch", [](const test::Case& c) {
             return c.command == "build" ? Build(c) : Read(c);
           })) {
    ADD_FAILURE() << failure;
  }
}

std::string Sample() {
  WriteBatch batch;
  FakeHandle other(300);
  for (const Status& status :
       {batch.Put("key", std::string(200, 'v')), batch.Put(&other, "k", ""),
        batch.Delete("gone"), batch.SingleDelete(&other, "once"),
        batch.Merge("sum", "operand"), batch.DeleteRange("a", "b"),
        batch.PutLogData("note")}) {
    EXPECT_TRUE(status.ok());
  }
  return batch.Data();
}

TEST(WriteBatchTest, EveryTruncationIsReportedAsCorruption) {
  const std::string whole = Sample();
  ASSERT_TRUE(WriteBatch(whole).VerifyChecksum().ok());
  // The last record is not counted, so dropping just it leaves a good batch.
  const size_t without_note = whole.size() - 6;
  for (size_t size = 0; size < whole.size(); ++size) {
    const Status status = WriteBatch(whole.substr(0, size)).VerifyChecksum();
    EXPECT_EQ(size == without_note, status.ok()) << size;
    EXPECT_TRUE(status.ok() || status.IsCorruption()) << size;
  }
}

// batch_format.h (3).
// batch_format.h (1).
TEST(WriteBatchTest, ARecordThatCarriesTheIdOfFamily0IsReadAsOneOfIt) {
  const std::string bytes = Unhex(
      "0700000000000000 01000000"  // sequence, count
      "05 00 016B 0176");          // kColumnFamilyValue, 0, "k", "v"
  std::string seen;
  const Status status = ForEachRecord(bytes, [&](const BatchRecord& record) {
    EXPECT_EQ(ValueType::kValue, record.type);
    EXPECT_EQ(0u, record.family);
    seen += record.key.ToString() + "=" + record.value.ToString();
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("k=v", seen);
}

TEST(WriteBatchTest, DamagedBytesAreNeverReadBeyondTheEnd) {
  const std::string whole = Sample();
  Random64 random(301);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = whole.substr(0, 12 + random.Uniform(whole.size() - 11));
    for (uint64_t flips = 1 + random.Uniform(4); flips > 0; --flips) {
      bytes[random.Uniform(bytes.size())] = static_cast<char>(random.Next());
    }
    const std::string exact(bytes);  // A sanitizer sees a byte too many.
    ForEachRecord(exact, [&exact](const BatchRecord& record) {
      for (const Slice& slice : {record.key, record.value}) {
        if (slice.empty()) continue;
        EXPECT_GE(slice.data(), exact.data());
        EXPECT_LE(slice.data() + slice.size(), exact.data() + exact.size());
      }
      return true;
    }).PermitUncheckedError();
  }
}

TEST(WriteBatchTest, SlicePartsGiveTheSameBytesAsOneSlice) {
  WriteBatch joined;
  WriteBatch parted;
  const Slice key[] = {"ke", "", "y"};
  const Slice value[] = {"val", "ue"};
  const SliceParts key_parts(key, 3);
  ASSERT_TRUE(joined.Put("key", "value").ok());
  ASSERT_TRUE(parted.Put(key_parts, SliceParts(value, 2)).ok());
  ASSERT_TRUE(joined.Delete("key").ok());
  ASSERT_TRUE(parted.Delete(key_parts).ok());
  ASSERT_TRUE(joined.SingleDelete("key").ok());
  ASSERT_TRUE(parted.SingleDelete(key_parts).ok());
  ASSERT_TRUE(joined.Merge("key", "value").ok());
  ASSERT_TRUE(parted.Merge(key_parts, SliceParts(value, 2)).ok());
  ASSERT_TRUE(joined.DeleteRange("key", "value").ok());
  ASSERT_TRUE(parted.DeleteRange(key_parts, SliceParts(value, 2)).ok());
  EXPECT_EQ(Hex(joined.Data()), Hex(parted.Data()));
}

TEST(WriteBatchTest, ATimestampFollowsTheKeyAndMustHaveTheRightSize) {
  const StampedOrder order;
  FakeHandle stamped(2, &order);
  const std::string ts = "12345678";
  WriteBatch batch;
  EXPECT_TRUE(batch.Put(&stamped, "k", "1234", "v").IsInvalidArgument());
  EXPECT_TRUE(batch.Put(nullptr, "k", ts, "v").IsInvalidArgument());
  EXPECT_EQ(0U, batch.Count());
  ASSERT_TRUE(batch.Put(&stamped, "k", ts, "v").ok());
  ASSERT_TRUE(batch.DeleteRange(&stamped, "a", "b", ts).ok());
  EXPECT_EQ("put cf=2 k12345678 v\ndelete_range cf=2 a12345678 b12345678\n",
            Describe(batch));
}

// A kind of record, with key "k" and value "v" (a range's end), in each form.
struct Forms {
  const char* text;  // As Describe() has it, before the column family.
  Status (*plain)(WriteBatch*, ColumnFamilyHandle*);
  Status (*parts)(WriteBatch*, ColumnFamilyHandle*, const SliceParts& key,
                  const SliceParts& value);
  // What a class has that overrides nothing: with a family, and without.
  Status (*inherited)(WriteBatch*, ColumnFamilyHandle*, const SliceParts& key,
                      const SliceParts& value);
  Status (*inherited_default)(WriteBatch*, const SliceParts& key,
                              const SliceParts& value);
  Status (*stamped)(WriteBatch*, ColumnFamilyHandle*, const Slice& ts);
};

using Base = WriteBatchBase;
using Handle = ColumnFamilyHandle;

const Forms kForms[] = {
    {"put", [](WriteBatch* b, Handle* h) { return b->Put(h, "k", "v"); },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts& v) {
       return b->Put(h, k, v);
     },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts& v) {
       return b->Base::Put(h, k, v);
     },
     [](WriteBatch* b, const SliceParts& k, const SliceParts& v) {
       return b->Base::Put(k, v);
     },
     [](WriteBatch* b, Handle* h, const Slice& ts) {
       return b->Put(h, "k", ts, "v");
     }},
    {"merge", [](WriteBatch* b, Handle* h) { return b->Merge(h, "k", "v"); },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts& v) {
       return b->Merge(h, k, v);
     },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts& v) {
       return b->Base::Merge(h, k, v);
     },
     [](WriteBatch* b, const SliceParts& k, const SliceParts& v) {
       return b->Base::Merge(k, v);
     },
     [](WriteBatch* b, Handle* h, const Slice& ts) {
       return b->Merge(h, "k", ts, "v");
     }},
    {"delete", [](WriteBatch* b, Handle* h) { return b->Delete(h, "k"); },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts&) {
       return b->Delete(h, k);
     },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts&) {
       return b->Base::Delete(h, k);
     },
     [](WriteBatch* b, const SliceParts& k, const SliceParts&) {
       return b->Base::Delete(k);
     },
     [](WriteBatch* b, Handle* h, const Slice& ts) {
       return b->Delete(h, "k", ts);
     }},
    {"single_delete",
     [](WriteBatch* b, Handle* h) { return b->SingleDelete(h, "k"); },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts&) {
       return b->SingleDelete(h, k);
     },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts&) {
       return b->Base::SingleDelete(h, k);
     },
     [](WriteBatch* b, const SliceParts& k, const SliceParts&) {
       return b->Base::SingleDelete(k);
     },
     [](WriteBatch* b, Handle* h, const Slice& ts) {
       return b->SingleDelete(h, "k", ts);
     }},
    {"delete_range",
     [](WriteBatch* b, Handle* h) { return b->DeleteRange(h, "k", "v"); },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts& v) {
       return b->DeleteRange(h, k, v);
     },
     [](WriteBatch* b, Handle* h, const SliceParts& k, const SliceParts& v) {
       return b->Base::DeleteRange(h, k, v);
     },
     [](WriteBatch* b, const SliceParts& k, const SliceParts& v) {
       return b->Base::DeleteRange(k, v);
     },
     [](WriteBatch* b, Handle* h, const Slice& ts) {
       return b->DeleteRange(h, "k", "v", ts);
     }},
};

TEST(WriteBatchTest, EveryFormOfARecordGivesTheSameBytes) {
  FakeHandle family(2);
  const Slice key[] = {"", "k"};
  const Slice value[] = {"v", ""};
  const SliceParts k(key, 2);
  const SliceParts v(value, 2);
  for (const Forms& forms : kForms) {
    WriteBatch plain, parts, inherited, default_plain, default_inherited;
    ASSERT_TRUE(forms.plain(&plain, &family).ok());
    ASSERT_TRUE(forms.parts(&parts, &family, k, v).ok());
    ASSERT_TRUE(forms.inherited(&inherited, &family, k, v).ok());
    EXPECT_EQ(std::string(forms.text) + " cf=2 k",
              Describe(plain).substr(0, std::strlen(forms.text) + 7));
    EXPECT_EQ(Hex(plain.Data()), Hex(parts.Data())) << forms.text;
    EXPECT_EQ(Hex(plain.Data()), Hex(inherited.Data())) << forms.text;
    ASSERT_TRUE(forms.plain(&default_plain, nullptr).ok());
    ASSERT_TRUE(forms.inherited_default(&default_inherited, k, v).ok());
    EXPECT_EQ(Hex(default_plain.Data()), Hex(default_inherited.Data()));
  }
}

TEST(WriteBatchTest, EveryFormOfARecordChecksItsTimestamp) {
  const StampedOrder order;
  FakeHandle plain(1);
  FakeHandle stamped(2, &order);
  const Slice parts[] = {"k"};
  const SliceParts k(parts, 1);
  for (const Forms& forms : kForms) {
    WriteBatch placed;  // A place for the timestamp follows the key.
    ASSERT_TRUE(forms.plain(&placed, &stamped).ok());
    EXPECT_EQ(forms.text + std::string(" cf=2 k\0\0\0\0\0\0\0\0", 15),
              Describe(placed).substr(0, std::strlen(forms.text) + 15));
    WriteBatch batch;
    EXPECT_TRUE(forms.parts(&batch, &stamped, k, k).IsInvalidArgument());
    EXPECT_TRUE(forms.stamped(&batch, &stamped, "short").IsInvalidArgument());
    EXPECT_TRUE(forms.stamped(&batch, &plain, "12345678").IsInvalidArgument());
    EXPECT_EQ(0U, batch.Count()) << forms.text;
    ASSERT_TRUE(forms.stamped(&batch, &stamped, "12345678").ok());
    EXPECT_EQ(std::string(forms.text) + " cf=2 k12345678",
              Describe(batch).substr(0, std::strlen(forms.text) + 15));
  }
}

TEST(WriteBatchTest, ContentIsKnownWhetherBuiltOrRead) {
  WriteBatch built(Sample());
  EXPECT_TRUE(built.HasPut());
  EXPECT_TRUE(built.HasDelete());
  EXPECT_TRUE(built.HasSingleDelete());
  EXPECT_TRUE(built.HasMerge());
  EXPECT_TRUE(built.HasDeleteRange());
  EXPECT_FALSE(built.HasCommit());
  WriteBatch batch;
  EXPECT_FALSE(batch.HasPut());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Put("k", "v").ok());
  EXPECT_TRUE(batch.HasPut());
  ASSERT_TRUE(batch.RollbackToSavePoint().ok());
  EXPECT_FALSE(batch.HasPut());
}

// A record of one tag, with as many texts of one byte as it has fields.
std::string OneRecord(ValueType type, int fields) {
  std::string bytes(kBatchHeaderSize, '\0');
  bytes[8] = 1;  // The count.
  bytes.push_back(static_cast<char>(type));
  for (int i = 0; i < fields; ++i) bytes += std::string("\x01x", 2);
  return bytes;
}

TEST(WriteBatchTest, ContentIsKnownOfEveryKindOfRecordThatIsRead) {
  struct Row {
    ValueType type;
    int fields;
    bool (WriteBatch::*has)() const;
  };
  const Row rows[] = {
      {ValueType::kValue, 2, &WriteBatch::HasPut},
      {ValueType::kDeletion, 1, &WriteBatch::HasDelete},
      {ValueType::kSingleDeletion, 1, &WriteBatch::HasSingleDelete},
      {ValueType::kMerge, 2, &WriteBatch::HasMerge},
      {ValueType::kRangeDeletion, 2, &WriteBatch::HasDeleteRange},
      {ValueType::kWideColumnEntity, 2, &WriteBatch::HasPutEntity},
      {ValueType::kBeginPrepare, 0, &WriteBatch::HasBeginPrepare},
      {ValueType::kBeginPersistedPrepare, 0, &WriteBatch::HasBeginPrepare},
      {ValueType::kBeginUnprepare, 0, &WriteBatch::HasBeginPrepare},
      {ValueType::kEndPrepare, 1, &WriteBatch::HasEndPrepare},
      {ValueType::kCommit, 1, &WriteBatch::HasCommit},
      {ValueType::kCommitWithTimestamp, 2, &WriteBatch::HasCommit},
      {ValueType::kRollback, 1, &WriteBatch::HasRollback},
  };
  for (const Row& row : rows) {
    const WriteBatch batch(OneRecord(row.type, row.fields));
    for (const Row& other : rows) {
      EXPECT_EQ(row.has == other.has, (batch.*other.has)())
          << static_cast<int>(row.type) << ", " << static_cast<int>(other.type);
    }
    EXPECT_FALSE(batch.HasTimedPut());
  }
}

TEST(WriteBatchTest, AppendStopsAtTheLogTerminationPointWhenAskedTo) {
  WriteBatch src;
  ASSERT_TRUE(src.Put("a", "1").ok());
  src.MarkWalTerminationPoint();
  ASSERT_TRUE(src.Merge("b", "2").ok());
  WriteBatch logged;
  ASSERT_TRUE(WriteBatchInternal::Append(&logged, &src, true).ok());
  EXPECT_EQ("put a 1\n", Describe(logged));
  EXPECT_FALSE(logged.HasMerge());
  WriteBatch all;
  ASSERT_TRUE(WriteBatchInternal::Append(&all, &src).ok());
  ASSERT_TRUE(WriteBatchInternal::Append(&all, &src).ok());
  EXPECT_EQ("put a 1\nmerge b 2\nput a 1\nmerge b 2\n", Describe(all));
  EXPECT_EQ(4U, all.Count());
}

TEST(WriteBatchTest, AHandlerThatStopsEndsTheIterationWithoutError) {
  WriteBatch batch(Sample());
  Printer printer;
  printer.calls_max = 2;
  EXPECT_TRUE(batch.Iterate(&printer).ok());
  EXPECT_EQ("put key " + std::string(200, 'v') + "\nput cf=300 k \n",
            printer.text);
}

TEST(WriteBatchTest, TheDefaultHandlerRefusesOtherColumnFamilies) {
  struct Counter : WriteBatch::Handler {
    void Put(const Slice&, const Slice&) override { ++puts; }
    int puts = 0;
  } counter;
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "b").ok());
  EXPECT_TRUE(batch.Iterate(&counter).ok());
  EXPECT_EQ(1, counter.puts);
  FakeHandle other(1);
  ASSERT_TRUE(batch.Put(&other, "a", "b").ok());
  EXPECT_TRUE(batch.Iterate(&counter).IsInvalidArgument());
}

// Only the short forms may be left as they are.
TEST(WriteBatchTest, TheDefaultHandlerSaysWhatItDoesNotHave) {
  struct Nothing : WriteBatch::Handler {
  } handler;
  for (const uint32_t family : {0U, 1U}) {
    const bool ok = family == 0;
    EXPECT_EQ(ok, handler.PutCF(family, "k", "v").ok());
    EXPECT_EQ(ok, handler.TimedPutCF(family, "k", "v", 1).ok());
    EXPECT_EQ(ok, handler.DeleteCF(family, "k").ok());
    EXPECT_EQ(ok, handler.SingleDeleteCF(family, "k").ok());
    EXPECT_EQ(ok, handler.MergeCF(family, "k", "v").ok());
    EXPECT_TRUE(handler.PutEntityCF(family, "k", "v").IsNotSupported());
    EXPECT_TRUE(handler.DeleteRangeCF(family, "a", "b").IsInvalidArgument());
    EXPECT_TRUE(handler.PutBlobIndexCF(family, "k", "v").IsInvalidArgument());
  }
  handler.LogData("any");
  for (const Status& status :
       {handler.MarkBeginPrepare(false), handler.MarkEndPrepare("t"),
        handler.MarkNoop(true), handler.MarkRollback("t"),
        handler.MarkCommit("t"), handler.MarkCommitWithTimestamp("t", "1")}) {
    EXPECT_TRUE(status.IsInvalidArgument());
    EXPECT_NE(std::string::npos, status.ToString().find("not defined"));
  }
}

TEST(WriteBatchTest, SavePointsAreTakenBackOrForgotten) {
  WriteBatch batch;
  EXPECT_TRUE(batch.PopSavePoint().IsNotFound());
  EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Put("a", "1").ok());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Put("b", "1").ok());
  ASSERT_TRUE(batch.PopSavePoint().ok());
  EXPECT_EQ(2U, batch.Count());
  ASSERT_TRUE(batch.RollbackToSavePoint().ok());
  EXPECT_EQ(0U, batch.Count());
  EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
}

TEST(WriteBatchTest, CopiesAndMovedFromBatchesAreIndependentAndUsable) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "1").ok());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Put("b", "2").ok());
  WriteBatch copy(batch);
  ASSERT_TRUE(copy.RollbackToSavePoint().ok());
  EXPECT_EQ("put a 1\n", Describe(copy));
  WriteBatch moved(std::move(batch));
  EXPECT_EQ("put a 1\nput b 2\n", Describe(moved));
  ASSERT_TRUE(batch.Put("c", "3").ok());  // NOLINT: defined to be empty.
  EXPECT_EQ("put c 3\n", Describe(batch));
  copy = moved;
  EXPECT_EQ("put a 1\nput b 2\n", Describe(copy));
  EXPECT_EQ(Describe(copy), Describe(moved));
}

TEST(WriteBatchTest, ABatchMadeOfTooFewBytesTakesNoRecords) {
  WriteBatch batch(std::string("short"));
  EXPECT_EQ(0U, batch.Count());
  EXPECT_TRUE(batch.Put("a", "1").IsCorruption());
  EXPECT_EQ("short", batch.Data());
  EXPECT_TRUE(WriteBatchInternal::SetContents(&batch, "x").IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine

// A tour of the Go binding: the same steps, and the same output, as the
// examples in the other languages. One argument: an empty directory.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"

	"github.com/linxGnu/grocksdb"
)

const rows = 1000

var (
	reading = grocksdb.NewDefaultReadOptions()
	writing = grocksdb.NewDefaultWriteOptions()
	names   = []string{"default", "index"}
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func options() *grocksdb.Options {
	options := grocksdb.NewDefaultOptions()
	options.SetCreateIfMissing(true)
	options.SetCreateIfMissingColumnFamilies(true)
	return options
}

func key(n int) []byte { return []byte(fmt.Sprintf("key%06d", n)) }

func text(slice *grocksdb.Slice, err error) string {
	check(err)
	defer slice.Free()
	return string(slice.Data())
}

// Rows with keys from begin up to end, which is open if it is nil.
func count(db *grocksdb.DB, family *grocksdb.ColumnFamilyHandle, begin, end []byte) int {
	within := grocksdb.NewDefaultReadOptions()
	defer within.Destroy()
	if end != nil {
		within.SetIterateUpperBound(end)
	}
	it := db.NewIteratorCF(within, family)
	defer it.Close()
	n := 0
	for it.Seek(begin); it.Valid(); it.Next() {
		n++
	}
	check(it.Err())
	return n
}

func fill(db *grocksdb.DB, families []*grocksdb.ColumnFamilyHandle) {
	batch := grocksdb.NewWriteBatch()
	defer batch.Destroy()
	for n := 0; n < rows; n++ {
		batch.PutCF(families[0], key(n), []byte("value 1"))
		batch.PutCF(families[1], []byte(strconv.Itoa(n)), key(n))
		if batch.Count() >= 100 {
			check(db.Write(writing, batch))
			batch.Clear()
		}
	}
	check(db.Write(writing, batch))
}

func snapshots(db *grocksdb.DB, family *grocksdb.ColumnFamilyHandle) {
	snapshot := db.NewSnapshot()
	defer db.ReleaseSnapshot(snapshot)
	before := grocksdb.NewDefaultReadOptions()
	defer before.Destroy()
	before.SetSnapshot(snapshot)
	check(db.PutCF(writing, family, key(7), []byte("value 2")))
	fmt.Printf("a snapshot reads %s, a read now %s\n",
		text(db.GetCF(before, family, key(7))), text(db.GetCF(reading, family, key(7))))
}

func checkpoint(db *grocksdb.DB, dir string) {
	maker, err := db.NewCheckpoint()
	check(err)
	defer maker.Destroy()
	check(maker.CreateCheckpoint(dir, 0))
	each := []*grocksdb.Options{options(), options()}
	copied, families, err := grocksdb.OpenDbForReadOnlyColumnFamilies(options(), dir, names, each, false)
	check(err)
	defer copied.Close()
	fmt.Printf("the checkpoint holds %d rows\n", count(copied, families[0], key(0), nil))
	for _, family := range families {
		family.Destroy()
	}
}

func transactions(dir string) {
	db, err := grocksdb.OpenTransactionDb(options(), grocksdb.NewDefaultTransactionDBOptions(), dir)
	check(err)
	defer db.Close()
	check(db.Put(writing, []byte("a"), []byte("70")))
	check(db.Put(writing, []byte("b"), []byte("30")))
	patience := grocksdb.NewDefaultTransactionOptions()
	patience.SetLockTimeout(10) // Milliseconds.
	first := db.TransactionBegin(writing, patience, nil)
	second := db.TransactionBegin(writing, patience, nil)
	moved := func(account string, by int) []byte {
		slice, err := first.GetForUpdate(reading, []byte(account))
		held, failed := strconv.Atoi(text(slice, err))
		check(failed)
		return []byte(strconv.Itoa(held + by))
	}
	check(first.Put([]byte("a"), moved("a", -25)))
	if second.Put([]byte("a"), []byte("0")) == nil {
		log.Fatal("two transactions hold the same lock")
	}
	fmt.Println("a transaction that meets another one's lock: timed out")
	check(second.Rollback())
	check(first.Put([]byte("b"), moved("b", 25)))
	check(first.Commit())
	a, _ := strconv.Atoi(text(db.Get(reading, []byte("a"))))
	b, _ := strconv.Atoi(text(db.Get(reading, []byte("b"))))
	fmt.Printf("2 accounts hold %d\n", a+b)
	first.Destroy()
	second.Destroy()
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: main DIRECTORY")
	}
	dir := os.Args[1]
	each := []*grocksdb.Options{options(), options()}
	db, families, err := grocksdb.OpenDbColumnFamilies(options(), filepath.Join(dir, "db"), names, each)
	check(err)
	check(db.SetOptions([]string{"auto_tuned_compaction"}, []string{"true"}))
	fill(db, families)
	fmt.Printf("%d rows in %d column families, with auto_tuned_compaction\n",
		count(db, families[0], key(0), nil), len(families))
	snapshots(db, families[0])
	check(db.Flush(grocksdb.NewDefaultFlushOptions()))
	db.CompactRange(grocksdb.Range{})
	fmt.Printf("%d rows from %s to %s\n", count(db, families[0], key(100), key(200)), key(100), key(200))
	checkpoint(db, filepath.Join(dir, "copy"))
	for _, family := range families {
		family.Destroy()
	}
	db.Close()
	transactions(filepath.Join(dir, "transactions"))
}

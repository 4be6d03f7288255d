//! A tour of the Rust binding: the same steps, and the same output, as the
//! examples in the other languages. One argument: an empty directory.

use rocksdb::checkpoint::Checkpoint;
use rocksdb::{
    AsColumnFamilyRef, Direction, Error, IteratorMode, Options, ReadOptions, Transaction,
    TransactionDB, TransactionDBOptions, TransactionOptions, WriteBatch, WriteOptions, DB,
};
use std::path::Path;

const ROWS: usize = 1000;
const FAMILIES: [&str; 2] = ["default", "index"];

fn options() -> Options {
    let mut options = Options::default();
    options.create_if_missing(true);
    options.create_missing_column_families(true);
    options
}

fn key(n: usize) -> String {
    format!("key{n:06}")
}

fn text(value: Option<Vec<u8>>) -> String {
    String::from_utf8(value.expect("the key is there")).expect("text")
}

/// Rows with keys from `begin` up to `end`, which is open if it is none.
fn count(
    db: &DB,
    family: &impl AsColumnFamilyRef,
    begin: &str,
    end: Option<String>,
) -> Result<usize, Error> {
    let mut within = ReadOptions::default();
    if let Some(end) = end {
        within.set_iterate_upper_bound(end);
    }
    let from = IteratorMode::From(begin.as_bytes(), Direction::Forward);
    let mut rows = 0;
    for row in db.iterator_cf_opt(family, within, from) {
        row?;
        rows += 1;
    }
    Ok(rows)
}

fn fill(db: &DB) -> Result<(), Error> {
    let index = db.cf_handle("index").expect("it was created");
    let mut batch = WriteBatch::default();
    for n in 0..ROWS {
        batch.put(key(n), "value 1");
        batch.put_cf(index, n.to_string(), key(n));
        if batch.len() >= 100 {
            db.write(std::mem::take(&mut batch))?;
        }
    }
    db.write(batch)
}

fn snapshots(db: &DB) -> Result<(), Error> {
    let snapshot = db.snapshot();
    db.put(key(7), "value 2")?;
    println!(
        "a snapshot reads {}, a read now {}",
        text(snapshot.get(key(7))?),
        text(db.get(key(7))?)
    );
    Ok(())
}

fn checkpoint(db: &DB, dir: &Path) -> Result<(), Error> {
    Checkpoint::new(db)?.create_checkpoint(dir)?;
    let copy = DB::open_cf_for_read_only(&options(), dir, FAMILIES, false)?;
    let family = copy.cf_handle("default").expect("it is there");
    println!("the checkpoint holds {} rows", count(&copy, family, "", None)?);
    Ok(())
}

fn held(account: Option<Vec<u8>>) -> i64 {
    text(account).parse().expect("a number")
}

fn transactions(dir: &Path) -> Result<(), Error> {
    let db: TransactionDB = TransactionDB::open(&options(), &TransactionDBOptions::default(), dir)?;
    db.put("a", "70")?;
    db.put("b", "30")?;
    let mut patience = TransactionOptions::default();
    patience.set_lock_timeout(10); // Milliseconds.
    let begin = || db.transaction_opt(&WriteOptions::default(), &patience);
    let change = |in_which: &Transaction<TransactionDB>, account: &str, by: i64| {
        let now = held(in_which.get_for_update(account, true)?) + by;
        in_which.put(account, now.to_string())
    };
    let first = begin();
    let second = begin();
    change(&first, "a", -25)?;
    let refused = second.put("a", "0").expect_err("the first one holds the lock");
    assert_eq!(rocksdb::ErrorKind::TimedOut, refused.kind());
    println!("a transaction that meets another one's lock: timed out");
    second.rollback()?;
    change(&first, "b", 25)?;
    first.commit()?;
    println!("2 accounts hold {}", held(db.get("a")?) + held(db.get("b")?));
    Ok(())
}

fn main() -> Result<(), Error> {
    let dir = std::env::args().nth(1).expect("usage: main DIRECTORY");
    let dir = Path::new(&dir);
    {
        let db = DB::open_cf(&options(), dir.join("db"), FAMILIES)?;
        db.set_options(&[("auto_tuned_compaction", "true")])?;
        fill(&db)?;
        let family = db.cf_handle("default").expect("it is there");
        println!(
            "{} rows in {} column families, with auto_tuned_compaction",
            count(&db, family, "", None)?,
            FAMILIES.len()
        );
        snapshots(&db)?;
        db.flush()?;
        db.compact_range(None::<&[u8]>, None::<&[u8]>);
        let rows = count(&db, family, &key(100), Some(key(200)))?;
        println!("{rows} rows from {} to {}", key(100), key(200));
        checkpoint(&db, &dir.join("copy"))?;
    }
    transactions(&dir.join("transactions"))
}

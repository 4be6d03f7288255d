//! The state machine: keys and values in one family of a database, and in
//! another what has been applied, which is written in the same batch.

use std::io::Cursor;
use std::path::PathBuf;

use openraft::{
    BasicNode, Entry, EntryPayload, LogId, Snapshot, SnapshotMeta, StorageError, StorageIOError,
    StoredMembership,
};
use openraft_rocksstore::{RocksRequest, RocksResponse, TypeConfig};
use rocksdb::{ColumnFamily, IteratorMode, Options, WriteBatch, DB};
use serde::{Deserialize, Serialize};

pub type Failure = StorageError<u64>;

const DATA: &str = "data";
const META: &str = "meta";
const APPLIED: &str = "applied";

#[derive(Serialize, Deserialize, Default, Clone)]
pub struct Applied {
    pub last: Option<LogId<u64>>,
    pub membership: StoredMembership<u64, BasicNode>,
}

// What a snapshot holds, here and on its way to another node.
#[derive(Serialize, Deserialize)]
struct Image {
    meta: SnapshotMeta<u64, BasicNode>,
    rows: Vec<(String, String)>,
}

fn reading(error: impl std::error::Error + 'static) -> Failure {
    StorageIOError::read_state_machine(&error).into()
}

fn writing(error: impl std::error::Error + 'static) -> Failure {
    StorageIOError::write_state_machine(&error).into()
}

pub struct Machine {
    db: DB,
    image: PathBuf,
}

impl Machine {
    pub fn open(folder: &str) -> Result<Machine, Box<dyn std::error::Error>> {
        let mut options = Options::default();
        options.create_if_missing(true);
        options.create_missing_column_families(true);
        options.set_write_buffer_size(4 << 20);
        options.set_target_file_size_base(4 << 20);
        options.set_max_bytes_for_level_base(16 << 20);
        options.set_use_direct_io_for_flush_and_compaction(true);
        let families = ["default", DATA, META].map(|name| (name, options.clone()));
        let db = DB::open_cf_with_opts(&options, format!("{folder}/machine"), families)?;
        let machine = Machine { db, image: format!("{folder}/snapshot").into() };
        machine.set_options(&std::env::var("DB_OPTIONS").unwrap_or_default())?;
        Ok(machine)
    }

    // What the crate has no function for.
    fn set_options(&self, text: &str) -> Result<(), rocksdb::Error> {
        let settings: Vec<(&str, &str)> =
            text.split(';').filter_map(|setting| setting.split_once('=')).collect();
        if settings.is_empty() {
            return Ok(());
        }
        self.db.set_options_cf(self.family(DATA), &settings)
    }

    fn family(&self, name: &str) -> &ColumnFamily {
        self.db.cf_handle(name).expect("made when the database was opened")
    }

    pub fn get(&self, key: &str) -> Result<Option<String>, rocksdb::Error> {
        let value = self.db.get_cf(self.family(DATA), key)?;
        Ok(value.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    pub fn applied(&self) -> Result<Applied, Failure> {
        match self.db.get_cf(self.family(META), APPLIED).map_err(reading)? {
            Some(bytes) => serde_json::from_slice(&bytes).map_err(reading),
            None => Ok(Applied::default()),
        }
    }

    fn write(&self, mut batch: WriteBatch, applied: &Applied) -> Result<(), Failure> {
        let bytes = serde_json::to_vec(applied).map_err(writing)?;
        batch.put_cf(self.family(META), APPLIED, bytes);
        self.db.write(batch).map_err(writing)
    }

    pub fn apply(&self, entries: &[Entry<TypeConfig>]) -> Result<Vec<RocksResponse>, Failure> {
        let mut applied = self.applied()?;
        let mut batch = WriteBatch::default();
        let mut answers = Vec::new();
        for entry in entries {
            applied.last = Some(entry.log_id);
            let mut value = None;
            match &entry.payload {
                EntryPayload::Blank => {}
                EntryPayload::Normal(RocksRequest::Set { key, value: new }) => {
                    batch.put_cf(self.family(DATA), key, new);
                    value = Some(new.clone());
                }
                EntryPayload::Membership(members) => {
                    applied.membership =
                        StoredMembership::new(Some(entry.log_id), members.clone());
                }
            }
            answers.push(RocksResponse { value });
        }
        self.write(batch, &applied)?;
        Ok(answers)
    }

    pub fn rows(&self) -> Result<Vec<(String, String)>, rocksdb::Error> {
        self.rows_at(&self.db.snapshot())
    }

    fn rows_at(&self, at: &rocksdb::Snapshot) -> Result<Vec<(String, String)>, rocksdb::Error> {
        at.iterator_cf(self.family(DATA), IteratorMode::Start)
            .map(|row| {
                row.map(|(key, value)| {
                    (
                        String::from_utf8_lossy(&key).into_owned(),
                        String::from_utf8_lossy(&value).into_owned(),
                    )
                })
            })
            .collect()
    }

    // Of one moment, while others write.
    fn make_image(&self) -> Result<Image, Failure> {
        let at = self.db.snapshot();
        let applied: Applied = match at.get_cf(self.family(META), APPLIED).map_err(reading)? {
            Some(bytes) => serde_json::from_slice(&bytes).map_err(reading)?,
            None => Applied::default(),
        };
        let rows = self.rows_at(&at).map_err(reading)?;
        let snapshot_id = applied.last.map_or("empty".to_string(), |id| {
            format!("{}-{}", id.leader_id, id.index)
        });
        let meta = SnapshotMeta {
            last_log_id: applied.last,
            last_membership: applied.membership,
            snapshot_id,
        };
        Ok(Image { meta, rows })
    }

    // The new file takes the place of the old one in one step.
    fn save(&self, bytes: &[u8]) -> Result<(), Failure> {
        let new = self.image.with_extension("new");
        let file = std::fs::File::create(&new).map_err(writing)?;
        std::io::Write::write_all(&mut &file, bytes).map_err(writing)?;
        file.sync_all().map_err(writing)?;
        std::fs::rename(&new, &self.image).map_err(writing)
    }

    /// What another node sent takes the place of everything.
    pub fn install(&self, bytes: Vec<u8>) -> Result<(), Failure> {
        let image: Image = serde_json::from_slice(&bytes).map_err(reading)?;
        let mut batch = WriteBatch::default();
        batch.delete_range_cf(self.family(DATA), &b""[..], &b"\xff\xff\xff\xff"[..]);
        for (key, value) in &image.rows {
            batch.put_cf(self.family(DATA), key, value);
        }
        let applied =
            Applied { last: image.meta.last_log_id, membership: image.meta.last_membership };
        self.write(batch, &applied)?;
        self.save(&bytes)
    }

    /// Makes a snapshot and keeps it for other nodes.
    pub fn build(&self) -> Result<Snapshot<TypeConfig>, Failure> {
        let image = self.make_image()?;
        let bytes = serde_json::to_vec(&image).map_err(reading)?;
        self.save(&bytes)?;
        Ok(Snapshot { meta: image.meta, snapshot: Box::new(Cursor::new(bytes)) })
    }

    pub fn saved(&self) -> Result<Option<Snapshot<TypeConfig>>, Failure> {
        let bytes = match std::fs::read(&self.image) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(reading(error)),
        };
        let image: Image = serde_json::from_slice(&bytes).map_err(reading)?;
        Ok(Some(Snapshot { meta: image.meta, snapshot: Box::new(Cursor::new(bytes)) }))
    }
}

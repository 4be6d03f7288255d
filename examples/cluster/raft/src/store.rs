//! What openraft is given: the log of openraft-rocksstore, and the machine in
//! the place of that store's own.

use std::fmt::Debug;
use std::io::Cursor;
use std::ops::RangeBounds;
use std::sync::Arc;

use openraft::{
    BasicNode, Entry, LogId, LogState, OptionalSend, RaftLogReader, RaftSnapshotBuilder,
    RaftStorage, Snapshot, SnapshotMeta, StoredMembership, Vote,
};
use openraft_rocksstore::{RocksResponse, RocksStore, TypeConfig};

use crate::machine::{Failure, Machine};

pub struct Store {
    pub log: Arc<RocksStore>,
    pub machine: Arc<Machine>,
}

pub struct Builder(Arc<Machine>);

impl RaftSnapshotBuilder<TypeConfig> for Builder {
    async fn build_snapshot(&mut self) -> Result<Snapshot<TypeConfig>, Failure> {
        self.0.build()
    }
}

impl RaftLogReader<TypeConfig> for Store {
    async fn try_get_log_entries<R: RangeBounds<u64> + Clone + Debug + OptionalSend>(
        &mut self,
        range: R,
    ) -> Result<Vec<Entry<TypeConfig>>, Failure> {
        self.log.try_get_log_entries(range).await
    }
}

impl RaftStorage<TypeConfig> for Store {
    type LogReader = Arc<RocksStore>;
    type SnapshotBuilder = Builder;

    async fn save_vote(&mut self, vote: &Vote<u64>) -> Result<(), Failure> {
        self.log.save_vote(vote).await
    }

    async fn read_vote(&mut self) -> Result<Option<Vote<u64>>, Failure> {
        self.log.read_vote().await
    }

    async fn get_log_state(&mut self) -> Result<LogState<TypeConfig>, Failure> {
        self.log.get_log_state().await
    }

    async fn get_log_reader(&mut self) -> Arc<RocksStore> {
        self.log.clone()
    }

    async fn append_to_log<I>(&mut self, entries: I) -> Result<(), Failure>
    where
        I: IntoIterator<Item = Entry<TypeConfig>> + OptionalSend,
    {
        self.log.append_to_log(entries).await
    }

    async fn delete_conflict_logs_since(&mut self, from: LogId<u64>) -> Result<(), Failure> {
        self.log.delete_conflict_logs_since(from).await
    }

    async fn purge_logs_upto(&mut self, last: LogId<u64>) -> Result<(), Failure> {
        self.log.purge_logs_upto(last).await
    }

    async fn last_applied_state(
        &mut self,
    ) -> Result<(Option<LogId<u64>>, StoredMembership<u64, BasicNode>), Failure> {
        let applied = self.machine.applied()?;
        Ok((applied.last, applied.membership))
    }

    async fn apply_to_state_machine(
        &mut self,
        entries: &[Entry<TypeConfig>],
    ) -> Result<Vec<RocksResponse>, Failure> {
        self.machine.apply(entries)
    }

    async fn get_snapshot_builder(&mut self) -> Builder {
        Builder(self.machine.clone())
    }

    async fn begin_receiving_snapshot(&mut self) -> Result<Box<Cursor<Vec<u8>>>, Failure> {
        Ok(Box::new(Cursor::new(Vec::new())))
    }

    async fn install_snapshot(
        &mut self,
        _meta: &SnapshotMeta<u64, BasicNode>,
        snapshot: Box<Cursor<Vec<u8>>>,
    ) -> Result<(), Failure> {
        self.machine.install(snapshot.into_inner())
    }

    async fn get_current_snapshot(&mut self) -> Result<Option<Snapshot<TypeConfig>>, Failure> {
        self.machine.saved()
    }
}

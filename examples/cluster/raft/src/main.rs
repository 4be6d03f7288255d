//! A node of a replicated key-value service: openraft, its log in the store of
//! openraft-rocksstore, its state machine in a database of its own, HTTP between
//! nodes and for clients.
//!
//!     raftkv ID ADDRESS FOLDER      for example: raftkv 1 127.0.0.1:21001 /data/1
//!
//! DB_OPTIONS: options of the state machine's families, "name=value;...".

mod machine;
mod network;
mod service;
mod store;

use std::sync::Arc;

use openraft::storage::Adaptor;
use openraft::{Config, Raft, SnapshotPolicy};
use openraft_rocksstore::{RocksStore, TypeConfig};

use machine::Machine;
use network::Peers;
use store::Store;

// Snapshots are made and logs are given up often, so that a node that comes back
// empty needs a snapshot.
fn config() -> Config {
    Config {
        heartbeat_interval: 100,
        election_timeout_min: 400,
        election_timeout_max: 800,
        snapshot_policy: SnapshotPolicy::LogsSinceLast(2000),
        max_in_snapshot_log_to_keep: 500,
        ..Default::default()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, id, address, folder] = arguments.as_slice() else {
        return Err("usage: raftkv ID ADDRESS FOLDER".into());
    };
    std::fs::create_dir_all(folder)?;
    let machine = Arc::new(Machine::open(folder)?);
    let store = Store {
        log: RocksStore::new(format!("{folder}/log")).await,
        machine: machine.clone(),
    };
    let (log, state) = Adaptor::new(store);
    let raft = Raft::<TypeConfig>::new(
        id.parse()?,
        Arc::new(config().validate()?),
        Peers::default(),
        log,
        state,
    )
    .await?;
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, service::router(raft, machine)).await?;
    Ok(())
}

//! HTTP. For nodes: /raft/...; for clients, who are sent on by 421 and the
//! leader's address if they ask another node:
//!
//!     GET /kv/KEY          linearizable; 404: there is none
//!     PUT /kv/KEY          the body is the value
//!     POST /start          {"1": "ADDRESS", ...}: the first members
//!     POST /learner        [ID, "ADDRESS"]: a node that has nothing yet
//!     POST /members        [ID, ...]: who votes from now on
//!     GET /metrics
//!     GET /rows            what this node has, whatever the others have

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use openraft::error::{CheckIsLeaderError, ClientWriteError, ForwardToLeader, RaftError};
use openraft::raft::{AppendEntriesRequest, InstallSnapshotRequest, VoteRequest};
use openraft::{BasicNode, Raft};
use openraft_rocksstore::{RocksRequest, TypeConfig};

use crate::machine::Machine;

#[derive(Clone)]
struct Node {
    raft: Raft<TypeConfig>,
    machine: Arc<Machine>,
}

const BODY_BYTES_MAX: usize = 64 << 20;

pub fn router(raft: Raft<TypeConfig>, machine: Arc<Machine>) -> Router {
    Router::new()
        .route("/raft/append", post(append))
        .route("/raft/snapshot", post(snapshot))
        .route("/raft/vote", post(vote))
        .route("/kv/:key", get(read).put(write))
        .route("/start", post(start))
        .route("/learner", post(learner))
        .route("/members", post(members))
        .route("/metrics", get(metrics))
        .route("/rows", get(rows))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(Node { raft, machine })
}

async fn append(
    State(node): State<Node>,
    Json(question): Json<AppendEntriesRequest<TypeConfig>>,
) -> Response {
    Json(node.raft.append_entries(question).await).into_response()
}

async fn snapshot(
    State(node): State<Node>,
    Json(question): Json<InstallSnapshotRequest<TypeConfig>>,
) -> Response {
    Json(node.raft.install_snapshot(question).await).into_response()
}

async fn vote(State(node): State<Node>, Json(question): Json<VoteRequest<u64>>) -> Response {
    Json(node.raft.vote(question).await).into_response()
}

fn failed(error: impl std::fmt::Display) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response()
}

fn sent_on(leader: ForwardToLeader<u64, BasicNode>) -> Response {
    match leader.leader_node {
        Some(node) => (StatusCode::MISDIRECTED_REQUEST, node.addr).into_response(),
        None => failed("no leader is known"),
    }
}

type WriteFailure = RaftError<u64, ClientWriteError<u64, BasicNode>>;

fn answer<T>(result: Result<T, WriteFailure>) -> Response {
    match result {
        Ok(_) => StatusCode::OK.into_response(),
        Err(RaftError::APIError(ClientWriteError::ForwardToLeader(leader))) => sent_on(leader),
        Err(error) => failed(error),
    }
}

async fn read(State(node): State<Node>, Path(key): Path<String>) -> Response {
    match node.raft.ensure_linearizable().await {
        Ok(_) => {}
        Err(RaftError::APIError(CheckIsLeaderError::ForwardToLeader(leader))) => {
            return sent_on(leader)
        }
        Err(error) => return failed(error),
    }
    match node.machine.get(&key) {
        Ok(Some(value)) => value.into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => failed(error),
    }
}

async fn write(State(node): State<Node>, Path(key): Path<String>, value: String) -> Response {
    answer(node.raft.client_write(RocksRequest::Set { key, value }).await)
}

async fn start(State(node): State<Node>, Json(first): Json<BTreeMap<u64, String>>) -> Response {
    let members: BTreeMap<u64, BasicNode> =
        first.into_iter().map(|(id, address)| (id, BasicNode::new(address))).collect();
    match node.raft.initialize(members).await {
        Ok(()) => StatusCode::OK.into_response(),
        Err(error) => failed(error),
    }
}

async fn learner(
    State(node): State<Node>,
    Json((id, address)): Json<(u64, String)>,
) -> Response {
    answer(node.raft.add_learner(id, BasicNode::new(address), true).await)
}

async fn members(State(node): State<Node>, Json(voters): Json<BTreeSet<u64>>) -> Response {
    answer(node.raft.change_membership(voters, false).await)
}

async fn metrics(State(node): State<Node>) -> Response {
    let metrics = node.raft.metrics().borrow().clone();
    Json(metrics).into_response()
}

async fn rows(State(node): State<Node>) -> Response {
    match node.machine.rows() {
        Ok(rows) => Json(rows).into_response(),
        Err(error) => failed(error),
    }
}

//! What a node asks of the others: POST with JSON, answered by service.rs.

use openraft::error::{InstallSnapshotError, NetworkError, RPCError, RaftError, RemoteError};
use openraft::network::{RPCOption, RaftNetwork, RaftNetworkFactory};
use openraft::raft::{
    AppendEntriesRequest, AppendEntriesResponse, InstallSnapshotRequest, InstallSnapshotResponse,
    VoteRequest, VoteResponse,
};
use openraft::BasicNode;
use openraft_rocksstore::TypeConfig;
use serde::{de::DeserializeOwned, Serialize};

#[derive(Default)]
pub struct Peers {
    client: reqwest::Client,
}

impl RaftNetworkFactory<TypeConfig> for Peers {
    type Network = Peer;

    async fn new_client(&mut self, id: u64, node: &BasicNode) -> Peer {
        Peer { client: self.client.clone(), id, address: node.addr.clone() }
    }
}

pub struct Peer {
    client: reqwest::Client,
    id: u64,
    address: String,
}

type Asked<Answer, Refusal> = Result<Answer, RPCError<u64, BasicNode, Refusal>>;

impl Peer {
    async fn ask<Question, Answer, Refusal>(
        &self,
        path: &str,
        question: Question,
        option: RPCOption,
    ) -> Asked<Answer, Refusal>
    where
        Question: Serialize,
        Answer: DeserializeOwned,
        Refusal: std::error::Error + DeserializeOwned,
    {
        let lost = |error: reqwest::Error| RPCError::Network(NetworkError::new(&error));
        let answer: Result<Answer, Refusal> = self
            .client
            .post(format!("http://{}/raft/{path}", self.address))
            .timeout(option.hard_ttl())
            .json(&question)
            .send()
            .await
            .map_err(lost)?
            .json()
            .await
            .map_err(lost)?;
        answer.map_err(|refusal| RPCError::RemoteError(RemoteError::new(self.id, refusal)))
    }
}

impl RaftNetwork<TypeConfig> for Peer {
    async fn append_entries(
        &mut self,
        question: AppendEntriesRequest<TypeConfig>,
        option: RPCOption,
    ) -> Asked<AppendEntriesResponse<u64>, RaftError<u64>> {
        self.ask("append", question, option).await
    }

    async fn install_snapshot(
        &mut self,
        question: InstallSnapshotRequest<TypeConfig>,
        option: RPCOption,
    ) -> Asked<InstallSnapshotResponse<u64>, RaftError<u64, InstallSnapshotError>> {
        self.ask("snapshot", question, option).await
    }

    async fn vote(
        &mut self,
        question: VoteRequest<u64>,
        option: RPCOption,
    ) -> Asked<VoteResponse<u64>, RaftError<u64>> {
        self.ask("vote", question, option).await
    }
}

use openapi::apis::issue_creators_api::{issue_creators_history, list_issue_creators, IssueCreatorsHistoryError};
use openapi::apis::{collections_api, configuration::Configuration, Error};

#[tokio::main]
async fn main() {
    let given: Vec<String> = std::env::args().collect();
    let (owner, repo) = (given[2].as_str(), given[3].as_str());
    let mut config = Configuration::new();
    config.base_path = given[1].clone();
    let list = collections_api::list_collections(&config, None, None, None, None).await.unwrap();
    for row in list.data.rows {
        println!("{}", row.name);
    }
    let ranking = collections_api::collection_repo_ranking_by_stars(&config, 1, Some("past_month"), None, None, None, None).await;
    for row in ranking.unwrap().data.rows {
        println!("{}", row.repo_name);
    }
    let page = list_issue_creators(&config, owner, repo, None, None, Some(2), Some(3), None, None, None, None, None).await;
    for row in page.unwrap().data.rows {
        println!("{}", row.login);
    }
    let (from, to) = ("2026-01-02".parse().ok(), "2026-01-01".parse().ok());
    let failed = issue_creators_history(&config, owner, repo, None, from, to, None, None, None, None).await;
    match failed {
        Err(Error::ResponseError(response)) => match response.entity {
            Some(IssueCreatorsHistoryError::Status400(failure)) => {
                let result = failure.data.result;
                println!("{} {}", result.error, result.code)
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

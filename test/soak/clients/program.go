package main

import (
	"context"
	"fmt"
	"os"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	owner, repo := os.Args[2], os.Args[3]
	config := client.NewConfiguration()
	config.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api := client.NewAPIClient(config)
	ctx := context.Background()
	list, _, err := api.CollectionsAPI.ListCollections(ctx).Execute()
	check(err)
	for _, row := range list.Data.Rows {
		fmt.Println(row.Name)
	}
	ranking, _, err := api.CollectionsAPI.CollectionRepoRankingByStars(ctx, 1).Period("past_month").Execute()
	check(err)
	for _, row := range ranking.Data.Rows {
		fmt.Println(row.RepoName)
	}
	page, _, err := api.IssueCreatorsAPI.ListIssueCreators(ctx, owner, repo).Page(2).PageSize(3).Execute()
	check(err)
	for _, row := range page.Data.Rows {
		fmt.Println(row.Login)
	}
	_, _, err = api.IssueCreatorsAPI.IssueCreatorsHistory(ctx, owner, repo).From("2026-01-02").To("2026-01-01").Execute()
	failure := err.(*client.GenericOpenAPIError).Model().(client.Failure)
	fmt.Println(failure.Data.Result.Error, failure.Data.Result.Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

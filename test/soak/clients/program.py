import datetime
import sys

import openapi_client
from openapi_client.exceptions import BadRequestException

url, owner, repo = sys.argv[1:]
with openapi_client.ApiClient(openapi_client.Configuration(host=url)) as client:
    collections = openapi_client.CollectionsApi(client)
    issues = openapi_client.IssueCreatorsApi(client)
    for row in collections.list_collections().data.rows:
        print(row.name)
    for row in collections.collection_repo_ranking_by_stars(1, period="past_month").data.rows:
        print(row.repo_name)
    for row in issues.list_issue_creators(owner, repo, page=2, page_size=3).data.rows:
        print(row.login)
    try:
        issues.issue_creators_history(
            owner, repo, var_from=datetime.date(2026, 1, 2), to=datetime.date(2026, 1, 1)
        )
    except BadRequestException as error:
        print(error.data.data.result.error.value, error.data.data.result.code)

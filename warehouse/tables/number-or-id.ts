/** The number of an issue or pull request; where the feed left it out, the negative of its id, which is as distinct. */
export const NUMBER_OR_ID = 'CASE WHEN number <> 0 THEN number ELSE -COALESCE(pr_or_issue_id, 0) END';

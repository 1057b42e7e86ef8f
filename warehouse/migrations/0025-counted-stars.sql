-- The stars of a repository whose star history of GitHub is complete: what GitHub counts, and later newcomers in the events.
ALTER TABLE mv_repo_totals ADD COLUMN counted_stars BIGINT;

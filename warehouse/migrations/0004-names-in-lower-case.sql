-- Lookups of repositories by name ignore case, and not every database has an index on an expression.
DROP INDEX by_name ON github_repos;
ALTER TABLE github_repos ADD COLUMN repo_name_lower VARCHAR(140) NOT NULL DEFAULT '';
CREATE INDEX by_name_lower ON github_repos (repo_name_lower);

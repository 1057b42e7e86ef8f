-- Repositories are looked up by name without regard to case, and no index on an expression is known to every database.
DROP INDEX by_name ON github_repos;
ALTER TABLE github_repos ADD COLUMN repo_name_lower VARCHAR(140) NOT NULL DEFAULT '';
CREATE INDEX by_name_lower ON github_repos (repo_name_lower);

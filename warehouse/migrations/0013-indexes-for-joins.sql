-- Indexes for joins and filters of analysts' definitions on a server. The embedded database does not create them, and no included
-- operation needs them. docs/database-servers.md lists the cost of each index.

CREATE INDEX by_repo ON github_events (repo_id, type, number);
CREATE INDEX by_actor ON github_events (actor_id, type);
CREATE INDEX by_actor_login ON github_events (actor_login, type);
CREATE INDEX by_repo_name ON github_repos (repo_name);
CREATE INDEX by_owner_login ON github_repos (owner_login);
CREATE INDEX by_login ON github_users (login);

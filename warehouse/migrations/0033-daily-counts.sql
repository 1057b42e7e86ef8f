-- Stars and forks by repository and day: the trends are computed from them instead of from all events of their period.
DROP TABLE IF EXISTS mv_repo_daily_engagements;
DROP TABLE IF EXISTS mv_repo_participants;

CREATE TABLE mv_repo_daily_counts (
  day DATE NOT NULL,
  repo_id BIGINT NOT NULL,
  stars INT NOT NULL,
  named_stars INT NOT NULL,
  star_seconds BIGINT NOT NULL,
  forks INT NOT NULL,
  named_forks INT NOT NULL,
  fork_seconds BIGINT NOT NULL,
  PRIMARY KEY (day, repo_id),
  KEY by_repo (repo_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The days on which users forked a repository.
DROP TABLE IF EXISTS mv_repo_forks;
CREATE TABLE mv_repo_forks (
  repo_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  day DATE NOT NULL,
  PRIMARY KEY (repo_id, user_id, day),
  KEY by_day (day, repo_id, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The trends read the people of some days.
CREATE INDEX by_day_first ON mv_repo_stars (day, repo_id, user_id);

-- The explorer: questions with their answers, and what users say about them.

CREATE TABLE explorer_questions (
  id VARCHAR(36) NOT NULL PRIMARY KEY,
  hash VARCHAR(64) NOT NULL,
  user_id BIGINT NOT NULL,
  status VARCHAR(20) NOT NULL,
  title VARCHAR(512) NOT NULL,
  -- The members of the record that have no column, as JSON.
  record MEDIUMTEXT NOT NULL,
  -- The fields and rows, as JSON; NULL without an answer.
  result MEDIUMTEXT,
  lane VARCHAR(10),
  -- The order in which questions of a status and lane are taken.
  place BIGINT NOT NULL,
  -- The process that works on the question, and until when the other processes believe that it does.
  worker VARCHAR(36),
  lease_until DATETIME,
  recommended TINYINT NOT NULL DEFAULT 0,
  hit_cache TINYINT NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  finished_at DATETIME
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_status ON explorer_questions (status, lane, place);
CREATE INDEX by_user ON explorer_questions (user_id, created_at);
CREATE INDEX by_hash ON explorer_questions (hash, created_at);
CREATE INDEX by_time ON explorer_questions (created_at);
CREATE INDEX by_recommendation ON explorer_questions (recommended, created_at);

-- How often each answered question was asked; question_id is its latest answer.
CREATE TABLE explorer_popular_questions (
  hash VARCHAR(64) NOT NULL PRIMARY KEY,
  question_id VARCHAR(36) NOT NULL,
  asked BIGINT NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_popularity ON explorer_popular_questions (asked);
CREATE INDEX by_question ON explorer_popular_questions (question_id);

-- Generated suggestions. A batch replaces all of them.
CREATE TABLE explorer_generated_questions (
  id VARCHAR(36) NOT NULL PRIMARY KEY,
  title VARCHAR(512) NOT NULL,
  place BIGINT NOT NULL,
  created_at DATETIME NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE explorer_tags (
  id BIGINT NOT NULL PRIMARY KEY,
  name VARCHAR(40) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE explorer_question_tags (
  question_id VARCHAR(36) NOT NULL,
  tag_id BIGINT NOT NULL,
  PRIMARY KEY (question_id, tag_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_tag ON explorer_question_tags (tag_id);

CREATE TABLE explorer_feedback (
  question_id VARCHAR(36) NOT NULL,
  user_id BIGINT NOT NULL,
  satisfied TINYINT NOT NULL,
  content VARCHAR(200) NOT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (question_id, user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE INDEX by_user ON explorer_feedback (user_id);

-- Uses of question to SQL, by user and UTC day.
CREATE TABLE explorer_sql_quotas (
  user_id BIGINT NOT NULL,
  day DATE NOT NULL,
  used BIGINT NOT NULL,
  PRIMARY KEY (user_id, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- Tokens of the language model, by UTC day.
CREATE TABLE explorer_model_tokens (
  day DATE NOT NULL PRIMARY KEY,
  tokens BIGINT NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

-- The longest known action is `review_request_removed`.
ALTER TABLE github_events MODIFY COLUMN action VARCHAR(32);

-- When the text of the last digest that a user may have got was given to a mail server.
ALTER TABLE sys_digests ADD COLUMN begun_at DATETIME;

-- Users read and change their own sessions and audit entries. The embedded database does not create these indexes.

CREATE INDEX by_user ON sys_sessions (user_id);
CREATE INDEX by_actor ON sys_audit_log (actor);
CREATE INDEX by_subject ON sys_audit_log (subject);

-- Who did it, beyond a name that several may have; none for the token of the configuration and for the command line. And what it
-- changed: how it was and how it is, where something did. Nobody knows for rows of before.
ALTER TABLE audit_log ADD COLUMN operator_id INTEGER;
ALTER TABLE audit_log ADD COLUMN operator_role TEXT;
ALTER TABLE audit_log ADD COLUMN state_before TEXT;
ALTER TABLE audit_log ADD COLUMN state_after TEXT;

-- One for each way to ask, with the newest at its end.
CREATE INDEX audit_log_by_operator ON audit_log (operator, id);
CREATE INDEX audit_log_by_operator_id ON audit_log (operator_id, id) WHERE operator_id IS NOT NULL;
CREATE INDEX audit_log_by_subject ON audit_log (subject, id);
CREATE INDEX audit_log_by_action ON audit_log (action, id);

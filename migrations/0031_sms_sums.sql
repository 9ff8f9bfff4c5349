-- Counts of messages in the order in which they are summed. Without the number itself, so that counting one more changes no index.
CREATE INDEX sms_counts_by_kind ON sms_counts (provider, calling_code, outcome, why, hour);

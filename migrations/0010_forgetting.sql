-- What is forgotten a little at a time is found by its age.
CREATE INDEX wrong_codes_by_age ON wrong_codes (last_at);
CREATE INDEX feed_requests_by_age ON feed_requests (made_at);

-- Which secret key this database was written with: a keyed hash, from which the key cannot be had.
CREATE TABLE key_fingerprint (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    fingerprint TEXT NOT NULL
) STRICT;

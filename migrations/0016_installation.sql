-- Which installation this is: a name drawn once, so that what is kept outside (the embedded homeserver's file) can be told from another's.
CREATE TABLE installation (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL
) STRICT;

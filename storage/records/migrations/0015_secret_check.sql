-- A value that only the right secret key yields, so that a start under another key is refused. One row.
CREATE TABLE secret_check (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  value bytea NOT NULL
);

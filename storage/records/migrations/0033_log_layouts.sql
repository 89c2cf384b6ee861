-- Over how many partitions of a log projects are spread: a row each time that their number was raised.
CREATE TABLE log_layouts (
  log_id text NOT NULL,
  version integer NOT NULL,
  partitions integer NOT NULL,
  -- From when on records are put where this version has them.
  used_from timestamptz NOT NULL,
  PRIMARY KEY (log_id, version)
);
-- Partitions whose pipeline has gone over to a version, with what its stages shared then, as JSON.
CREATE TABLE log_handovers (
  log_id text NOT NULL,
  version integer NOT NULL,
  partition integer NOT NULL,
  shared text NOT NULL,
  PRIMARY KEY (log_id, version, partition)
);
-- By which version each process puts records into a log.
CREATE TABLE log_writers (
  log_id text NOT NULL,
  writer text NOT NULL,
  version integer NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (log_id, writer)
) WITH (fillfactor = 50);

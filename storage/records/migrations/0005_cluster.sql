-- What one process of several may do alone. Rows are never deleted: an epoch is given only once.
CREATE TABLE leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  epoch bigint NOT NULL,
  -- By the clock of the database.
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- One checkpoint for each ingest node, because each has a journal of its own.
ALTER TABLE pipeline_checkpoint DROP COLUMN only_row;
ALTER TABLE pipeline_checkpoint ADD COLUMN node_id text PRIMARY KEY DEFAULT 'main';

-- Records in the journal of one node that another node is to judge: it came back with messages that it
-- had acknowledged when their shard was its own.
CREATE TABLE stranded_records (
  journal_id text NOT NULL,
  sequence bigint NOT NULL,
  shard integer NOT NULL,
  kind smallint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (journal_id, sequence)
);
CREATE INDEX stranded_records_shard ON stranded_records (shard, journal_id, sequence);

-- The hash of a device's secret as Mosquitto's password file wants it ($7$...): it cannot be made from
-- `secret_hash`. NULL: the secret is older than this column.
ALTER TABLE assets ADD COLUMN mosquitto_hash text;

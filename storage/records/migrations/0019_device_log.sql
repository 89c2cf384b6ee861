-- Why a device is not online: the newest attempts to connect of each asset, and under unknown names.
CREATE TABLE connection_log (
  -- The asset's id; empty: no asset has the name that was given.
  subject text NOT NULL,
  sequence bigint NOT NULL,
  at_ms bigint NOT NULL,
  address text NOT NULL,
  listener text NOT NULL,
  protocol_level smallint,
  outcome text NOT NULL,
  detail text,
  client_id text,
  username text,
  PRIMARY KEY (subject, sequence)
);
CREATE INDEX connection_log_by_time ON connection_log (at_ms);

-- Questions of API processes about an asset's last messages, and what each ingest process answered.
CREATE TABLE message_questions (
  asset_id text PRIMARY KEY,
  asked_at_ms bigint NOT NULL
);
CREATE TABLE message_answers (
  asset_id text NOT NULL,
  node_id text NOT NULL,
  answered_at_ms bigint NOT NULL,
  view json NOT NULL,
  PRIMARY KEY (asset_id, node_id)
);

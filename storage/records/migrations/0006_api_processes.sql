-- Several API processes: which states changed, commit by commit, and counts of requests.

-- How many commits each pipeline has made. Its row is locked until the commit ends, so the numbers of
-- one node become visible in order.
ALTER TABLE pipeline_checkpoint ADD COLUMN commits bigint NOT NULL DEFAULT 0;

-- The assets of the newest commits of each node, in a ring: slot = commit number modulo 1,024. A ring
-- needs no clearing, and its rows are replaced in place.
CREATE TABLE state_changes (
  node_id text NOT NULL,
  slot integer NOT NULL,
  commit_number bigint NOT NULL,
  -- Ids joined by U+001F, as the pipeline sends them.
  asset_ids text NOT NULL,
  PRIMARY KEY (node_id, slot)
) WITH (fillfactor = 50);

-- A replay that was asked for in a process without a journal; one that has one carries it out.
ALTER TABLE quarantine ADD COLUMN replay_requested_at_ms bigint;
CREATE INDEX quarantine_requested ON quarantine (replay_requested_at_ms, id)
  WHERE replay_requested_at_ms IS NOT NULL;

-- Requests of each API key in the newest minute that it was used in. Not logged: a count is worth a
-- minute, and no request should wait for a disk. After a crash of the server it starts at 0.
CREATE UNLOGGED TABLE request_counts (
  caller text PRIMARY KEY,
  -- Minutes since the Unix epoch by the clock of the database.
  minute bigint NOT NULL,
  requests bigint NOT NULL
) WITH (fillfactor = 50);

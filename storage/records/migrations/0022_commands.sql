-- Commands to devices. The sequence is the order in which an asset's commands are sent; its counter makes
-- numbers visible in order, so that a process which asks for later ones misses none.
INSERT INTO counters (name, value) VALUES ('command_sequence', 0);

CREATE TABLE commands (
  id text PRIMARY KEY,
  asset_id text NOT NULL,
  -- The asset's project when the command was made.
  project_id text NOT NULL,
  sequence bigint NOT NULL UNIQUE,
  name text NOT NULL,
  parameters json,
  state text NOT NULL,
  attempt integer NOT NULL,
  max_attempts integer NOT NULL,
  carrier text,
  failure text,
  detail text,
  answer json,
  created_by text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  changed_at_ms bigint NOT NULL,
  sent_at_ms bigint,
  delivered_at_ms bigint,
  answered_at_ms bigint
);
CREATE INDEX commands_of_asset ON commands (asset_id, sequence DESC);
CREATE INDEX commands_open ON commands (asset_id, sequence) WHERE state IN ('queued', 'sent');
CREATE INDEX commands_open_of_project ON commands (project_id) WHERE state IN ('queued', 'sent');
CREATE INDEX commands_due ON commands (expires_at_ms) WHERE state IN ('queued', 'sent');
CREATE INDEX commands_ended ON commands (changed_at_ms) WHERE state NOT IN ('queued', 'sent');

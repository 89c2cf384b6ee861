-- Other makers' ISO 15143-3 servers that are polled, and what the last poll of each came to; what a machine
-- is called, for our own server's header.
CREATE TABLE fleet_sources (
  id text PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  -- {"kind", ...}; secrets in it are sealed, base64.
  auth json NOT NULL,
  interval_s integer NOT NULL,
  status text NOT NULL,
  -- Somebody wants a poll that begins after this.
  poll_requested_at_ms bigint,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);

CREATE TABLE fleet_source_polls (
  source_id text PRIMARY KEY REFERENCES fleet_sources (id) ON DELETE CASCADE,
  outcome json NOT NULL
);

-- The newest time of each section that was taken for an asset, so that a restart takes nothing again.
-- Without reference to assets: rows of deleted ones are told apart by `machine`, and do no harm.
CREATE TABLE fleet_source_machines (
  source_id text NOT NULL REFERENCES fleet_sources (id) ON DELETE CASCADE,
  asset_id text NOT NULL,
  machine text NOT NULL,
  sections json NOT NULL,
  PRIMARY KEY (source_id, asset_id)
);

ALTER TABLE assets ADD COLUMN make text;
ALTER TABLE assets ADD COLUMN model text;
ALTER TABLE assets ADD COLUMN serial_number text;

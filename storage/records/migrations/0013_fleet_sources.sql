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
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);

CREATE TABLE fleet_source_polls (
  source_id text PRIMARY KEY REFERENCES fleet_sources (id) ON DELETE CASCADE,
  outcome json NOT NULL
);

ALTER TABLE assets ADD COLUMN make text;
ALTER TABLE assets ADD COLUMN model text;
ALTER TABLE assets ADD COLUMN serial_number text;

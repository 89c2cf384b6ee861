-- How the payloads of a type of asset become readings, for devices that no decoder foresaw. JSON is json,
-- not jsonb, and read back as written. Changes take their revisions from the counter of assets: a mapping
-- that assets need may not go away, so that nobody may register one in the meantime.
CREATE TABLE payload_mappings (
  asset_type text PRIMARY KEY,
  -- NULL: it was removed; the row stays, so that processes that follow see it.
  mapping json,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  revision bigint NOT NULL
);
CREATE UNIQUE INDEX payload_mappings_revision ON payload_mappings (revision);

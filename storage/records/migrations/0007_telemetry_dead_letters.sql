-- Points that InfluxDB refused for good, as they were sent. Kept for RETENTION_DAYS.
CREATE TABLE telemetry_dead_letters (
  -- SHA-256 of the line, hex: a point that is refused again is the same row.
  id text PRIMARY KEY,
  asset_id text NOT NULL,
  project_id text NOT NULL,
  fix_time_ms bigint NOT NULL,
  line text NOT NULL,
  reason text NOT NULL,
  refused_at_ms bigint NOT NULL
);
CREATE INDEX telemetry_dead_letters_refused ON telemetry_dead_letters (refused_at_ms);

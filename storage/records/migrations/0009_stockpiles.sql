-- Stockpiles and their measurements. As before: times are ms since the Unix epoch, UTC, and JSON is
-- json, not jsonb, read back as written.

-- Jobs of one lane run one at a time, in the order they were added; NULL: of none.
ALTER TABLE jobs ADD COLUMN lane text;
-- Whether an older job of the lane is yet to end.
CREATE INDEX jobs_lane ON jobs (lane, number)
  WHERE lane IS NOT NULL AND state IN ('queued', 'running');
-- Two at once would be a fault of `claim`; it must not go unnoticed.
CREATE UNIQUE INDEX jobs_lane_running ON jobs (lane) WHERE state = 'running';

CREATE TABLE stockpiles (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  material text NOT NULL,
  -- The material as it is compared; made by the program, because lower() depends on the locale.
  material_key text NOT NULL,
  location text NOT NULL,
  max_capacity_m3 double precision NOT NULL,
  density_t_per_m3 double precision,
  thresholds json NOT NULL,
  -- One closed ring as GeoJSON writes it: [[longitude, latitude], ...].
  footprint json,
  footprint_state text NOT NULL,
  base json NOT NULL,
  geofence_id text,
  current_volume_m3 double precision NOT NULL,
  current_sigma_m3 double precision,
  volume_basis text NOT NULL,
  measurement_id text,
  last_measured_ms bigint NOT NULL,
  datum json,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  deleted boolean NOT NULL DEFAULT false,
  -- A tombstone keeps the id taken but does not hold the project.
  live_project_id text GENERATED ALWAYS AS (CASE WHEN NOT deleted THEN project_id END) STORED
    REFERENCES projects (id)
);
CREATE INDEX stockpiles_live_project ON stockpiles (live_project_id, created_at_ms, id);

-- `body` is the measurement; what is searched by stands beside it.
CREATE TABLE stockpile_measurements (
  id text PRIMARY KEY,
  stockpile_id text NOT NULL REFERENCES stockpiles (id),
  -- An attempt that is repeated stores nothing twice.
  job_id text NOT NULL UNIQUE,
  measured_at_ms bigint NOT NULL,
  recorded_at_ms bigint NOT NULL,
  body json NOT NULL
);
CREATE INDEX stockpile_measurements_latest
  ON stockpile_measurements (stockpile_id, measured_at_ms DESC, recorded_at_ms DESC, id);

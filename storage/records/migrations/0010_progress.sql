-- Work zones, schedules, captures, cameras and progress reports. As before: times are ms since the Unix
-- epoch, UTC, and JSON is json, not jsonb, read back as written. `body` is the whole of a record as the
-- program knows it; what is searched by stands beside it.

CREATE TABLE work_zones (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  created_at_ms bigint NOT NULL,
  -- NULL: deleted.
  body json,
  deleted boolean NOT NULL DEFAULT false,
  -- A tombstone keeps the id taken but does not hold the project.
  live_project_id text GENERATED ALWAYS AS (CASE WHEN NOT deleted THEN project_id END) STORED
    REFERENCES projects (id),
  CHECK (deleted = (body IS NULL))
);
CREATE INDEX work_zones_live_project ON work_zones (live_project_id, created_at_ms, id);

-- What a person said of a zone at a time.
CREATE TABLE zone_observations (
  id text PRIMARY KEY,
  zone_id text NOT NULL REFERENCES work_zones (id),
  project_id text NOT NULL,
  progress double precision NOT NULL,
  interval_low double precision,
  interval_high double precision,
  observed_at_ms bigint NOT NULL,
  observed_by text NOT NULL,
  note text NOT NULL,
  recorded_at_ms bigint NOT NULL,
  source text NOT NULL,
  CHECK ((interval_low IS NULL) = (interval_high IS NULL))
);
CREATE INDEX zone_observations_zone
  ON zone_observations (zone_id, observed_at_ms, recorded_at_ms, id);

-- Imports of schedules. They do not hold a project: nothing but the project leads to them.
CREATE TABLE schedules (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  revision int NOT NULL,
  sha256 text NOT NULL,
  summary json NOT NULL,
  -- Calendars and activities, up to some 20 MB: never read for lists.
  plan json NOT NULL,
  UNIQUE (project_id, revision)
);

-- Captures do not hold a project either.
CREATE TABLE captures (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  capture_type text NOT NULL,
  state text NOT NULL CHECK (state IN ('processing', 'completed', 'failed')),
  created_at_ms bigint NOT NULL,
  capture_date_ms bigint,
  has_products boolean NOT NULL,
  body json NOT NULL
);
CREATE INDEX captures_project ON captures (project_id, created_at_ms DESC, id DESC);
CREATE INDEX captures_flights ON captures (project_id, capture_date_ms DESC, id DESC)
  WHERE state = 'completed' AND has_products AND capture_type = 'drone';

-- Percents that captures gave zones: history of a zone without reading whole captures.
CREATE TABLE zone_estimates (
  capture_id text NOT NULL REFERENCES captures (id),
  zone_id text NOT NULL REFERENCES work_zones (id),
  capture_date_ms bigint NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (capture_id, zone_id)
);
CREATE INDEX zone_estimates_zone ON zone_estimates (zone_id, capture_date_ms, capture_id);

-- Frame that the flights of a project share.
CREATE TABLE capture_datums (
  project_id text PRIMARY KEY,
  datum json NOT NULL
);

CREATE TABLE progress_reports (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  capture_id text NOT NULL REFERENCES captures (id),
  revision int NOT NULL,
  capture_date_ms bigint NOT NULL,
  recorded_at_ms bigint NOT NULL,
  -- The only thing of a report that changes, and once.
  superseded_by text,
  body json NOT NULL,
  UNIQUE (capture_id, revision)
);
CREATE INDEX progress_reports_newest
  ON progress_reports (project_id, capture_date_ms DESC, recorded_at_ms DESC, id DESC)
  WHERE superseded_by IS NULL;

CREATE TABLE site_cameras (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  created_at_ms bigint NOT NULL,
  -- NULL: deleted.
  body json,
  deleted boolean NOT NULL DEFAULT false,
  live_project_id text GENERATED ALWAYS AS (CASE WHEN NOT deleted THEN project_id END) STORED
    REFERENCES projects (id),
  CHECK (deleted = (body IS NULL))
);
CREATE INDEX site_cameras_live_project ON site_cameras (live_project_id, created_at_ms, id);

-- What captures saw of zones. `features`: float32, little endian.
CREATE TABLE zone_views (
  capture_id text NOT NULL REFERENCES captures (id),
  zone_id text NOT NULL REFERENCES work_zones (id),
  image_sha256 text NOT NULL,
  camera_id text REFERENCES site_cameras (id),
  taken_at_ms bigint NOT NULL,
  reference_sha256 text,
  features_version int NOT NULL,
  features bytea NOT NULL,
  PRIMARY KEY (capture_id, zone_id, image_sha256)
);
CREATE INDEX zone_views_zone ON zone_views (zone_id, taken_at_ms);
CREATE INDEX zone_views_camera ON zone_views (camera_id);
CREATE INDEX zone_views_taken ON zone_views (taken_at_ms);

-- Views whose progress a person told. They outlive the views and captures they are of.
CREATE TABLE zone_labels (
  id text PRIMARY KEY,
  zone_id text NOT NULL REFERENCES work_zones (id),
  image_sha256 text NOT NULL,
  capture_id text,
  camera_id text REFERENCES site_cameras (id),
  taken_at_ms bigint NOT NULL,
  reference_sha256 text,
  features_version int NOT NULL,
  features bytea NOT NULL,
  progress double precision NOT NULL,
  stage text,
  labelled_by text NOT NULL,
  labelled_at_ms bigint NOT NULL,
  source text NOT NULL,
  UNIQUE (zone_id, image_sha256)
);
CREATE INDEX zone_labels_zone ON zone_labels (zone_id, taken_at_ms, id);
CREATE INDEX zone_labels_camera ON zone_labels (camera_id);

-- Times are ms since the Unix epoch, UTC (`..._at_ms`). Ids follow domain/ids.ts.
-- What the pipeline writes has no foreign keys: a journal may hold records of an asset that this
-- database does not know, and they must not stop it.

-- Row counters instead of sequences: the row is locked until its transaction ends, so numbers become
-- visible in order and a reader that polls `> last` misses none.
CREATE TABLE counters (
  name text PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO counters (name, value) VALUES ('asset_revision', 0), ('event_sequence', 0);

CREATE TABLE projects (
  id text PRIMARY KEY,
  name text NOT NULL,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  time_zone text NOT NULL,
  shift_start text NOT NULL,
  shift_end text NOT NULL,
  planned_start date,
  planned_finish date,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);

CREATE TABLE assets (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  decoder text NOT NULL,
  latitude double precision,
  longitude double precision,
  maintenance boolean NOT NULL,
  secret_hash bytea NOT NULL,
  revision bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  deleted_at_ms bigint,
  -- A tombstone keeps its project's id for history but does not hold the project.
  live_project_id text GENERATED ALWAYS AS
    (CASE WHEN deleted_at_ms IS NULL THEN project_id END) STORED
    REFERENCES projects (id)
);
CREATE UNIQUE INDEX assets_revision ON assets (revision);
CREATE INDEX assets_live_project ON assets (live_project_id);

-- Half-open intervals [valid_from_ms, valid_to_ms); NULL: in force.
CREATE TABLE asset_assignments (
  asset_id text NOT NULL REFERENCES assets (id),
  project_id text NOT NULL,
  valid_from_ms bigint NOT NULL,
  valid_to_ms bigint,
  PRIMARY KEY (asset_id, valid_from_ms)
);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  plan text NOT NULL,
  project_ids text[],
  expires_at_ms bigint,
  revoked_at_ms bigint,
  last_used_at_ms bigint,
  created_at_ms bigint NOT NULL
);

-- Half-full pages: a row's next version fits beside it, so that an update touches no index and
-- needs no vacuum (heap-only tuples).
CREATE TABLE asset_state (
  asset_id text PRIMARY KEY,
  state text NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE utilization_days (
  asset_id text NOT NULL,
  day date NOT NULL,
  project_id text NOT NULL,
  working_s double precision NOT NULL,
  overtime_s double precision NOT NULL,
  engine_on_s double precision NOT NULL,
  distance_m double precision NOT NULL,
  PRIMARY KEY (asset_id, day)
) WITH (fillfactor = 70);

CREATE TABLE pipeline_checkpoint (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  journal_id text NOT NULL,
  sequence bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE quarantine (
  id text PRIMARY KEY,
  asset_id text NOT NULL,
  project_id text NOT NULL,
  received_at_ms bigint NOT NULL,
  topic text NOT NULL,
  format text NOT NULL,
  reason text NOT NULL,
  payload bytea NOT NULL,
  replayed_at_ms bigint
);
CREATE INDEX quarantine_newest ON quarantine (received_at_ms DESC, id);
CREATE INDEX quarantine_asset ON quarantine (asset_id, received_at_ms DESC, id);

-- What was kept and what was only counted, per asset and UTC day of receipt. `last_sequence` is the
-- newest journal record counted: a replay counts nothing twice.
CREATE TABLE quarantine_days (
  asset_id text NOT NULL,
  day date NOT NULL,
  journal_id text NOT NULL,
  project_id text NOT NULL,
  last_sequence bigint NOT NULL,
  kept bigint NOT NULL,
  dropped bigint NOT NULL,
  PRIMARY KEY (asset_id, day, journal_id)
);

-- The outbox. `data` is json, not jsonb: it is read back as written, and jsonb refuses \u0000.
CREATE TABLE events (
  sequence bigint PRIMARY KEY,
  id text NOT NULL,
  revision integer NOT NULL,
  type text NOT NULL,
  project_id text,
  asset_id text,
  geofence_id text,
  visit_id text,
  occurred_at_ms bigint NOT NULL,
  recorded_at_ms bigint NOT NULL,
  latitude double precision,
  longitude double precision,
  accuracy_meters double precision,
  inferred boolean NOT NULL,
  cause text,
  withdrawn boolean NOT NULL,
  data json NOT NULL,
  UNIQUE (id, revision)
);

CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  claimed_at_ms bigint NOT NULL,
  status integer,
  body text,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (claimed_at_ms);

-- Work that takes long: image processing. Times are those of the database's clock.
CREATE TABLE jobs (
  id text PRIMARY KEY,
  -- Order of adding, from `counters`: the database's clock may tell one time twice.
  number bigint NOT NULL,
  kind text NOT NULL,
  project_id text,
  -- json, not jsonb: it is read back as written, and jsonb refuses \u0000.
  input json NOT NULL,
  dedupe_key text,
  priority int NOT NULL,
  work_units float8 NOT NULL,
  state text NOT NULL
    CHECK (state IN ('queued', 'running', 'completed', 'failed', 'canceled')),
  attempts int NOT NULL,
  max_attempts int NOT NULL,
  runner text,
  heartbeat_at timestamptz,
  stage text NOT NULL,
  progress float8 NOT NULL,
  cancel_requested boolean NOT NULL,
  result json,
  error json,
  created_at timestamptz NOT NULL,
  not_before timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  CHECK ((state = 'running') = (runner IS NOT NULL)),
  CHECK ((state IN ('completed', 'failed', 'canceled')) = (finished_at IS NOT NULL))
);
-- The next job of a kind.
CREATE INDEX jobs_queued ON jobs (priority DESC, number) WHERE state = 'queued';
CREATE INDEX jobs_running ON jobs (runner) WHERE state = 'running';
-- One job of a key at a time. One that is to be canceled makes room for the next.
CREATE UNIQUE INDEX jobs_joined ON jobs (dedupe_key)
  WHERE state IN ('queued', 'running') AND NOT cancel_requested;
CREATE INDEX jobs_completed_key ON jobs (dedupe_key, finished_at) WHERE state = 'completed';
CREATE INDEX jobs_completed_kind ON jobs (kind, finished_at) WHERE state = 'completed';
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_number ON jobs (number DESC);
INSERT INTO counters (name, value) VALUES ('job_number', 0);

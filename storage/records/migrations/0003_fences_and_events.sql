-- Geofences, visits, alerts, webhooks and maintenance; what readers of the outbox filter by.
-- As before: times are ms since the Unix epoch, UTC; what the pipeline writes has no foreign keys;
-- JSON is json, not jsonb, and read back as written.

INSERT INTO counters (name, value) VALUES ('geofence_revision', 0), ('maintenance_revision', 0);

CREATE TABLE geofences (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  deleted_at_ms bigint,
  -- A tombstone keeps the id taken but does not hold the project.
  live_project_id text GENERATED ALWAYS AS
    (CASE WHEN deleted_at_ms IS NULL THEN project_id END) STORED
    REFERENCES projects (id)
);
CREATE INDEX geofences_live_project ON geofences (live_project_id);

-- Half-open intervals [valid_from_ms, valid_to_ms); NULL: in force. None is empty.
CREATE TABLE geofence_versions (
  geofence_id text NOT NULL REFERENCES geofences (id),
  valid_from_ms bigint NOT NULL,
  valid_to_ms bigint CHECK (valid_to_ms > valid_from_ms),
  project_id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  -- One closed ring as GeoJSON writes it: [[longitude, latitude], ...].
  ring json NOT NULL,
  area_sqm double precision NOT NULL,
  alert_on text[] NOT NULL,
  exit_buffer_m double precision NOT NULL,
  confirm_fixes integer NOT NULL,
  min_dwell_s integer NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (geofence_id, valid_from_ms)
);
CREATE UNIQUE INDEX geofence_versions_in_force ON geofence_versions (geofence_id)
  WHERE valid_to_ms IS NULL;
CREATE UNIQUE INDEX geofence_versions_revision ON geofence_versions (revision);

-- Room in the pages for a row's next version: most visits are written again once, when they end.
CREATE TABLE visits (
  id text PRIMARY KEY,
  asset_id text NOT NULL,
  project_id text NOT NULL,
  geofence_id text NOT NULL,
  ordinal bigint NOT NULL,
  entered_at_ms bigint NOT NULL,
  entered_latitude double precision NOT NULL,
  entered_longitude double precision NOT NULL,
  entered_accuracy_m double precision NOT NULL,
  entered_cause text NOT NULL,
  exited_at_ms bigint,
  exited_latitude double precision,
  exited_longitude double precision,
  exited_accuracy_m double precision,
  exited_cause text,
  inferred boolean NOT NULL,
  withdrawn boolean NOT NULL,
  told_entered integer NOT NULL,
  told_exited integer NOT NULL,
  told_exit_withdrawn boolean NOT NULL,
  told_enter_alerted boolean NOT NULL,
  told_exit_alerted boolean NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX visits_order ON visits (asset_id, ordinal) WHERE NOT withdrawn;
CREATE INDEX visits_pair ON visits (asset_id, geofence_id, ordinal) WHERE NOT withdrawn;
CREATE INDEX visits_geofence ON visits (geofence_id, entered_at_ms DESC, id) WHERE NOT withdrawn;
CREATE INDEX visits_project ON visits (project_id, entered_at_ms DESC, id) WHERE NOT withdrawn;
-- Withdrawn ones too: what is old is found by it.
CREATE INDEX visits_newest ON visits (entered_at_ms DESC, id);

-- `acknowledged_*` and `note` are a person's; the pipeline writes all the others.
CREATE TABLE alerts (
  id text PRIMARY KEY,
  type text NOT NULL,
  severity text NOT NULL,
  project_id text NOT NULL,
  asset_id text,
  geofence_id text,
  visit_id text,
  message text NOT NULL,
  opened_at_ms bigint NOT NULL,
  resolved_at_ms bigint,
  resolution text,
  occurrences integer NOT NULL,
  data json NOT NULL,
  acknowledged_at_ms bigint,
  acknowledged_by text,
  note text,
  state text NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN resolved_at_ms IS NOT NULL THEN 'resolved'
      WHEN acknowledged_at_ms IS NOT NULL THEN 'acknowledged'
      ELSE 'open'
    END
  ) STORED
) WITH (fillfactor = 70);
CREATE INDEX alerts_newest ON alerts (opened_at_ms DESC, id);
CREATE INDEX alerts_project ON alerts (project_id, opened_at_ms DESC, id);
CREATE INDEX alerts_asset ON alerts (asset_id, opened_at_ms DESC, id);
CREATE INDEX alerts_geofence ON alerts (geofence_id, opened_at_ms DESC, id);
-- Few of many are unresolved, and they are what is asked for most.
CREATE INDEX alerts_unresolved ON alerts (opened_at_ms DESC, id) WHERE state <> 'resolved';
CREATE INDEX alerts_resolved ON alerts (resolved_at_ms) WHERE resolved_at_ms IS NOT NULL;

-- State of the pipeline's stages that belongs to no asset; JSON text.
CREATE TABLE pipeline_shared (
  name text PRIMARY KEY,
  state text NOT NULL
) WITH (fillfactor = 50);

-- Every filter of the outbox ends in `sequence`, so that each is read on from where a reader stopped.
CREATE INDEX events_asset ON events (asset_id, sequence);
CREATE INDEX events_project_type ON events (project_id, type, sequence);
CREATE INDEX events_type ON events (type, sequence);
CREATE INDEX events_age ON events (recorded_at_ms);
CREATE INDEX quarantine_days_age ON quarantine_days (day);

CREATE TABLE webhooks (
  id text PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  types text[] NOT NULL,
  project_ids text[],
  status text NOT NULL,
  disabled_reason text,
  -- Newest first: [{"sealed": base64, "createdAtMs": ms, "expiresAtMs": ms or absent}].
  secrets json NOT NULL,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);

-- Apart from the webhooks: they move with every few events.
CREATE TABLE webhook_cursors (
  webhook_id text PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  sequence bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE webhook_deliveries (
  webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_sequence bigint NOT NULL,
  message_id text NOT NULL,
  event_type text NOT NULL,
  state text NOT NULL,
  attempts integer NOT NULL,
  first_attempt_at_ms bigint,
  last_attempt_at_ms bigint,
  next_attempt_at_ms bigint,
  last_status integer,
  last_error text,
  last_duration_ms double precision,
  PRIMARY KEY (webhook_id, event_sequence)
) WITH (fillfactor = 70);
-- In the order of delivery; the time is in it so that rows not due yet are passed over in the index.
CREATE INDEX webhook_deliveries_pending
  ON webhook_deliveries (webhook_id, event_sequence, next_attempt_at_ms)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_settled ON webhook_deliveries (last_attempt_at_ms)
  WHERE state <> 'pending';

-- Half-open intervals as for geofences. `plan` is JSON text; NULL: the plan was removed.
CREATE TABLE maintenance_plans (
  asset_id text,
  project_id text,
  asset_type text,
  -- Whom the plan is for, in one column: ids hold no space.
  scope text NOT NULL GENERATED ALWAYS AS
    (coalesce('asset ' || asset_id, 'type ' || project_id || ' ' || asset_type)) STORED,
  valid_from_ms bigint NOT NULL,
  valid_to_ms bigint CHECK (valid_to_ms > valid_from_ms),
  plan text,
  revision bigint NOT NULL,
  PRIMARY KEY (scope, valid_from_ms)
);
CREATE UNIQUE INDEX maintenance_plans_in_force ON maintenance_plans (scope)
  WHERE valid_to_ms IS NULL;
CREATE UNIQUE INDEX maintenance_plans_revision ON maintenance_plans (revision);

CREATE TABLE maintenance_services (
  id text PRIMARY KEY,
  asset_id text NOT NULL,
  project_id text NOT NULL,
  item text NOT NULL,
  serviced_at_ms bigint NOT NULL,
  recorded_at_ms bigint NOT NULL,
  engine_hours double precision,
  hours_source text,
  odometer_km double precision,
  note text,
  revision bigint NOT NULL
);
CREATE INDEX maintenance_services_asset
  ON maintenance_services (asset_id, serviced_at_ms DESC, revision DESC);
CREATE UNIQUE INDEX maintenance_services_revision ON maintenance_services (revision);

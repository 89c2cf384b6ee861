-- Rules that are muted for one asset until a time.
CREATE TABLE alert_mutes (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  asset_id text NOT NULL,
  type text NOT NULL,
  geofence_id text,
  max_severity text NOT NULL,
  from_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  note text,
  created_by text NOT NULL,
  created_by_name text NOT NULL
);
CREATE INDEX alert_mutes_of_asset ON alert_mutes (asset_id, until_ms);
CREATE INDEX alert_mutes_ended ON alert_mutes (until_ms);

ALTER TABLE alerts
  -- The mute that acknowledged it, and what that mute covers: an alert that becomes another or a worse one
  -- opens after all.
  ADD COLUMN mute_id text,
  ADD COLUMN muted_type text,
  ADD COLUMN muted_max_severity text;

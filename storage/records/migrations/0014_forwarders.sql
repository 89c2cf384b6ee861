-- Other systems that readings are passed on to, and how far each has come in each ingest node's journal.
CREATE TABLE forwarders (
  id text PRIMARY KEY,
  name text NOT NULL,
  -- traccar_http or mqtt.
  kind text NOT NULL,
  url text NOT NULL,
  -- plumbline or traccar: what the messages look like.
  format text NOT NULL,
  -- Template of the MQTT topic; NULL for HTTP.
  topic text,
  -- NULL: of every project.
  project_ids text[],
  -- How it logs in there, sealed under the secret key; NULL: it need not.
  credentials bytea,
  status text NOT NULL,
  -- Records that the server journalled before are left out.
  start_at_ms bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);

CREATE TABLE forwarder_progress (
  forwarder_id text NOT NULL REFERENCES forwarders (id) ON DELETE CASCADE,
  journal_id text NOT NULL,
  -- Everything up to this record was dealt with.
  sequence bigint NOT NULL,
  -- Counts, the last success and the last trouble, as JSON text.
  outcome json NOT NULL,
  PRIMARY KEY (forwarder_id, journal_id)
);

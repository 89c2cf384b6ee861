-- Other systems that readings are passed on to, and how far each has come in each ingest node's journal.
CREATE TABLE forwarders (
  id text PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  url text NOT NULL,
  -- NULL: of every project.
  project_ids text[],
  -- What depends on the kind; secrets in it are sealed, base64.
  options json NOT NULL,
  status text NOT NULL,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);

CREATE TABLE forwarder_progress (
  forwarder_id text NOT NULL REFERENCES forwarders (id) ON DELETE CASCADE,
  journal_id text NOT NULL,
  sequence bigint NOT NULL,
  outcome json NOT NULL,
  PRIMARY KEY (forwarder_id, journal_id)
);

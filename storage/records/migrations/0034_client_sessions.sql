-- Which of several alike ingest processes has the session of a client: a connection of MQTT, or of a tracker over TCP.

-- Processes that are alive, each under a name of this run.
CREATE TABLE ingest_nodes (
  id text PRIMARY KEY,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE client_sessions (
  -- Hash of the user and the client id.
  id text PRIMARY KEY,
  -- Empty: a reader of events.
  asset_id text NOT NULL,
  -- Whether the session is the asset's link: that of a tracker is not followed.
  is_link boolean NOT NULL,
  node_id text NOT NULL,
  -- Rises with every claim of the session.
  epoch bigint NOT NULL,
  -- Who had it before; empty: nobody.
  former_node_id text NOT NULL DEFAULT '',
  -- When the client connected, by the clock of its process.
  at_ms bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX client_sessions_of_asset ON client_sessions (asset_id) WHERE asset_id <> '';
CREATE INDEX client_sessions_of_node ON client_sessions (node_id);

-- Sessions that another process took, until the one that had them has read that.
CREATE TABLE lost_client_sessions (
  node_id text NOT NULL,
  id text NOT NULL,
  epoch bigint NOT NULL,
  PRIMARY KEY (node_id, id, epoch)
);

-- How often connections with one client id ended each other, in the newest minute that it happened in.
CREATE TABLE client_takeovers (
  id text PRIMARY KEY,
  began_at timestamptz NOT NULL,
  takeovers integer NOT NULL,
  banned_until timestamptz NOT NULL
) WITH (fillfactor = 70);

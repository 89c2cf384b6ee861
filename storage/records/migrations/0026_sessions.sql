-- Log-ins of browsers. Hashes are HMAC-SHA-256 under the pepper. A session belongs to the key of its key_hash; there is
-- no foreign key because that of the environment has no row.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  key_id text NOT NULL,
  key_hash bytea NOT NULL,
  created_at_ms bigint NOT NULL,
  last_seen_at_ms bigint NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX sessions_of_key ON sessions (key_id, last_seen_at_ms);

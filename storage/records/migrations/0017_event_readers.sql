-- Rises with every change of types or projects: the cursor moves only for the subscription that is in force.
ALTER TABLE webhooks ADD COLUMN subscription bigint NOT NULL DEFAULT 1;

-- Places of readers of the outbox that are no webhooks: kept MQTT sessions, and the publisher to an
-- external broker.
CREATE TABLE event_readers (
  id text PRIMARY KEY,
  -- Every event up to here was acknowledged or is not wanted.
  sequence bigint NOT NULL,
  -- MQTT subscriptions: [{"filter", "qos", "from"}]; empty where the reader takes everything.
  subscriptions json NOT NULL,
  seen_at_ms bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX event_readers_age ON event_readers (seen_at_ms);

-- Followers of alerts: the place of an alert's newest change. Its counter makes numbers visible in order, so that
-- a process which asks for later ones misses none. 0: not changed since there are numbers.
INSERT INTO counters (name, value) VALUES ('alert_sequence', 0);

ALTER TABLE alerts ADD COLUMN sequence bigint NOT NULL DEFAULT 0;
CREATE INDEX alerts_sequence ON alerts (sequence);

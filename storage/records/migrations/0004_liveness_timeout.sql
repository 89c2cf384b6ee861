-- Seconds; NULL: the default of the program that reads it.
ALTER TABLE assets ADD COLUMN liveness_timeout_s integer;

-- A photograph of what a person saw: key of the file store.
ALTER TABLE zone_observations ADD COLUMN image_key text;

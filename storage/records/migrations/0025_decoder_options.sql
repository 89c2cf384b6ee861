-- What the decoder of an asset cannot know from payloads, as the API has it; NULL: nothing was set.
ALTER TABLE assets ADD COLUMN decoder_options json;

-- What of a source is polled machine by machine, and what was taken of it: where each series goes on, and the
-- fault codes that are active.
ALTER TABLE fleet_sources ADD COLUMN series json;
ALTER TABLE fleet_source_machines ADD COLUMN series json;

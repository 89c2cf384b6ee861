-- What the hardware calls itself; NULL: nothing was registered. A deleted asset keeps its name for history
-- and leaves it to the next.
ALTER TABLE assets ADD COLUMN hardware_id text;
CREATE UNIQUE INDEX assets_hardware_id ON assets (hardware_id) WHERE deleted_at_ms IS NULL;

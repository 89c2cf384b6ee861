-- How the figures of a day came about: numbers that the pipeline packs, joined by commas. NULL: stored by
-- a program that did not keep it.
ALTER TABLE utilization_days ADD COLUMN usage text;

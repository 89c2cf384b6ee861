-- How far followers of a shared journal have come whose work is stored elsewhere than here, as that of the archive.
CREATE TABLE journal_places (
  journal_id text NOT NULL,
  reader text NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (journal_id, reader)
) WITH (fillfactor = 50);

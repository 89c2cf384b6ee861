-- What projects have stored, so that a quota needs no walk over the file store.
CREATE TABLE stored_files (
  -- Of the file store; `schedules/{id}` is a row of `schedules`.
  key text COLLATE "C" PRIMARY KEY,
  -- NULL: of no project.
  project_id text,
  bytes bigint NOT NULL
);

-- The sums over `stored_files`, changed in the same transactions.
CREATE TABLE project_storage (
  project_id text PRIMARY KEY,
  bytes bigint NOT NULL,
  files bigint NOT NULL,
  -- NULL: PROJECT_STORAGE_MIB.
  limit_bytes bigint
);

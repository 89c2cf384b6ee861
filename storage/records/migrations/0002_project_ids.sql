-- Every project id that was ever given out. API keys, quarantined messages and events name deleted
-- projects still, and a new project of the same id would inherit them.
CREATE TABLE project_ids (
  id text PRIMARY KEY
);
INSERT INTO project_ids (id)
  SELECT id FROM projects
  UNION SELECT project_id FROM asset_assignments
  UNION SELECT unnest(project_ids) FROM api_keys;

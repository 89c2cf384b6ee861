-- When a project was last given a runner: the next one goes to whoever waited longest.
CREATE INDEX jobs_served ON jobs ((coalesce(project_id, '')), started_at DESC)
  WHERE started_at IS NOT NULL;

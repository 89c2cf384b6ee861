-- From here on telemetry says how late a position was received. Rows of before do not: 0 where there can be none.
INSERT INTO counters (name, value)
SELECT 'late_known_from_ms',
  CASE WHEN EXISTS (SELECT 1 FROM assets) THEN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint ELSE 0 END;

-- Records that one ingest node had acknowledged for another: partitions of the log pass them on in the log.
DROP TABLE stranded_records;
-- Names of nodes and shards, which no process takes any more.
DELETE FROM leases WHERE name LIKE 'node/%' OR name LIKE 'shard/%';

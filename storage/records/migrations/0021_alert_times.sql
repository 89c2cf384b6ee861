ALTER TABLE alerts
  -- When it opened by the device's clock, where that is ahead of the server's; opened_at_ms is then
  -- the time of receipt.
  ADD COLUMN device_time_ms bigint,
  -- What people call the key that acknowledged it.
  ADD COLUMN acknowledged_name text;

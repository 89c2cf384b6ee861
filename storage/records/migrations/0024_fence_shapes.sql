ALTER TABLE geofence_versions
  -- The circle or corridor as it was drawn, positions as [longitude, latitude]; ring is its outline.
  -- NULL: it was drawn as a polygon, the ring.
  ADD COLUMN drawn json;

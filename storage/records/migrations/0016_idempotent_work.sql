-- The work of an Idempotency-Key and its answer are stored in one transaction.
ALTER TABLE idempotency_keys
  -- Of the claim that may store the answer; a claim that was taken over has another one.
  ADD COLUMN token text NOT NULL DEFAULT '',
  -- A claim without an answer may be taken over from then on: its process is gone.
  ADD COLUMN leased_until timestamptz NOT NULL DEFAULT '-infinity',
  -- Id of what the request began, where its answer waits for that.
  ADD COLUMN begun text;

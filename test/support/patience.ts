/**
 * How long a test waits for what must come, ms. It guards against a hang and promises nothing: with 20 busy
 * processes on two cores, work of 10 s takes two minutes. Where a time is promised, that one is asserted.
 */
export const PATIENT_MS = 180_000;

/** Limits of HTTP requests of a test that is not about such limits: a receiver answers when it gets to it. */
export const PATIENT_EXCHANGES = { connectMs: PATIENT_MS, totalMs: PATIENT_MS };

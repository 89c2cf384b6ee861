/**
 * How long a test waits for what must come, ms. It guards against a hang and promises nothing: with 20 busy
 * processes on two cores, work of 10 s takes two minutes. Where a time is promised, that one is asserted.
 */
export const PATIENT_MS = 180_000;

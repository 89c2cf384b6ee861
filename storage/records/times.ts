/** ms since the Unix epoch of an ISO 8601 time that a schema has checked. */
export const msOf = (iso: string): number => Date.parse(iso);

/** ISO 8601 in UTC with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

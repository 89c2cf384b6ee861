/** ms since the Unix epoch of an ISO 8601 time that a schema has checked. */
export const msOf = (iso: string): number => Date.parse(iso);

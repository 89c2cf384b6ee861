/** Degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const SITE: Place = { latitude: 52.5, longitude: 13.4 };

/** A reading of a machine that drives round a place, in our JSON, some 220 bytes; `number`: from 1. */
export function readingOf(
  number: number,
  timeMs: number,
  { latitude, longitude }: Place = SITE,
): string {
  const turn = number / 500;
  return JSON.stringify({
    timestamp: timeMs,
    latitude: latitude + Math.sin(turn) / 500,
    longitude: longitude + Math.cos(turn) / 300,
    accuracy_meters: 2.5,
    speed_kmh: 18.5,
    heading: 181,
    engine_on: true,
    engine_hours: 1234.5,
    fuel_level_percent: 66.2,
    load_percent: 40,
    seq: number,
  });
}

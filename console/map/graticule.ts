import type { FeatureCollection } from "geojson";

/** Degrees of a view, WGS 84. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Steps between lines, degrees, that read well as decimals. */
const STEPS = [
  30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002,
];
/** Lines across the longer side of a view: more is a pattern, fewer leave a phone without any. */
const LINES = 6;

/** Meridians and parallels of a view, each with its degrees; the ground of a map without a base. */
export function graticule({ west, south, east, north }: Bounds): FeatureCollection {
  const span = Math.max(east - west, north - south);
  const step = STEPS.findLast((one) => one >= span / LINES) ?? 30;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const line = (ends: [number, number][], degrees: number, letters: string) => ({
    type: "Feature" as const,
    properties: { label: `${Math.abs(degrees).toFixed(digits)}° ${letters[degrees < 0 ? 1 : 0]}` },
    geometry: { type: "LineString" as const, coordinates: ends },
  });
  // A view that nothing limits would be drawn without end.
  const [w, e] = [Math.max(-180, west - span), Math.min(180, east + span)];
  const [s, n] = [Math.max(-85, south - span), Math.min(85, north + span)];
  const meridians = multiples(w, e, step).map((lng) =>
    line(
      [
        [lng, s],
        [lng, n],
      ],
      lng,
      "EW",
    ),
  );
  const parallels = multiples(s, n, step).map((lat) =>
    line(
      [
        [w, lat],
        [e, lat],
      ],
      lat,
      "NS",
    ),
  );
  return { type: "FeatureCollection", features: [...meridians, ...parallels] };
}

function multiples(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";

/** Points of a fleet in which every machine reports in turn: the arrival order that is hardest to store. */
export class Fleet {
  private readonly assets: readonly AssetId[];
  private readonly startMs: number;
  private readonly intervalMs: number;
  private arrivals = 0;

  constructor(size: number, startMs: number, intervalMs: number) {
    this.assets = Array.from({ length: size }, (_, i) => `asset-${i}` as AssetId);
    this.startMs = startMs;
    this.intervalMs = intervalMs;
  }

  /** The next points in order of arrival: 8 fields, position with 7 decimals, a new hash each. */
  next(count: number): TelemetryPoint[] {
    return Array.from({ length: count }, () => this.point(this.arrivals++));
  }

  private point(arrival: number): TelemetryPoint {
    const machine = arrival % this.assets.length;
    const turn = Math.floor(arrival / this.assets.length);
    const angle = turn / 50 + machine;
    return {
      assetId: this.assets[machine] as AssetId,
      projectId: `site-${machine % 50}` as ProjectId,
      fixTimeMs: this.startMs + turn * this.intervalMs + ((machine * 37) % 1_000),
      seq: turn,
      payloadHash: Math.imul(arrival + 1, 2_654_435_761) >>> 0,
      fields: {
        latitude: decimals(51 + machine * 1e-4 + Math.sin(angle) * 2e-3, 1e7),
        longitude: decimals(7 + machine * 1e-4 + Math.cos(angle) * 3e-3, 1e7),
        speed_kmh: decimals(15 + 14 * Math.sin(angle * 3), 10),
        heading: Math.floor((angle * 57.3) % 360),
        engine_on: 1,
        engine_hours: decimals(1_000 + turn / 360, 100),
        fuel_level_percent: decimals(90 - ((turn / 40) % 70), 10),
        coolant_temperature_c: 80 + (turn % 9),
      },
    };
  }
}

function decimals(value: number, scale: number): number {
  return Math.round(value * scale) / scale;
}

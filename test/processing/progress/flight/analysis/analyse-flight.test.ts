import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CaptureId } from "../../../../../domain/ids.ts";
import {
  type AnalysedFlight,
  analyseFlight,
} from "../../../../../processing/progress/flight/analysis/analyse-flight.ts";
import type { SurfaceInput } from "../../../../../processing/progress/flight/input/flight-input.ts";
import { type FlownSite, flightInput, isIn, type Rectangle, zoneIn } from "../flight-site.ts";

const PAD: Rectangle = [-8, -6, 8, 6];
const ZONES = [
  zoneIn("zon_pad", PAD),
  zoneIn("zon_rim", [24, -6, 40, 6]),
  zoneIn("zon_begun", [-20, -6, -12, 6], { takesBaseline: false }),
  zoneIn("zon_huge", [-1_500, 30, 1_500, 1_500]),
];
const GPS = { georeferencing: "gps" } as const;

let dir: string;
let first: AnalysedFlight;
let epoch: Extract<SurfaceInput, { kind: "file" }>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "analyse-flight-"));
  const ortho = { westM: -30, northM: 30, cellM: 0.1, width: 600, height: 600 };
  first = await analyseFlight(flightInput(GPS, ZONES, { ortho }));
  epoch = {
    kind: "file",
    format: "epoch",
    path: join(dir, "epoch.bin"),
    openBytes: 1,
    readBytes: 1,
  };
  await writeFile(epoch.path, first.placed?.epoch ?? "");
});
afterAll(() => rm(dir, { recursive: true }));

/** A later flight of the same zones, of which the pad has its baseline. */
const later = (site: FlownSite) =>
  analyseFlight(
    flightInput({ seed: 2, ...site }, [{ ...zoneIn("zon_pad", PAD), baseline: epoch }], {
      captureId: "cap_2" as CaptureId,
      datum: first.placed?.datum,
      earlier: [epoch],
    }),
  );

describe("a project's first flight", () => {
  it("a project's first flight makes the frame, and is the baseline of the zones that it shows and that had not begun", () => {
    expect(first.placed?.datum).toMatchObject({ version: 1, id: "cap_1", georeferencing: "gps" });
    expect(first.baselines).toEqual(["zon_pad"]);
    expect(first.estimates.map((one) => one.no_estimate)).toEqual([
      "baseline_taken",
      "not_observed",
      "no_surface",
      "not_observed",
    ]);
    expect(first.estimates[0]).toMatchObject({
      raw_progress: undefined,
      interval_95: undefined,
      observed_fraction: 1,
    });
  });

  it("a project's first flight says how much is planned: 16 m x 12 m x 2 m", () => {
    expect(first.estimates[0]?.figures["planned_volume_m3"]).toBeCloseTo(384, 2);
  });

  it("a project's first flight says what it saw of a zone that reaches beyond it, and of one that is far larger than it", () => {
    // 6 m of 16 m
    expect(first.estimates[1]?.observed_fraction).toBeCloseTo(0.375, 2);
    expect(first.estimates[3]?.observed_fraction).toBe(0);
  });

  it("a project's first flight says where the corners of its orthophoto lie, from the upper left on", () => {
    const [upperLeft, upperRight, lowerRight] = first.placed?.corners ?? [];
    // 60 m at 52.52 degrees north: 111.2 km a degree, and 67.8 km.
    expect((upperRight?.[0] ?? 0) - (upperLeft?.[0] ?? 0)).toBeCloseTo(60 / 67_800, 5);
    expect((upperRight?.[1] ?? 0) - (lowerRight?.[1] ?? 0)).toBeCloseTo(60 / 111_200, 5);
  });

  it("a project's first flight warns that consumer GPS does not say where zones lie", () => {
    expect(first.warnings).toEqual([expect.stringContaining("Consumer GPS")]);
  });
});

describe("a later flight", () => {
  it("a later flight lies on the first one though its positions are off by 0.6 m and 8 m in height", async () => {
    const flight = await later({
      ...{ ...GPS, offM: [0.5, -0.3, 8] },
      rise: (x, y) => (isIn(PAD, x, y) && x < 0 ? 2 : 0),
    });
    expect(flight.estimates[0]?.figures).toMatchObject({ alignment: "stable_ground" });
    expect(Math.abs((flight.estimates[0]?.raw_progress ?? 0) - 50)).toBeLessThan(1.5);
    expect(flight.placed?.mapTitle).toContain("Change");
    expect(Buffer.from(flight.placed?.map.subarray(1, 4) ?? []).toString()).toBe("PNG");
  });

  it("a later flight that nothing ties to the first one says nothing of its zones", async () => {
    const flight = await later({
      ...GPS,
      rise: (x, y) => 3 * Math.sin(x / 3) * Math.sin(y / 2 + x / 9),
    });
    expect(flight.placed).toBeUndefined();
    expect(flight.estimates.map((one) => one.no_estimate)).toEqual(["not_aligned"]);
    expect(flight.warnings[0]).toContain("tie this flight");
  });

  it("a later flight without any height is tied to nothing", async () => {
    const flight = await later({ ...GPS, isHole: () => true });
    expect(flight.estimates[0]).toMatchObject({ no_estimate: "not_aligned" });
  });
});

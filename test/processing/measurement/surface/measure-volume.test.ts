import { beforeAll, describe, expect, it } from "vitest";
import type { Ring } from "../../../../domain/geometry/geofence.ts";
import type { MeasurementId } from "../../../../domain/ids.ts";
import { encodeEpoch } from "../../../../processing/epoch/epoch-file.ts";
import { planOfRing, ringOfPlan } from "../../../../processing/epoch/plan-ring.ts";
import type { MeasureSurfaceInput } from "../../../../processing/measurement/surface/measure-input.ts";
import {
  type MeasuredVolume,
  measureVolume,
} from "../../../../processing/measurement/surface/measure-volume.ts";
import { accuracyNote } from "../../../../processing/volume/accuracy-text.ts";
import {
  coneM3,
  GROUND_M,
  HEAP_FOOTPRINT,
  type Heap,
  heapInput,
  heapSurvey,
  SITE,
} from "../../../support/heap-survey.ts";
import { someOf } from "../../../support/some-of.ts";

/**
 * How far a volume may be off in truth, cubic metres: rolling ground under the heap differs from a plane
 * through the ring by up to 2 cm on 154 m2. Noise of 1 cm in 3,800 cells leaves 0.02.
 */
const TOLERANCE_M3 = 3;

// On a busy machine a search for where a survey lies takes seconds.

let first: MeasuredVolume;
let epoch: Uint8Array;
beforeAll(() => {
  first = measureVolume(heapInput());
  const { figures, surface } = first;
  epoch = encodeEpoch({ datum: figures.datum.id, surface, cameras: [], companions: [] });
});

/** A second epoch in the datum of the first. */
const second = (heap: Heap, change: Parameters<typeof heapInput>[1] = {}) =>
  measureVolume(
    heapInput(
      { seed: 2, ...heap },
      {
        measurementId: "msr_second" as MeasurementId,
        datum: first.figures.datum,
        earlier: epoch,
        ...change,
      },
    ),
  );

it("a measurement adds what its surface rounds off, by the same heap at half the resolution", () => {
  const input = heapInput();
  const coarse = heapSurvey({ heightM: 2.6 }).dsm;
  const dsm = { ...input.survey.dsm, coarse };
  const { figures } = measureVolume({ ...input, survey: { ...input.survey, dsm } });
  const plain = first.figures;
  const lossM3 = plain.netM3 - measureVolume(heapInput({ heightM: 2.6 })).figures.netM3;
  const addedM3 = 0.15 * (lossM3 - 0.08 * plain.netM3);
  expect(addedM3).toBeGreaterThan(3);
  expect(figures.roundedOffM3).toBeCloseTo(addedM3, 3);
  expect(figures.netM3).toBeCloseTo(plain.netM3 + addedM3, 3);
  expect(figures.netM3).toBeCloseTo(figures.cutM3 - figures.fillM3, 9);
  expect(figures.fillM3).toBe(plain.fillM3);
  expect(figures.warnings).toEqual([
    expect.stringMatching(/^RESOLUTION_DEPENDENT.*rounded_off_m3/),
  ]);
  expect(plain.roundedOffM3).toBe(0);
});

it("a measurement of a volume measures a cone in its own frame, on the survey's cells, and makes the datum", () => {
  const { figures } = first;
  expect(Math.abs(figures.netM3 - coneM3(3.6))).toBeLessThan(TOLERANCE_M3);
  expect(figures.netM3).toBeCloseTo(figures.cutM3 - figures.fillM3, 9);
  // A polygon of 48 corners in a circle of 7 m: 24 r2 sin(2 pi / 48).
  expect(figures.areaM2).toBeCloseTo(24 * 49 * Math.sin(Math.PI / 24), 2);
  expect(figures).toMatchObject({
    isProposed: false,
    alignment: "first",
    coverage: 1,
    interpolated: 0,
    footprint: HEAP_FOOTPRINT,
    base: { method: "plane", from: "this_epoch" },
    warnings: [],
  });
  expect(figures.datum).toMatchObject({
    id: "msr_first",
    base: { kind: "plane" },
    georeferencing: "rtk",
  });
  expect(figures.datum.grid.cellM).toBe(0.2);
  expect(figures.uncertainty.sigmaM3).toBeGreaterThan(0.1);
  expect(first.previous).toBeUndefined();
});

it("a measurement of a volume moves a footprint onto its heap where only GPS places the survey, and the frame with it", () => {
  const { figures, polygon } = measureVolume(
    heapInput({ georeferencing: "gps", offM: [2.5, -1.5, 0] }),
  );
  expect(Math.abs(figures.netM3 - coneM3(3.6))).toBeLessThan(TOLERANCE_M3);
  const middle = [0, 1].map((k) => polygon.reduce((sum, p) => sum + (p[k] ?? 0), 0) / 48);
  expect(Math.abs((middle[0] ?? 0) - 2.5)).toBeLessThan(0.6);
  expect(Math.abs((middle[1] ?? 0) + 1.5)).toBeLessThan(0.6);
  expect(figures.footprint).toBe(HEAP_FOOTPRINT);
  expect(figures.warnings).toEqual([expect.stringContaining("m beside the map")]);
  // The same place on the map, as the next epoch will find it.
  const again = planOfRing(figures.footprint, figures.datum.origin);
  for (const [i, [x, y]] of polygon.entries()) {
    expect(Math.hypot(x - (again[i]?.[0] ?? 0), y - (again[i]?.[1] ?? 0))).toBeLessThan(1e-6);
  }
});

it("a measurement of a volume fills holes for the volume, says how much, and keeps them in the surface", () => {
  const isHole = (x: number, y: number) => Math.hypot(x - 2, y) < 0.5;
  const { figures, surface, filled } = measureVolume(heapInput({ isHole }));
  const holes = surface.elevationM.filter((z, i) => {
    const { westM, northM, cellM, width } = surface;
    const x = westM + ((i % width) + 0.5) * cellM;
    const y = northM - (Math.floor(i / width) + 0.5) * cellM;
    return Number.isNaN(z) && Math.hypot(x, y) < 7;
  }).length;
  // A circle of 0.5 m has 0.785 m2, 19.6 cells of 4 dm2.
  expect(holes).toBeGreaterThan(14);
  expect(holes).toBeLessThan(26);
  expect(filled.interpolated.reduce((sum, one) => sum + one, 0)).toBe(holes);
  expect(figures.coverage).toBe(1);
  expect(figures.interpolated).toBeCloseTo((holes * 0.04) / figures.areaM2, 6);
});

describe("a later epoch", () => {
  it("a later epoch of another origin, metres off in height, is measured on the base of the first", () => {
    const later = second({
      heightM: 2.4,
      originM: [35, -20, 12],
      offM: [0, 0, 6.5],
      georeferencing: "gps",
    });
    const { figures } = later;
    expect(figures).toMatchObject({
      alignment: "stable_ground",
      datum: first.figures.datum,
      base: { method: "plane", from: "first_epoch" },
      warnings: [],
    });
    // What the plane is off by cancels: 0.3 m3 are 2 mm of level.
    const change = figures.netM3 - first.figures.netM3;
    expect(Math.abs(change - (coneM3(2.4) - coneM3(3.6)))).toBeLessThan(0.6);
    expect(later.previous?.width).toBe(later.surface.width);
  });

  it("a later epoch of an emptied place is nothing, give or take, and no bad base", () => {
    const { figures } = second({ heightM: 0 });
    expect(figures.alignment).toBe("georeferenced");
    expect(Math.abs(figures.netM3)).toBeLessThan(TOLERANCE_M3);
  });

  it("a later epoch that nothing ties to the first makes a datum of its own, and says so", () => {
    // Of the ground, 47 m2 beyond the footprint: too little to locate the survey.
    const isHole = (x: number, y: number) => Math.hypot(x, y) > 8;
    const { figures } = second({ georeferencing: "gps", isHole });
    expect(figures).toMatchObject({
      alignment: "first",
      base: { from: "this_epoch" },
      datum: { id: "msr_second" },
      warnings: [expect.stringContaining("measured by itself")],
    });
  });
});

describe("gates", () => {
  const gate = (name: string) =>
    expect.objectContaining({ finding: expect.objectContaining({ gate: name }) });
  const measured = (input: MeasureSurfaceInput) => expect(() => measureVolume(input));

  it("a footprint beside the survey fails the gate POLYGON_OUTSIDE", () => {
    const beside: Ring = HEAP_FOOTPRINT.map(([lon, lat]) => [lon + 0.01, lat] as const);
    measured(heapInput({}, { footprint: beside })).toThrow(gate("POLYGON_OUTSIDE"));
  });

  it("a tenth of the footprint without heights fails the gate COVERAGE", () => {
    const isHole = (x: number, y: number) => Math.hypot(x, y) < 2.3;
    measured(heapInput({ isHole })).toThrow(gate("COVERAGE"));
  });

  it("ground as rough as the heap is high fails the gate BASE_BAD", () => {
    const rise = (x: number, y: number) => (Math.hypot(x, y) > 6 ? 0.4 * Math.sin(5 * x) : 0);
    measured(heapInput({ heightM: 1, rise })).toThrow(gate("BASE_BAD"));
  });
});

describe("a footprint inside the toe", () => {
  /** A footprint of 48 corners in a circle of so many metres. */
  const circle = (radiusM: number): Ring =>
    ringOfPlan(
      Array.from({ length: 48 }, (_, k) => {
        const angle = (k / 24) * Math.PI;
        return [radiusM * Math.cos(angle), radiusM * Math.sin(angle)] as const;
      }),
      SITE,
    );

  it("a footprint inside the toe of 1 m is named, the toe is proposed, and the interval holds the heap", () => {
    for (const seed of someOf([1, 2, 3])) {
      const { figures } = measureVolume(heapInput({ seed }, { footprint: circle(5) }));
      // 28 % are missing: 8 % outside, and the base lies on the flank.
      expect(figures.netM3 / coneM3(3.6)).toBeLessThan(0.77);
      expect(figures.warnings).toEqual([
        expect.stringMatching(/^FOOTPRINT_INSIDE: 3\d(\.\d)? m3 of the heap lie outside/),
      ]);
      const off = coneM3(3.6) - figures.netM3;
      expect(off).toBeLessThan(1.96 * figures.uncertainty.sigmaM3);
      // Drawn again as it is proposed, the heap is as large as it is, and nothing is left to say.
      const again = measureVolume(heapInput({ seed }, { footprint: figures.toeFootprint }));
      expect(Math.abs(again.figures.netM3 - coneM3(3.6))).toBeLessThan(TOLERANCE_M3);
      expect(again.figures.warnings).toEqual([]);
      expect(again.figures.toeFootprint).toBeUndefined();
    }
  });

  it("a footprint inside the toe that lies before the crest is named, and the interval holds the heap", () => {
    const beside = planOfRing(circle(7), SITE).map(([x, y]) => [x + 8, y] as const);
    const { figures } = measureVolume(heapInput({}, { footprint: ringOfPlan(beside, SITE) }));
    expect(figures.netM3 / coneM3(3.6)).toBeLessThan(0.5);
    expect(figures.warnings).toEqual([expect.stringMatching(/^FOOTPRINT_INSIDE: /)]);
    expect(coneM3(3.6) - figures.netM3).toBeLessThan(1.96 * figures.uncertainty.sigmaM3);
  });

  it("a footprint inside the toe is distinguished from sloping ground and from another heap beside it", () => {
    const slope = measureVolume(heapInput({ rise: (x) => 0.1 * x }));
    expect(slope.figures.warnings).toEqual([]);
    const rise = (x: number, y: number) => 4 * Math.max(0, 1 - Math.hypot(x - 13, y) / 6);
    const beside = measureVolume(heapInput({ rise }));
    expect(beside.figures.warnings).toEqual([]);
  });

  it("a footprint inside the toe where the heap has grown over it since: the kept base is that of the toe, too", () => {
    const { figures } = second({
      heightM: 3.6,
      rise: (x, y) => 2 * Math.max(0, 1 - Math.hypot(x, y) / 12),
    });
    expect(figures.base.from).toBe("first_epoch");
    expect(figures.warnings.join()).not.toMatch(/FOOTPRINT_INSIDE/);
    const steep = second({ rise: (x, y) => 6 * Math.max(0, 1 - Math.hypot(x, y) / 12) });
    expect(steep.figures.warnings).toEqual([expect.stringMatching(/^FOOTPRINT_INSIDE/)]);
  });
});

describe("advice about a surface that was given", () => {
  const given = { georeferencing: "given" } as const;
  it("advice about a surface that was given speaks of the raster, and not of flights", () => {
    const beside: Ring = HEAP_FOOTPRINT.map(([lon, lat]) => [lon + 0.01, lat] as const);
    const isHole = (x: number, y: number) => Math.hypot(x, y) < 2.3;
    const said = [
      () => measureVolume(heapInput(given, { footprint: beside })),
      () => measureVolume(heapInput({ ...given, isHole })),
      () => measureVolume(heapInput({ ...given, heightM: 0 }, { footprint: undefined })),
    ].map((measure) => {
      try {
        measure();
        return "";
      } catch (error) {
        return String(error);
      }
    });
    expect(said).toEqual([
      expect.stringMatching(/lies outside of the raster/),
      expect.stringMatching(/has no heights in the rest/),
      expect.stringMatching(/No heap stands out in this surface/),
    ]);
    expect(said.join()).not.toMatch(/fly|flown|images|strips/i);
    const { figures } = measureVolume(heapInput(given));
    expect(accuracyNote(figures.uncertainty)).toMatch(/nobody says how the surface was made/);
    expect(accuracyNote(figures.uncertainty)).not.toMatch(/flying|oblique/);
  });
});

describe("a base that is given", () => {
  it("a base that is given is a level in the heights of the survey, as sure as they are", () => {
    const base = { method: "level", height_m: SITE.heightM + GROUND_M - 0.5 } as const;
    const { figures } = measureVolume(heapInput({}, { base }));
    const expected = coneM3(3.6) + 0.5 * figures.areaM2;
    expect(Math.abs(figures.netM3 - expected)).toBeLessThan(TOLERANCE_M3);
    expect(figures.base).toEqual({ method: "level", nmad_m: 0, from: "given" });
    expect(figures.uncertainty.terms.base).toBe(0);
    const loose = measureVolume(heapInput({ georeferencing: "gps" }, { base }));
    // 3 m of height that a consumer receiver is not sure of.
    expect(loose.figures.uncertainty.terms.base).toBeCloseTo(3 * figures.areaM2, 6);
  });

  it("a base that is given is a survey of the empty place, onto which the heap's is brought", () => {
    const { origin, dsm } = heapSurvey({ heightM: 0, originM: [4, 3, -2], seed: 9 });
    const { figures } = measureVolume(
      heapInput(
        { georeferencing: "gps", offM: [0, 0, 1.7] },
        { base: { method: "survey", surface_key: "grounds/a.tif" }, ground: { origin, dsm } },
      ),
    );
    expect(figures).toMatchObject({
      alignment: "stable_ground",
      base: { method: "survey", from: "given" },
      datum: { base: { kind: "survey", surfaceKey: "grounds/a.tif" } },
    });
    // The rolling ground cancels.
    expect(Math.abs(figures.netM3 - coneM3(3.6))).toBeLessThan(0.6);
  });
});

describe("without a footprint", () => {
  it("one is proposed along the toe, and other stockpiles' are left alone", () => {
    const { figures } = measureVolume(heapInput({}, { footprint: undefined }));
    expect(figures.isProposed).toBe(true);
    expect(figures.footprint.length).toBeGreaterThan(8);
    expect(figures.footprint[0]).toEqual(figures.footprint.at(-1));
    expect(Math.abs(figures.netM3 - coneM3(3.6))).toBeLessThan(TOLERANCE_M3);
    const others = [HEAP_FOOTPRINT];
    const beside = heapInput({}, { footprint: undefined, otherFootprints: others });
    expect(() => measureVolume(beside)).toThrow(
      expect.objectContaining({ code: "IMAGES_UNUSABLE" }),
    );
  });

  it("an empty place is refused in words", () => {
    expect(() => measureVolume(heapInput({ heightM: 0 }, { footprint: undefined }))).toThrow(
      "draw its footprint",
    );
  });
});

it("rings are planned and unplanned again to a tenth of a millimetre", () => {
  const plan = [
    [120, -80],
    [0, 0],
    [-40, 25.5],
  ] as const;
  const ring = ringOfPlan(plan, SITE);
  expect(ring).toHaveLength(4);
  expect(ring[3]).toEqual(ring[0]);
});

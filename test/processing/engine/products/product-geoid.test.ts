import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useGridFolder } from "../../../../processing/coordinates/grid-folder.ts";
import { finishGivenSurface } from "../../../../processing/engine/given-surface.ts";
import { productGeoid } from "../../../../processing/engine/products/product-geoid.ts";
import {
  originHeightM,
  type ProductInput,
  surfaceMap,
} from "../../../../processing/engine/products/product-input.ts";
import type { SurveyRun } from "../../../../processing/engine/run/survey-run.ts";
import { verticalDatum } from "../../../../processing/photogrammetry/products/map/height-system.ts";
import { elevationOnMap } from "../../../../processing/photogrammetry/products/resample-products.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { BOUNDLESS_DISK } from "../../../../storage/disk/disk-space.ts";
import { smallSurvey } from "../../photogrammetry/products/small-survey.ts";

/** 45.25 m at the south-west node of one degree around the site, a metre more a degree to the north. */
const SOUTH_M = 45.25;

let dir: string;
const survey = () => smallSurvey("site", ["A.JPG", "B.JPG", "C.JPG", "D.JPG"]);
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "product-geoid-"));
  const { latDeg, lonDeg } = survey().origin;
  const bytes = Buffer.alloc(40 + 16);
  [latDeg - 0.5, lonDeg - 0.5, 1, 1].forEach((value, i) => {
    bytes.writeDoubleBE(value, 8 * i);
  });
  bytes.writeInt32BE(2, 32);
  bytes.writeInt32BE(2, 36);
  [SOUTH_M, SOUTH_M, SOUTH_M + 1, SOUTH_M + 1].forEach((value, i) => {
    bytes.writeFloatBE(value, 40 + 4 * i);
  });
  await writeFile(join(dir, "site.gtx"), bytes);
  useGridFolder(dir);
});
afterAll(async () => {
  useGridFolder(undefined);
  await rm(dir, { recursive: true });
});

function placedBy(scaleFrom: "rtk" | "gps" | "control_points"): Reconstruction {
  const { reconstruction } = survey();
  if (reconstruction === undefined) throw new Error("it has cameras");
  const held = {
    rtk: { isHeldByRtk: true },
    control_points: { isHeldByControl: true },
    gps: {},
  } as const;
  const summary = { ...reconstruction.summary, scaleFrom, ...held[scaleFrom] };
  return { ...reconstruction, summary };
}

it("heights of an RTK flight are reduced by the geoid, cell by cell, and say so", async () => {
  const input = { ...survey(), engine: "local", ortho: undefined } as const;
  const reconstruction = placedBy("rtk");
  const { geoid, findings } = await productGeoid("SITE.gtx", input.origin, input.dsm, {
    reconstruction,
  });
  expect(findings).toEqual([]);
  const reduced = { ...input, reconstruction, geoidPatch: geoid, geoid: geoid?.name };
  expect(verticalDatum(reduced)).toEqual({
    kind: "geoid",
    name: "above the geoid of the grid SITE.gtx",
  });
  expect(originHeightM(reduced)).toBeCloseTo(input.origin.heightM - SOUTH_M - 0.5, 4);
  const [plain, lowered] = [input, reduced].map((one) => elevationOnMap(one.dsm, surfaceMap(one)));
  const falls = [...(plain ?? [])].flatMap((z, i) =>
    Number.isNaN(z) ? [] : [z - (lowered?.[i] ?? Number.NaN)],
  );
  expect(falls.length).toBeGreaterThan(100);
  for (const fall of falls) expect(fall).toBeCloseTo(SOUTH_M + 0.5, 3);
});

it.each([
  ["gps", "site.gtx", /relative/],
  ["control_points", "site.gtx", /height system of the control points/],
  ["rtk", "other.gtx", /not in the folder of grids/],
] as const)("placed by %s and asked for %s, heights stay as they are with a warning", async (from, name, why) => {
  const { origin, dsm } = survey();
  const reconstruction = placedBy(from);
  const { geoid, findings } = await productGeoid(name, origin, dsm, { reconstruction });
  expect(geoid).toBeUndefined();
  expect(findings).toMatchObject([
    { gate: "GEOID_UNUSED", severity: "warn", advice: expect.stringMatching(why) },
  ]);
});

it("a given surface that states ellipsoidal heights is reduced in all of its products", async () => {
  const { origin, dsm } = survey();
  const asked: ProductInput[] = [];
  const run = {
    input: { name: "given", outDir: dir, geoidGrid: "site.gtx" },
    pool: {
      async run(_task: unknown, input: ProductInput) {
        asked.push(input);
        return {};
      },
    },
    disk: BOUNDLESS_DISK,
    signal: new AbortController().signal,
    advance: () => undefined,
    once: async (_stage: unknown, _keys: unknown, work: () => Promise<unknown>) => ({
      value: await work(),
    }),
    timings: () => [],
  } as unknown as SurveyRun;
  const heightDatum = { name: "above the ellipsoid of EPSG:4979", isEllipsoidal: true };
  const value = { origin, dsm, ortho: undefined, stepM: 0, heightDatum, findings: [] };
  const facts = { engine: "precomputed", images: [], refused: [], findings: [] } as const;
  const surface = { key: "k", value } as unknown as Parameters<typeof finishGivenSurface>[1];
  const result = await finishGivenSurface(run, surface, facts);
  expect(result.findings).toEqual([]);
  expect(verticalDatum(result)).toMatchObject({ kind: "geoid" });
  expect(asked).toHaveLength(5);
  for (const product of asked) {
    expect(originHeightM(product)).toBeCloseTo(origin.heightM - SOUTH_M - 0.5, 4);
  }
});

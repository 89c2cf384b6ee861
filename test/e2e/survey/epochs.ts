import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SurveyResult } from "../../../processing/engine/port/engine.ts";
import { createEnuFrame } from "../../../processing/geometry/enu.ts";
import { fitSimilarity } from "../../../processing/geometry/fit-similarity.ts";
import { betweenFrames } from "../../../processing/geometry/similarity.ts";
import type { ElevationGrid } from "../../../processing/grid/elevation-grid.ts";
import { isInside } from "../../../processing/grid/inside-polygon.ts";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";
import { imageFilesOf } from "../../../processing/images/files/folder-files.ts";
import type { ImageFile } from "../../../processing/images/files/image-file.ts";
import { upperMedian } from "../../../processing/numeric/median.ts";
import {
  alignOnStableGround,
  type GroundAlignment,
  JOINT_PRIOR,
} from "../../../processing/volume/alignment/align-on-stable-ground.ts";
import { resampleSurface } from "../../../processing/volume/alignment/resample-surface.ts";
import { fitBasePlane } from "../../../processing/volume/base/base-plane.ts";
import { fillFootprint } from "../../../processing/volume/footprint/fill-footprint.ts";
import { volumeAbove } from "../../../processing/volume/volume-above.ts";
import {
  changeUncertainty,
  volumeUncertainty,
} from "../../../processing/volume/volume-uncertainty.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** Enough for four piles; the receiver is off by another 1.2 m (2.5 m in height) at each epoch. */
const SITE = { images: 20, widthPx: 1_000, gps: "bias" } as const;

/** Orthophotos are checked elsewhere, and fewer keypoints hold 20 images as well. */
const PROFILE = { orthoCellGsd: 8, maxKeypoints: 1_200 };

/** Change of volume between two epochs with consumer GPS, by joint adjustment and by stable ground. */
export const epochs: Check = {
  name: "epochs",
  about:
    "two epochs of 20 images with consumer GPS: change of volume, jointly and on stable ground",
  async run({ print }) {
    const [before, after] = [
      await surveySet({ ...SITE, epoch: 1 }),
      await surveySet({ ...SITE, epoch: 2 }),
    ];
    const bench = await openSurveyBench();
    const cpuS = process.cpuUsage().user / 1e6;
    try {
      const companions = await imageFilesOf(before.folder);
      const first = await bench.run(before.folder, { profile: PROFILE });
      const joint = await bench.run(after.folder, { profile: PROFILE, input: { companions } });
      const alone = await bench.run(after.folder, { profile: PROFILE });
      const site = pilesOf(before, after, first);

      const shared = sharedCameras(first, joint);
      const similarity = fitSimilarity(shared.from, shared.to);
      if (similarity === undefined) throw new Error("the epochs share no cameras");
      const spread = stableSpread(
        first.dsm,
        resampleSurface(joint.dsm, first.dsm, similarity),
        site,
      );
      print(
        `${joint.companions?.length} of ${companions.length} companions, similarity of ${similarity.used} ` +
          `cameras: rms ${(100 * similarity.rmsM).toFixed(2)} cm, scale ${similarity.scale.toFixed(5)}; ` +
          `ground: median ${(100 * spread.medianM).toFixed(2)} cm, NMAD ${(100 * spread.nmadM).toFixed(2)} cm`,
      );
      const polygons = site.map(({ polygon }) => polygon);
      const jointly = alignOnStableGround(joint.dsm, first.dsm, polygons, {
        start: similarity,
        prior: JOINT_PRIOR,
      });
      const apart = alignOnStableGround(alone.dsm, first.dsm, polygons, {
        start: betweenFrames(alone.origin, first.origin),
      });
      return [
        holds("every companion has a camera", joint.companions?.length === SITE.images),
        holds("the new images alone are counted", joint.images.length === SITE.images),
        // Both adjustments hold a camera to 1 cm by 0.2 px; nothing at all would be the same adjustment.
        within("cameras of both adjustments, rms", 100 * similarity.rmsM, 0.2, 3, "cm"),
        within("stable ground after the similarity, NMAD", 100 * spread.nmadM, 0.3, 2, "cm"),
        ...changes("joint_adjustment", first, joint, jointly, site, print),
        ...changes("stable_ground", first, alone, apart, site, print),
        ...(await badCompanions(bench, after, alone)),
        ...(await sameBytes()),
      ];
    } finally {
      await bench.close();
      print(`${(process.cpuUsage().user / 1e6 - cpuS).toFixed(0)} s of CPU`);
    }
  },
};

interface SitePile {
  readonly id: string;
  /** In the frame of the first epoch. */
  readonly polygon: PlanPolygon;
  readonly changeM3: number;
}

function pilesOf(
  before: SurveySet,
  after: SurveySet,
  { origin }: SurveyResult,
): readonly SitePile[] {
  const frame = createEnuFrame(origin);
  return before.truth.piles.map(({ id, outlineLonLat, volumeM3 }, i) => ({
    id,
    polygon: outlineLonLat.map(([lonDeg, latDeg]) => {
      const [x, y] = frame.toEnu({ lonDeg, latDeg, heightM: origin.heightM });
      return [x, y] as const;
    }),
    changeM3: (after.truth.piles[i]?.volumeM3 ?? 0) - volumeM3,
  }));
}

/** Centres of the cameras that both adjustments have: in the joint frame, and in the first. */
function sharedCameras(first: SurveyResult, joint: SurveyResult) {
  const there = new Map(
    first.reconstruction?.cameras.map(({ image, pose }) => [
      first.images[image]?.sha256 ?? "",
      pose.centre,
    ]),
  );
  const pairs = (joint.companions ?? []).flatMap(({ sha256, centre }) => {
    const other = there.get(sha256);
    return other === undefined ? [] : [{ centre, other }];
  });
  return {
    from: Float64Array.from(pairs.flatMap(({ centre }) => centre)),
    to: Float64Array.from(pairs.flatMap(({ other }) => other)),
  };
}

/** Height differences outside of the piles; what else changed is far out and moves a median by little. */
function stableSpread(first: ElevationGrid, other: ElevationGrid, site: readonly SitePile[]) {
  const differences: number[] = [];
  first.elevationM.forEach((z, cell) => {
    const x = first.westM + ((cell % first.width) + 0.5) * first.cellM;
    const y = first.northM - (Math.floor(cell / first.width) + 0.5) * first.cellM;
    const difference = (other.elevationM[cell] ?? Number.NaN) - z;
    if (Number.isNaN(difference) || site.some(({ polygon }) => isInside(polygon, x, y))) return;
    differences.push(difference);
  });
  const medianM = upperMedian(differences) ?? Number.NaN;
  const deviations = differences.map((d) => Math.abs(d - medianM));
  return { medianM, nmadM: 1.4826 * (upperMedian(deviations) ?? Number.NaN) };
}

/** Change of each pile on the first epoch's grid and base, against truth and its own 95 %. */
function changes(
  kind: "joint_adjustment" | "stable_ground",
  first: SurveyResult,
  second: SurveyResult,
  aligned: GroundAlignment | undefined,
  site: readonly SitePile[],
  print: (line: string) => void,
): readonly Expectation[] {
  if (aligned === undefined) return [holds(`${kind}: the surfaces are aligned`, false)];
  const { shiftM, turnRad, nmadM, sigmaCoregM, sigma, stableShare } = aligned;
  print(
    `${kind}: moved by ${shiftM.map((v) => v.toFixed(3)).join(", ")} m and ${((180 * turnRad) / Math.PI).toFixed(2)} ` +
      `degrees; NMAD ${(100 * nmadM).toFixed(2)} cm, ${(100 * stableShare).toFixed(0)} % stable, ` +
      `level known to ${(100 * sigmaCoregM).toFixed(2)} cm`,
  );
  const surface = resampleSurface(second.dsm, first.dsm, aligned.transform);
  const errors: number[] = [];
  const found = site.map(({ id, polygon, changeM3 }) => {
    const base = fitBasePlane(first.dsm, polygon);
    if (base === undefined) throw new Error("no ground around a pile");
    const measured = [first, second].map((survey, epoch) => {
      const filled = fillFootprint(epoch === 0 ? first.dsm : surface, polygon);
      const volume = volumeAbove(filled.surface, polygon, base);
      return volumeUncertainty({
        volume,
        base,
        filled,
        polygon,
        gsdM: survey.dsm.cellM / 4,
        adjustment: survey.reconstruction?.summary,
        scaleSigma: first.reconstruction?.summary.scaleSigma,
        alignment:
          epoch === 0
            ? { kind: "first", heightSigmaM: 0, planSigmaM: 0 }
            : {
                kind,
                heightSigmaM: sigmaCoregM,
                planSigmaM: Math.max(sigma.eastM, sigma.northM),
              },
      });
    });
    const [one, two] = measured;
    if (one === undefined || two === undefined) throw new Error("two epochs");
    const { sigmaM3 } = changeUncertainty(two, {
      current_volume_m3: one.volumeM3,
      sigma_m3: one.sigmaM3,
      uncertainty_terms: one.terms,
    });
    const change = two.volumeM3 - one.volumeM3;
    const bound = 1.96 * sigmaM3;
    errors.push(change - changeM3);
    print(
      `${kind} ${id}: ${change.toFixed(2)} m3 +- ${bound.toFixed(2)} (95 %), truth ${changeM3.toFixed(2)} m3`,
    );
    return { id, isWithin: Math.abs(change - changeM3) <= bound, bound, change };
  });
  const worst = Math.max(...errors.map(Math.abs));
  return [
    ...found.map(({ id, isWithin }) => holds(`${kind}: change of ${id} within its 95 %`, isWithin)),
    // Noise of 0.7 cm a surface over 110 m2 is 1 m3; none at all would be the same surface.
    within(`${kind}: change of a pile, worst error`, worst, 0.01, 3, "m3"),
  ];
}

/** Faults of companions do not affect the survey: its bytes are those without any. */
async function badCompanions(
  bench: Awaited<ReturnType<typeof openSurveyBench>>,
  { folder }: SurveySet,
  alone: SurveyResult,
): Promise<readonly Expectation[]> {
  const elsewhere = await imageFilesOf((await surveySet({ ...TINY_SURVEY, seed: 2 })).folder);
  const gone: readonly ImageFile[] = elsewhere.map((file, i) => ({
    ...file,
    path: `${file.path}.gone`,
    sha256: i.toString(16).padStart(64, "0"),
  }));
  const wanted = await digest(alone);
  const expectations: Expectation[] = [];
  for (const [name, companions] of [
    ["that are gone", gone],
    ["of another site", elsewhere],
  ] as const) {
    const result = await bench.run(folder, { profile: PROFILE, input: { companions } });
    const isSame = (await digest(result)) === wanted && result.companions === undefined;
    expectations.push(holds(`companions ${name} leave the survey as it is without`, isSame));
  }
  return expectations;
}

/** Two runs with companions, on one thread and on two, from nothing, end with the same bytes. */
async function sameBytes(): Promise<readonly Expectation[]> {
  const before = await surveySet(TINY_SURVEY);
  const after = await surveySet({ ...TINY_SURVEY, epoch: 2 });
  const companions = await imageFilesOf(before.folder);
  const digests: string[] = [];
  let oriented = 0;
  for (const threads of [1, 2]) {
    const bench = await openSurveyBench(threads);
    try {
      const result = await bench.run(after.folder, { profile: PROFILE, input: { companions } });
      oriented = result.companions?.length ?? 0;
      digests.push(await digest(result));
    } finally {
      await bench.close();
    }
  }
  return [
    within("companions of the smallest survey that are oriented", oriented, 10, 12),
    holds("two runs with companions give the same bytes", digests[0] === digests[1]),
  ];
}

/** Of surface and report, and of the companions' positions. */
async function digest({ products, companions }: SurveyResult): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(companions ?? []));
  for (const path of [products.dsm, products.reportJson]) hash.update(await readFile(path));
  return hash.digest("hex");
}

import { DomainError } from "../../domain/errors.ts";
import { type GateFinding, GateRefusal } from "../gates/gates.ts";
import { passGates } from "../gates/pass-gates.ts";
import { checkAdjustment } from "../photogrammetry/checks/check-adjustment.ts";
import { contradictedControl } from "../photogrammetry/checks/check-control.ts";
import { checkImages } from "../photogrammetry/checks/check-images.ts";
import { checkMatching } from "../photogrammetry/checks/check-matching.ts";
import { checkSurface, surveyedShare } from "../photogrammetry/checks/check-surface.ts";
import { planSurface } from "../photogrammetry/dense/surface-plan.ts";
import { overlapByTags } from "../photogrammetry/matching/select-pairs.ts";
import {
  inPhotoPixels,
  photoPx,
  type SurveyResolution,
} from "../photogrammetry/reconstruction/photo-pixels.ts";
import type { Reconstruction } from "../photogrammetry/reconstruction/reconstruction.ts";
import { surveyedCells } from "../photogrammetry/reconstruction/surveyed-cells.ts";
import type { WorkerPool } from "../pool/pool.ts";
import { placingControl } from "./local/control.ts";
import { type DecodedImages, withDecodedImages } from "./local/decoded-images.ts";
import { matchSurface } from "./local/dense-stage.ts";
import { orientWithEarlier } from "./local/earlier-flight.ts";
import { findKeypoints } from "./local/feature-stage.ts";
import { matchBlock } from "./local/match-stage.ts";
import { fitSizes, surveyBytes } from "./local/memory-estimate.ts";
import { orientBlock } from "./local/orient-stage.ts";
import { paintOrtho } from "./local/ortho-stage.ts";
import { surfaceImages } from "./local/surface-images.ts";
import { planBlock, type SurveyBlock } from "./local/survey-block.ts";
import { withKnownNames } from "./port/control-names.ts";
import type { SurveyEngine, SurveyResult } from "./port/engine.ts";
import { writeProducts } from "./product-stage.ts";
import { productGeoid } from "./products/product-geoid.ts";
import { productMap } from "./products/product-input.ts";
import { namingUses } from "./run/naming-uses.ts";
import { type ReadSurvey, readSurvey } from "./run/read-survey.ts";
import type { StageStores } from "./run/stage-stores.ts";
import { createSurveyRun, type SurveyRun } from "./run/survey-run.ts";

/** Shares of the time by stage, %: 36 images of 1200 px on two threads, between the profiles. */
const WEIGHTS = {
  images: 5,
  keypoints: 23,
  matching: 18,
  orientation: 6,
  surface: 27,
  orthophoto: 10,
  products: 11,
};

/** Works on surveys in this process's pool (docs/photogrammetry.md#stages). */
export function createLocalEngine({
  pool,
  stages,
}: {
  readonly pool: WorkerPool;
  readonly stages: StageStores;
}): SurveyEngine {
  return {
    name: "local",
    async process(asked, options) {
      const input = withKnownNames(asked);
      const store = await stages.open(input.workDir);
      const run = createSurveyRun(input, pool, store, { ...options, weights: WEIGHTS });
      try {
        return await workOn(run);
      } finally {
        run.end();
      }
    },
  };
}

async function workOn(run: SurveyRun): Promise<SurveyResult> {
  const findings: GateFinding[] = [];
  const pass = (found: readonly GateFinding[]) => passGates(findings, found);

  const survey = await readSurvey(run);
  return await namingUses(survey, () => makeSurvey(run, survey, findings, pass));
}

/** From images to surface and orthophoto. */
async function makeGrids(
  run: SurveyRun,
  decoded: DecodedImages,
  survey: ReadSurvey,
  findings: readonly GateFinding[],
  pass: (found: readonly GateFinding[]) => void,
) {
  const { input, pool } = run;
  const { images } = survey;
  const placedBy = placingControl(input.controlPoints, images);
  const isPlacedByControl = placedBy.length > 0;
  const checked = checkImages(images, { isPlacedByControl });
  pass(checked.findings);
  const { workingWidthPx, surfaceWidthPx } = fitSizes(images, input.profile, pool);
  await run.hold(surveyBytes(images, { ...input.profile, surfaceWidthPx }));
  const { block, findings: ofLenses } = planBlock(
    survey,
    checked.leftOut,
    workingWidthPx,
    placedBy,
  );
  pass(ofLenses);

  const isDecodedOnce = workingWidthPx === surfaceWidthPx;
  const keypoints = await findKeypoints(run, block, isDecodedOnce ? decoded : undefined);
  const matches = await matchBlock(run, block, keypoints);
  const names = block.images.map(({ name }) => name);
  const expectedOverlap = isPlacedByControl
    ? undefined
    : overlapByTags(block.images, block.priors, block.lenses.lenses);
  const matched = checkMatching({ names, ...matches.value, expectedOverlap });
  pass(matched.findings);

  const { leftOut } = matched;
  const own = { block, workingWidthPx, keypoints, matches, leftOut };
  const joint = await orientWithEarlier(run, own);
  const oriented = joint?.oriented ?? (await orientBlock(run, block, keypoints, matches, leftOut));
  const { reconstruction, tags } = oriented.value;
  if (reconstruction === undefined) {
    const { contradictedRmsM } = oriented.value;
    throw new GateRefusal(
      contradictedRmsM === undefined ? NO_BLOCK : contradictedControl(contradictedRmsM),
      findings,
    );
  }
  const namesOf = (found: readonly number[]) => found.map((i) => names[i] ?? "");
  const { flipped, conflicting } = tags;
  const conflicts = { flipped: namesOf(flipped), conflicting: namesOf(conflicting) };
  const fullWidthPx = block.images.map(({ widthPx }) => widthPx);
  pass(checkAdjustment(reconstruction, names, conflicts, fullWidthPx));

  const painted = surfaceImages(block, reconstruction, surfaceWidthPx);
  const surface = await matchSurface(run, decoded, painted, oriented.key, workingWidthPx);
  const dsm = surface.value;
  const { groundM, gsdM } = planSurface(painted.reconstruction);
  const coverage = surveyedShare(dsm, surveyedCells(dsm, reconstruction, groundM));
  pass(checkSurface(coverage));

  const ortho = await paintOrtho(run, decoded, surface, painted, gsdM);
  return { block, reconstruction, companions: joint?.companions, dsm, gsdM, coverage, ortho };
}

async function makeSurvey(
  run: SurveyRun,
  survey: ReadSurvey,
  findings: readonly GateFinding[],
  pass: (found: readonly GateFinding[]) => void,
): Promise<SurveyResult> {
  const { input } = run;
  const { images } = survey;
  const { block, reconstruction, companions, dsm, gsdM, coverage, ortho } = await withDecodedImages(
    run,
    (decoded) => makeGrids(run, decoded, survey, findings, pass),
  );
  const { outputCrs, geoidGrid } = input;
  const { geoid, findings: ofGeoid } = await productGeoid(geoidGrid, block.origin, dsm, {
    reconstruction,
  });
  const photographed = inPhotoPixels(reconstruction, block.images);
  const resolution: SurveyResolution = {
    photoPx: photoPx(reconstruction, block.images),
    photoGsdM: planSurface(photographed).gsdM,
    matchedGsdM: gsdM,
  };
  const result = {
    engine: "local",
    images,
    origin: block.origin,
    reconstruction: inSurvey(photographed, block),
    resolution,
    dsm,
    ortho: ortho.value,
    findings: [...findings, ...productMap(outputCrs, block.origin).findings, ...ofGeoid],
    ...(geoid && { geoid: geoid.name }),
  } as const;
  const product = {
    name: input.name,
    coverage,
    refused: survey.refused,
    outputCrs,
    geoidPatch: geoid,
    ...result,
  };
  const products = await writeProducts(run, product, [ortho.key]);
  return {
    ...result,
    ...(companions && { companions }),
    refused: survey.refused,
    products,
    timings: run.timings(),
  };
}

/** What BA_FAILED says when hardly any camera is held by the others. */
const NO_BLOCK: GateFinding = {
  gate: "BA_FAILED",
  severity: "reject",
  value: 0,
  threshold: 3,
  unit: "oriented images",
  advice:
    "The images do not fit together into one model: look for gaps in the flight, moving objects, " +
    "wrong tags or another lens.",
  images: [],
};

/** Cameras by their index in the survey instead of that in the block. */
function inSurvey(reconstruction: Reconstruction, { surveyIndex }: SurveyBlock): Reconstruction {
  const cameras = reconstruction.cameras.map((camera) => {
    const image = surveyIndex[camera.image];
    if (image === undefined) throw new DomainError("TASK_FAILED", "a camera without an image");
    return { ...camera, image };
  });
  const { control } = reconstruction.summary;
  const summary = {
    ...reconstruction.summary,
    control: control && {
      ...control,
      points: control.points.map((point) => ({
        ...point,
        marks: point.marks.map((mark) => ({ ...mark, image: surveyIndex[mark.image] ?? -1 })),
      })),
    },
  };
  return { ...reconstruction, cameras, summary };
}

import type { JobId } from "../../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../../domain/sites/stockpile.ts";
import { PROFILES } from "../../../../processing/engine/port/profiles.ts";
import { measuredAtMs } from "../../../../processing/epoch/capture-time.ts";
import { kindOf, surveyFacts } from "../../../../processing/epoch/survey-facts.ts";
import { GateRefusal } from "../../../../processing/gates/gates.ts";
import { imageFilesOf } from "../../../../processing/images/files/folder-files.ts";
import { measuredStockpile } from "../../../../processing/measurement/measured-stockpile.ts";
import { measurementIdOf } from "../../../../processing/measurement/measurement-id.ts";
import type { StockpileDatum } from "../../../../processing/measurement/surface/datum.ts";
import { MEASURE_SURFACE } from "../../../../processing/measurement/surface/tasks.ts";
import type { TruePile } from "../../../../simulators/survey/truth/truth.ts";
import { drawnFootprint } from "../../../support/drawn-footprint.ts";
import { openSurveyBench, type SurveyBench } from "../../../support/run-survey.ts";
import { sampleMeasurement, sampleStockpile } from "../../../support/sample-stockpile.ts";
import { cameraScaleError } from "../../../support/survey-accuracy.ts";
import { type SurveySet, surveySet } from "../../../support/survey-sets.ts";
import type { VolumeKind } from "./kinds.ts";

/** One stockpile of one seed, as it is and as it was measured. One line of the file of results. */
export interface SeedResult {
  readonly seed: number;
  readonly kind: string;
  readonly pile: string;
  readonly trueM3: number;
  /** Why nothing was measured; then nothing follows. */
  readonly refusal?: string;
  readonly measurement?: Pick<
    StockpileMeasurement,
    | "current_volume_m3"
    | "sigma_m3"
    | "uncertainty_terms"
    | "alignment"
    | "georeferencing"
    | "warnings"
  >;
  /** Since the epoch before. */
  readonly change?: SeedChange;
  /** What the volume's error comes from: of the cameras' positions and of the focal length, relative. */
  readonly scale?: { readonly error: number; readonly sigma: number };
}

/** A change between two epochs, as it is and as it was measured. */
export interface SeedChange {
  readonly trueM3: number;
  readonly measuredM3: number;
  /** Of its stated 95 %. */
  readonly halfWidthM3: number;
  readonly isSignificant: boolean;
}

/** As `quick` works; the orthophoto, which no volume is read from, is coarse. */
const PROFILE = { ...PROFILES.quick, orthoCellGsd: 8 };

/** Surveys the site of a seed, once or twice, and measures a pile of it as the service does. */
export async function measureSeed(seed: number, kind: VolumeKind): Promise<SeedResult> {
  const { survey, earlier } = kind;
  const last = await surveySet({ ...survey, seed, epoch: earlier === undefined ? 1 : 2 });
  const pile = pileOf(last, kind, seed);
  const subject = {
    seed,
    kind: kind.name,
    pile: `${pile.id} ${pile.shape.kind}`,
    trueM3: pile.volumeM3,
  };
  const bench = await openSurveyBench();
  try {
    const stockpile = sampleStockpile({
      footprint: drawnFootprint(pile, last.truth),
      footprint_state: "confirmed",
    });
    if (earlier === undefined) {
      return { ...subject, ...(await measure(bench, last, stockpile, undefined)).outcome };
    }
    const first = await surveySet({ ...survey, seed, epoch: 1 });
    const before = await measure(bench, first, stockpile, undefined);
    const after = await measure(bench, last, before.stockpile, {
      ...before,
      set: first,
      ...earlier,
    });
    const { change_m3, change_95_m3 = Number.NaN, significant = false } = after.measurement;
    const trueBeforeM3 = pileOf(first, kind, seed).volumeM3;
    return {
      ...subject,
      ...after.outcome,
      change: {
        trueM3: pile.volumeM3 - trueBeforeM3,
        measuredM3: change_m3,
        halfWidthM3: change_95_m3,
        isSignificant: significant,
      },
    };
  } catch (error) {
    if (error instanceof GateRefusal) return { ...subject, refusal: error.message };
    throw error;
  } finally {
    await bench.close();
  }
}

function pileOf({ truth: { piles } }: SurveySet, { shape }: VolumeKind, seed: number): TruePile {
  const those = piles.filter((pile) => shape === undefined || pile.shape.kind === shape);
  const pile = those[seed % those.length];
  if (pile === undefined) throw new Error(`no pile of the site of seed ${seed} is a ${shape}`);
  return pile;
}

interface EarlierMeasurement {
  readonly set: SurveySet;
  readonly isKept: boolean;
  readonly measurement: StockpileMeasurement;
  readonly epoch: Uint8Array;
}

/** What a job of the kind `measure` does between fetching images and storing files. */
async function measure(
  bench: SurveyBench,
  set: SurveySet,
  stockpile: Stockpile,
  earlier: EarlierMeasurement | undefined,
) {
  const jobId = `job_${set.truth.options.epoch}` as JobId;
  const files = await imageFilesOf(set.folder);
  const companions = earlier?.isKept === true ? await imageFilesOf(earlier.set.folder) : [];
  const result = await bench.run(files, {
    profile: { ...PROFILE, workingWidthPx: Math.min(1_200, set.truth.options.widthPx) },
    input: { companions },
  });
  const survey = surveyFacts(result, files);
  const surface = await bench.pool.run(
    MEASURE_SURFACE,
    {
      measurementId: measurementIdOf(jobId),
      survey,
      base: stockpile.base,
      footprint: stockpile.footprint,
      otherFootprints: [],
      datum: stockpile.datum as StockpileDatum | undefined,
      earlier: earlier?.epoch,
      companions: companions.map(({ sha256, path }) => ({ sha256, kind: kindOf(path) })),
      ground: undefined,
    },
    new AbortController().signal,
  );
  const now = Date.now();
  const made = measuredStockpile(stockpile, {
    jobId,
    measuredAtMs: measuredAtMs(result.images, now),
    recordedAtMs: now,
    gsdM: survey.gsdM,
    georeferencing: survey.georeferencing,
    images: { given: files.length, oriented: survey.cameras.length, refused: result.refused },
    warnings: surface.figures.warnings,
    files: sampleMeasurement(stockpile, jobId).files,
    figures: surface.figures,
    history: { current: earlier?.measurement, earlier: undefined, later: undefined },
  });
  const { measurement } = made;
  const { current_volume_m3, sigma_m3, uncertainty_terms, alignment, georeferencing, warnings } =
    measurement;
  return {
    stockpile: made.stockpile,
    measurement,
    epoch: surface.epoch,
    outcome: {
      measurement: {
        current_volume_m3,
        sigma_m3,
        uncertainty_terms,
        alignment,
        georeferencing,
        warnings,
      },
      scale: {
        error: cameraScaleError(result, set),
        sigma: result.reconstruction?.summary.scaleSigma ?? Number.NaN,
      },
    },
  };
}

import type { Ring } from "../../../../domain/geometry/geofence.ts";
import type { JobId } from "../../../../domain/ids.ts";
import { SIGMAS_95 } from "../../../../domain/sites/measurement.ts";
import type { ControlPoint } from "../../../../processing/engine/port/engine.ts";
import { PROFILES } from "../../../../processing/engine/port/profiles.ts";
import { surveyFacts } from "../../../../processing/epoch/survey-facts.ts";
import { GateRefusal } from "../../../../processing/gates/gates.ts";
import { imageFilesOf } from "../../../../processing/images/files/folder-files.ts";
import { measurementIdOf } from "../../../../processing/measurement/measurement-id.ts";
import { MEASURE_SURFACE } from "../../../../processing/measurement/surface/tasks.ts";
import { openSurveyBench } from "../../../support/run-survey.ts";

/** A pile whose volume is known. */
export interface KnownPile {
  readonly shape: string;
  readonly trueM3: number;
  /** As a person draws it. */
  readonly footprint: Ring;
}

/** Photographs of known piles, whoever made them. */
export interface KnownSurvey {
  readonly folder: string;
  readonly widthPx: number;
  readonly controlPoints: readonly ControlPoint[];
  readonly piles: readonly KnownPile[];
}

/** One pile as it is and as the service measures it. */
export interface MeasuredPile {
  readonly shape: string;
  readonly trueM3: number;
  /** Absent: a gate refused it, and `gates` names which. */
  readonly measured?: {
    readonly netM3: number;
    /** Of the stated 95 %. */
    readonly halfWidthM3: number;
    /** The largest term of the uncertainty. */
    readonly mostly: string;
  };
  /** Names of the gates that refused or warned, of the survey and of the pile. */
  readonly gates: readonly string[];
}

/** Surveys these photographs as `quick` does, and measures every pile. */
export async function measurePiles(survey: KnownSurvey): Promise<readonly MeasuredPile[]> {
  const { folder, widthPx, controlPoints, piles } = survey;
  const bench = await openSurveyBench();
  const refused = ({ finding }: GateRefusal) =>
    piles.map(({ shape, trueM3 }) => ({ shape, trueM3, gates: [finding.gate] }));
  try {
    const files = await imageFilesOf(folder);
    const result = await bench.run(files, {
      profile: { ...PROFILES.quick, workingWidthPx: Math.min(1_200, widthPx) },
      input: { controlPoints },
    });
    const facts = surveyFacts(result, files);
    const surveyGates = result.findings.map(({ gate }) => gate);
    const found: MeasuredPile[] = [];
    for (const [i, { shape, trueM3, footprint }] of piles.entries()) {
      try {
        const { figures } = await bench.pool.run(
          MEASURE_SURFACE,
          {
            measurementId: measurementIdOf(`job_${i}` as JobId),
            survey: facts,
            base: { method: "plane" },
            footprint,
            otherFootprints: piles.filter((_, k) => k !== i).map((other) => other.footprint),
            ...{ datum: undefined, earlier: undefined, companions: [], ground: undefined },
          },
          new AbortController().signal,
        );
        const { terms, sigmaM3 } = figures.uncertainty;
        const [mostly] = Object.entries(terms).sort(([, a], [, b]) => b - a)[0] ?? ["nothing"];
        const measured = { netM3: figures.netM3, halfWidthM3: SIGMAS_95 * sigmaM3, mostly };
        const warned = figures.warnings.map(gateOf);
        found.push({ shape, trueM3, measured, gates: [...surveyGates, ...warned] });
      } catch (error) {
        if (!(error instanceof GateRefusal)) throw error;
        found.push({ shape, trueM3, gates: [...surveyGates, error.finding.gate] });
      }
    }
    return found;
  } catch (error) {
    if (error instanceof GateRefusal) return refused(error);
    throw error;
  } finally {
    await bench.close();
  }
}

/** Warnings begin with the name of their gate, if they are of one. */
function gateOf(warning: string): string {
  return /^([A-Z_]+)\b/.exec(warning)?.[1] ?? warning.slice(0, 40);
}

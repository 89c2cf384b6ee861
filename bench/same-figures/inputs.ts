import sharp from "sharp";
import {
  paintCameraSite,
  percentsAt,
  planCameraSite,
  zoneOutlines,
} from "../../simulators/camera-site/camera-site.ts";
import { drawConditions, referenceConditions } from "../../simulators/camera-site/conditions.ts";
import { CAMERA_SITE_DEFAULTS } from "../../simulators/camera-site/options.ts";
import { createRandom } from "../../simulators/randomness/random.ts";
import { type ProjectSet, projectSet } from "../../test/support/project-sets.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../test/support/survey-sets.ts";

/** Seeds of surveys that can be measured, with two piles or more each. */
const SURVEY_SEEDS = [7, 8];
const PROJECT = { weeks: 2, cameras: 0, images: 12, widthPx: 480, gps: "rtk" } as const;
/** Fewest labels of a camera that come to an interval are nine. */
const LABELS = 10;
/** Pictures that are estimated, as a share of the time of building. */
const TIMES = [0.33, 0.62];

/** A picture of a fixed camera, and the true percent of the one zone that is asked about. */
export interface Picture {
  readonly jpeg: Buffer;
  readonly time: number;
  readonly percent: number;
}

/** A fixed camera of one zone. */
export interface CameraPictures {
  readonly outline: readonly (readonly number[])[];
  readonly reference: Picture;
  readonly labelled: readonly Picture[];
  /** Those that are to be estimated. */
  readonly looks: readonly Picture[];
}

/** Photographs and pictures; each is simulated once, when one of both sides asks for it first. */
export interface Inputs {
  surveys(): Promise<readonly SurveySet[]>;
  project(): Promise<ProjectSet>;
  camera(): Promise<CameraPictures>;
}

/** Photographs stay among the temporary files: the next comparison finds them there. */
export const createInputs = (): Inputs => ({
  surveys: once(async () => {
    const surveys: SurveySet[] = [];
    for (const seed of SURVEY_SEEDS) surveys.push(await surveySet({ ...TINY_SURVEY, seed }));
    return surveys;
  }),
  project: once(() => projectSet({ ...PROJECT })),
  camera: once(cameraPictures),
});

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function cameraPictures(): Promise<CameraPictures> {
  const plan = planCameraSite({ ...CAMERA_SITE_DEFAULTS, seed: "same-figures" });
  const [outline] = zoneOutlines(plan);
  if (outline === undefined) throw new Error("a camera site without zones");
  const random = createRandom("same-figures-camera");
  const take = async (time: number, conditions: ReturnType<typeof drawConditions>) => {
    const percents = percentsAt(plan, time);
    const {
      widthPx: width,
      heightPx: height,
      pixels,
    } = paintCameraSite(plan, percents, conditions);
    const raw = { width, height, channels: 3 } as const;
    const jpeg = await sharp(pixels, { raw }).jpeg({ quality: 80 }).toBuffer();
    return { jpeg, time, percent: percents[0] ?? 0 };
  };
  const usual = (time: number) => take(time, drawConditions(random.fork(`${time}`), {}));
  const labelled: Picture[] = [];
  for (let i = 0; i < LABELS; i += 1) labelled.push(await usual((i + 0.5) / LABELS));
  const looks: Picture[] = [];
  for (const time of TIMES) looks.push(await usual(time));
  const reference = await take(0, referenceConditions(random.fork("reference")));
  return { outline, reference, labelled, looks };
}

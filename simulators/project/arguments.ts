import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type NumberRange, readNumber } from "../command-line/number-argument.ts";
import { SimulatorError } from "../command-line/simulator-error.ts";
import { gpsOf } from "../survey/options/arguments.ts";
import { GPS_MODES } from "../survey/options/options.ts";
import { MOST_CAMERAS } from "./camera/site-camera.ts";
import {
  BASELINES,
  type Baseline,
  PROJECT_DEFAULTS,
  type ProjectOptions,
  usualProjectObliques,
} from "./plan/options.ts";
import { ZONE_CODES } from "./zone/catalogue.ts";

const RANGES = {
  seed: { min: 0, max: 2 ** 32 - 1, whole: true },
  weeks: { min: 2, max: 52, whole: true },
  images: { min: 6, max: 200, whole: true },
  obliques: { min: 0, max: 200, whole: true },
  width: { min: 160, max: 4_000, whole: true },
  "gps-sigma": { min: 0.001, max: 50, whole: false },
  altitude: { min: 15, max: 120, whole: false },
  cameras: { min: 0, max: MOST_CAMERAS, whole: true },
  "camera-width": { min: 160, max: 4_000, whole: true },
  noise: { min: 0, max: 30, whole: false },
  quality: { min: 30, max: 100, whole: true },
  workers: { min: 0, max: 64, whole: true },
} satisfies Record<string, NumberRange>;

/** Ids of zones and cameras add up to 8 characters to the project's, and ids have at most 64. */
const PROJECT_ID = /^[A-Za-z0-9_-]{1,40}$/;

export const PROJECT_HELP = `npm run simulate -- project [options]

Simulates a site that is built over months: a drone's flight and pictures of fixed cameras for every week,
the plan as Primavera, Microsoft Project and CSV files, designs and baselines, bodies of the requests that
register all this, and what is true of every zone in every week (truth.json). Week 1 is before work begins.
Equal options give equal bytes.

  --out FOLDER      where everything goes (./project)
  --seed N          0 to 4294967295; decides ground, lens, weather, flights, how work goes (${PROJECT_DEFAULTS.seed})
  --project ID      id of the project, up to 40 of A-Z a-z 0-9 _ - (${PROJECT_DEFAULTS.project})
  --weeks N         2 to 52; the plan stretches over them (${PROJECT_DEFAULTS.weeks})
  --zones LIST      codes with commas between (all: ${ZONE_CODES.join(",")})
  --baseline KIND   ${BASELINES.join(" or ")}: first flight, or GeoTIFF of the true ground (${PROJECT_DEFAULTS.baseline})
  --images N        6 to 200 for each flight (${PROJECT_DEFAULTS.images})
  --obliques N      how many of them look inwards at -55 degrees (4 of 18; fewer than 18: none)
  --width N         pixels of their longer edge, 160 to 4000 (${PROJECT_DEFAULTS.widthPx})
  --altitude M      of the nadir images, 15 to 120 (as low as the images cover the site from)
  --rtk             the same as --gps rtk
  --gps MODE        errors of positions: ${GPS_MODES.join(", ")} (${PROJECT_DEFAULTS.gps})
  --gps-sigma M     their random part, horizontal, 0.001 to 50 m (by mode: 0.8, rtk 0.02)
  --cameras N       fixed cameras on masts, 0 to ${MOST_CAMERAS} (${PROJECT_DEFAULTS.cameras})
  --camera-width N  pixels, 160 to 4000 (${PROJECT_DEFAULTS.cameraWidthPx})
  --knock C,W       camera C (from 1) is turned by 15 % of its width from week W on
  --noise N         of the sensors, grey levels, 0 to 30 (${PROJECT_DEFAULTS.noise})
  --quality N       of the JPEGs, 30 to 100 (${PROJECT_DEFAULTS.jpegQuality})
  --only-week N     pictures of this week alone
  --no-flights      no drone images
  --no-cameras      no pictures of fixed cameras
  --workers N       threads, 0 to 64; 0 = no other than the program's own (processors: ${availableParallelism()})
  --help
`;

/** What the command line asks for. */
export interface ProjectArguments {
  readonly options: ProjectOptions;
  readonly out: string;
  readonly workers: number;
  readonly withFlights: boolean;
  readonly withCameras: boolean;
  readonly onlyWeek: number | undefined;
}

/**
 * Reads the command line of the project simulator; `undefined`: help was asked for.
 * @throws SimulatorError naming the argument and its allowed range.
 */
export function parseProjectArguments(args: readonly string[]): ProjectArguments | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const usual = PROJECT_DEFAULTS;
  const images = numberOf("images", values.images, usual.images);
  const obliques = numberOf("obliques", values.obliques, usualProjectObliques(images));
  if (obliques > images - 6) {
    throw new SimulatorError(
      `--obliques ${obliques} of --images ${images}: 6 of the images or more must look straight down`,
    );
  }
  const weeks = numberOf("weeks", values.weeks, usual.weeks);
  const cameras = numberOf("cameras", values.cameras, usual.cameras);
  const onlyWeek = values["only-week"];
  const sigma = values["gps-sigma"];
  return {
    out: values.out ?? "./project",
    workers: numberOf("workers", values.workers, availableParallelism()),
    withFlights: values["no-flights"] !== true,
    withCameras: values["no-cameras"] !== true,
    onlyWeek:
      onlyWeek === undefined
        ? undefined
        : readNumber("--only-week", onlyWeek, { min: 1, max: weeks, whole: true }),
    options: {
      ...{ images, obliques, weeks, cameras },
      seed: numberOf("seed", values.seed, usual.seed),
      project: projectOf(values.project),
      widthPx: numberOf("width", values.width, usual.widthPx),
      gps: gpsOf(values.gps, values.rtk ?? false, usual.gps),
      ...(sigma !== undefined && { gpsSigmaM: numberOf("gps-sigma", sigma, 0) }),
      ...(values.altitude !== undefined && { altitudeM: numberOf("altitude", values.altitude, 0) }),
      cameraWidthPx: numberOf("camera-width", values["camera-width"], usual.cameraWidthPx),
      ...(values.knock !== undefined && { knocked: knockOf(values.knock, cameras, weeks) }),
      baseline: baselineOf(values.baseline),
      zones: (values.zones ?? "")
        .split(",")
        .map((code) => code.trim().toUpperCase())
        .filter((code) => code !== ""),
      noise: numberOf("noise", values.noise, usual.noise),
      jpegQuality: numberOf("quality", values.quality, usual.jpegQuality),
    },
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        out: text,
        seed: text,
        project: text,
        weeks: text,
        zones: text,
        baseline: text,
        images: text,
        obliques: text,
        width: text,
        altitude: text,
        rtk: flag,
        gps: text,
        "gps-sigma": text,
        cameras: text,
        "camera-width": text,
        knock: text,
        noise: text,
        quality: text,
        "only-week": text,
        "no-flights": flag,
        "no-cameras": flag,
        workers: text,
        help: flag,
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SimulatorError(`${error.message} (--help lists the options)`);
  }
}

function numberOf(name: keyof typeof RANGES, text: string | undefined, usual: number): number {
  return text === undefined ? usual : readNumber(`--${name}`, text, RANGES[name]);
}

function projectOf(text: string | undefined): string {
  if (text === undefined) return PROJECT_DEFAULTS.project;
  if (PROJECT_ID.test(text)) return text;
  throw new SimulatorError(`--project "${text}" is not 1 to 40 of A-Z, a-z, 0-9, _ and -`);
}

function baselineOf(text: string | undefined): Baseline {
  if (text === undefined) return PROJECT_DEFAULTS.baseline;
  const kind = BASELINES.find((known) => known === text);
  if (kind !== undefined) return kind;
  throw new SimulatorError(`--baseline "${text}" is not one of ${BASELINES.join(", ")}`);
}

function knockOf(text: string, cameras: number, weeks: number) {
  const [camera = Number.NaN, week = Number.NaN] = text
    .split(",")
    .map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isWhole = Number.isInteger(camera) && Number.isInteger(week);
  // Week 1 is what the reference view is from.
  if (isWhole && camera >= 1 && camera <= cameras && week >= 2 && week <= weeks) {
    if (text.split(",").length === 2) return { camera, week };
  }
  throw new SimulatorError(
    `--knock "${text}" is not a camera from 1 to ${cameras} and a week from 2 to ${weeks} with a comma between`,
  );
}

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type NumberRange, readNumber } from "../../command-line/number-argument.ts";
import { SimulatorError } from "../../command-line/simulator-error.ts";
import { IMAGE_FAULTS, parseFaults, SURVEY_FAULTS } from "./faults.ts";
import {
  GPS_MODES,
  type GpsMode,
  SURVEY_DEFAULTS,
  type SurveyOptions,
  usualObliques,
} from "./options.ts";

const RANGES = {
  seed: { min: 0, max: 2 ** 32 - 1, whole: true },
  width: { min: 160, max: 4_000, whole: true },
  images: { min: 1, max: 1_000, whole: true },
  obliques: { min: 0, max: 1_000, whole: true },
  epoch: { min: 1, max: 9, whole: true },
  "gps-sigma": { min: 0.001, max: 50, whole: false },
  altitude: { min: 15, max: 120, whole: false },
  slope: { min: 0, max: 30, whole: false },
  contrast: { min: 0, max: 1, whole: false },
  "focal-off": { min: -10, max: 10, whole: false },
  speed: { min: 0, max: 20, whole: false },
  "exposure-ms": { min: 0.01, max: 50, whole: false },
  "readout-ms": { min: 0, max: 100, whole: false },
  noise: { min: 0, max: 30, whole: false },
  quality: { min: 30, max: 100, whole: true },
  gcp: { min: 0, max: 50, whole: true },
  workers: { min: 0, max: 64, whole: true },
} satisfies Record<string, NumberRange>;

/** Overlap in percent: at 95 a strip's images lie 2 m apart. */
const OVERLAP_MAX = 95;

const faultLines = (faults: Readonly<Record<string, string>>) =>
  Object.entries(faults)
    .map(([name, text]) => `      ${name.padEnd(16)}${text}`)
    .join("\n");

export const SURVEY_HELP = `npm run simulate -- survey [options]

Simulates a drone's survey of a building site: photographs with EXIF and DJI XMP, and beside them what is
true (truth.json), the true surfaces as GeoTIFF and, when asked for, ground control points. Equal options
give equal bytes.

  --seed N          0 to 4294967295; decides site, lens, flight and errors (${SURVEY_DEFAULTS.seed})
  --out FOLDER      where everything goes (./survey)
  --width N         pixels of the longer edge, 160 to 4000; images are 4:3 (${SURVEY_DEFAULTS.widthPx})
  --images N        1 to 1000; with the overlap this decides how large the site is (${SURVEY_DEFAULTS.images})
  --obliques N      how many of them look inwards from a circle at -55 degrees (8 of 36)
  --epoch N         1 to 9: later flights find material moved and buildings grown (${SURVEY_DEFAULTS.epoch})
  --piles           lists the stockpiles and their volumes at the end
  --rtk             the same as --gps rtk
  --gps MODE        errors of positions: ${GPS_MODES.join(", ")} (${SURVEY_DEFAULTS.gps})
  --gps-sigma M     their random part, horizontal, 0.001 to 50 m (by mode: 0.8, rtk 0.02)
  --altitude M      of the nadir images above the site, 15 to 120 (${SURVEY_DEFAULTS.altitudeM})
  --overlap F,S     percent along and between strips, 0 to ${OVERLAP_MAX} (${SURVEY_DEFAULTS.overlap.forward},${SURVEY_DEFAULTS.overlap.side})
  --slope N         percent, 0 to 30: fall of the whole site (by default up to 2 by axis)
  --contrast N      0 to 1: of the texture of ground and piles (1)
  --focal-off=N     percent, -10 to 10: lens above the focal length of its tags (0.6 to 1.4 either way)
  --speed N         metres per second, 0 to 20 (${SURVEY_DEFAULTS.speedMps})
  --exposure-ms N   0.01 to 50; with the speed this blurs (${SURVEY_DEFAULTS.exposureMs})
  --readout-ms N    rolling shutter: first row to last, 0 to 100 (${SURVEY_DEFAULTS.readoutMs})
  --noise N         of the sensor, grey levels, 0 to 30 (${SURVEY_DEFAULTS.noise})
  --quality N       of the JPEGs, 30 to 100 (${SURVEY_DEFAULTS.jpegQuality})
  --gcp N           writes gcp_list.txt with the marks of N control points, 0 to 50 (${SURVEY_DEFAULTS.controlPoints})
  --workers N       threads, 0 to 64; 0 = no other than the program's own (processors: ${availableParallelism()})
  --faults LIST     names with commas between. Of single images ("name" = all, "name=3" = three of them,
                    "name=#4-9" = these, counted from 0):
${faultLines(IMAGE_FAULTS)}
                    Of the whole survey:
${faultLines(SURVEY_FAULTS)}
  --help
`;

/** What the command line asks for. */
export interface SurveyArguments {
  readonly options: SurveyOptions;
  readonly out: string;
  readonly workers: number;
  readonly listPiles: boolean;
}

/**
 * Reads the command line of the survey simulator; `undefined`: help was asked for.
 * @throws SimulatorError naming the argument and its allowed range.
 */
export function parseSurveyArguments(args: readonly string[]): SurveyArguments | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const images = numberOf("images", values.images, SURVEY_DEFAULTS.images);
  const obliques = numberOf("obliques", values.obliques, usualObliques(images));
  if (obliques > images) {
    throw new SimulatorError(`--obliques ${obliques} is more than --images ${images}`);
  }
  const sigma = values["gps-sigma"];
  const focalOff = values["focal-off"];
  return {
    out: values.out ?? "./survey",
    workers: numberOf("workers", values.workers, availableParallelism()),
    listPiles: values.piles ?? false,
    options: {
      seed: numberOf("seed", values.seed, SURVEY_DEFAULTS.seed),
      widthPx: numberOf("width", values.width, SURVEY_DEFAULTS.widthPx),
      images,
      obliques,
      epoch: numberOf("epoch", values.epoch, SURVEY_DEFAULTS.epoch),
      gps: gpsOf(values.gps, values.rtk ?? false, SURVEY_DEFAULTS.gps),
      ...(sigma !== undefined && { gpsSigmaM: numberOf("gps-sigma", sigma, 0) }),
      ...(values.slope !== undefined && { slopePercent: numberOf("slope", values.slope, 0) }),
      ...(values.contrast !== undefined && { contrast: numberOf("contrast", values.contrast, 1) }),
      ...(focalOff !== undefined && { focalOffPercent: numberOf("focal-off", focalOff, 0) }),
      altitudeM: numberOf("altitude", values.altitude, SURVEY_DEFAULTS.altitudeM),
      overlap: values.overlap === undefined ? SURVEY_DEFAULTS.overlap : overlapOf(values.overlap),
      speedMps: numberOf("speed", values.speed, SURVEY_DEFAULTS.speedMps),
      exposureMs: numberOf("exposure-ms", values["exposure-ms"], SURVEY_DEFAULTS.exposureMs),
      readoutMs: numberOf("readout-ms", values["readout-ms"], SURVEY_DEFAULTS.readoutMs),
      noise: numberOf("noise", values.noise, SURVEY_DEFAULTS.noise),
      jpegQuality: numberOf("quality", values.quality, SURVEY_DEFAULTS.jpegQuality),
      controlPoints: numberOf("gcp", values.gcp, SURVEY_DEFAULTS.controlPoints),
      faults: parseFaults(values.faults ?? "", images),
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
        seed: text,
        out: text,
        width: text,
        images: text,
        obliques: text,
        epoch: text,
        piles: flag,
        rtk: flag,
        gps: text,
        "gps-sigma": text,
        altitude: text,
        overlap: text,
        slope: text,
        contrast: text,
        "focal-off": text,
        speed: text,
        "exposure-ms": text,
        "readout-ms": text,
        noise: text,
        quality: text,
        gcp: text,
        workers: text,
        faults: text,
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

/** Reads `--gps` and `--rtk`, which is short for `--gps rtk`; `usual`: where neither is there. */
export function gpsOf(text: string | undefined, rtk: boolean, usual: GpsMode): GpsMode {
  if (text === undefined) return rtk ? "rtk" : usual;
  const mode = GPS_MODES.find((known) => known === text);
  if (mode === undefined) {
    throw new SimulatorError(`--gps "${text}" is not one of ${GPS_MODES.join(", ")}`);
  }
  if (rtk && mode !== "rtk") throw new SimulatorError(`--rtk and --gps ${mode} exclude each other`);
  return mode;
}

function overlapOf(text: string): SurveyOptions["overlap"] {
  const [forward, side] = text
    .split(",")
    .map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isShare = (percent: number | undefined): percent is number =>
    percent !== undefined && percent >= 0 && percent <= OVERLAP_MAX;
  if (!isShare(forward) || !isShare(side) || text.split(",").length !== 2) {
    throw new SimulatorError(
      `--overlap "${text}" is not two numbers from 0 to ${OVERLAP_MAX} with a comma between, such as 75,65`,
    );
  }
  return { forward, side };
}

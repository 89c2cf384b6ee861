import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import { createDraw } from "../../support/photo-renderer/draw.ts";
import type { PhotoPile } from "../../support/photo-renderer/photo-site.ts";
import {
  type PhotoSurveyOptions,
  place,
  writePhotoSurvey,
} from "../../support/photo-renderer/photo-survey.ts";
import type { Check } from "./check.ts";
import { coverageExpectations, type SurveyPiles } from "./many-surveys/coverage-table.ts";
import { keptResult } from "./many-surveys/kept-results.ts";
import { type MeasuredPile, measurePiles } from "./many-surveys/measure-piles.ts";

/** Nothing was chosen on these. */
const FIRST_SEED = 30_001;
const POSITIONS = ["rtk", "white", "drift"] as const;
/** Contrast of the photographs by class, from and up to; they are weaker than the simulator's ground at 1. */
const TEXTURES = { full: [0.7, 1], half: [0.35, 0.7], low: [0.12, 0.35] } as const;
/** Widths of the images with heights of flight, metres: 2.5 to 8.5 cm a pixel. */
const SIZES = [
  { widthPx: 1_200, altitudeM: [26, 36] },
  { widthPx: 800, altitudeM: [28, 40] },
  { widthPx: 640, altitudeM: [36, 46] },
] as const;
const CORNERS = 14;

/** Volumes on flights that another program than the simulator rendered, with textures of real photographs. */
export const photoTextures: Check = {
  name: "photo-textures",
  about: "piles rendered by another program with photographs as textures: coverage, mean, width",
  async run({ seeds, firstSeed = FIRST_SEED, results, print }) {
    const folder = process.env["BRIGHTON_BEACH_DIR"];
    if (folder === undefined)
      return { skipped: "BRIGHTON_BEACH_DIR names no folder of photographs" };
    const photographs = (await readdir(join(folder, "images")))
      .filter((name) => /\.jpe?g$/i.test(name))
      .sort()
      .map((name) => join(folder, "images", name));
    const surveys: SurveyPiles[] = [];
    for (let i = 0; i < seeds; i += 1) {
      const { classes, ...options } = designOf(firstSeed + i);
      const key = `photo-textures-${options.seed}-${Object.values(classes).join("-")}`;
      const { piles } = await keptResult(results, key, async () => ({
        piles: await measured({ ...options, photographs }),
      }));
      surveys.push({ classes, piles });
      print(`${options.seed} ${Object.values(classes).join(" ")}: ${piles.map(textOf).join("  ")}`);
    }
    return coverageExpectations(surveys, print);
  },
};

/** The survey of a seed from 1 on, whichever the first of a run; every combination comes once in 27 in a row. */
function designOf(seed: number) {
  const draw = createDraw(seed + 7);
  const i = seed - 1;
  const positions = POSITIONS[i % 3] ?? "rtk";
  const textures = Object.entries(TEXTURES);
  const [texture, contrasts] = textures[Math.floor(i / 3) % 3] ?? ["full", TEXTURES.full];
  const { widthPx, altitudeM } = SIZES[Math.floor(i / 9) % 3] ?? SIZES[0];
  return {
    ...{ seed, positions, widthPx, contrast: draw.between(contrasts[0], contrasts[1]) },
    altitudeM: draw.between(altitudeM[0], altitudeM[1]),
    classes: { positions, texture, width: String(widthPx) },
  };
}

async function measured(options: PhotoSurveyOptions): Promise<readonly MeasuredPile[]> {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-photo-survey-"));
  try {
    const { piles } = await writePhotoSurvey(folder, options);
    return await measurePiles({
      ...{ folder, widthPx: options.widthPx, controlPoints: [] },
      piles: piles.map((pile) => ({
        shape: pile.shape,
        trueM3: pile.volumeM3,
        footprint: footprintOf(pile, options.seed),
      })),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As a person draws it: corners 0.4 to 0.9 m outside of the toe. */
function footprintOf({ eastM, northM, radiusM }: PhotoPile, seed: number): Ring {
  const draw = createDraw(seed + 31);
  const corners = Array.from({ length: CORNERS }, (_, i) => {
    const reachM = (radiusM + draw.between(0.4, 0.9)) / Math.cos(Math.PI / CORNERS);
    const angle = (2 * Math.PI * i) / CORNERS;
    const at = place(eastM + reachM * Math.cos(angle), northM + reachM * Math.sin(angle), 0);
    return [at.lonDeg, at.latDeg] as const;
  });
  return [...corners, ...corners.slice(0, 1)];
}

function textOf({ trueM3, measured: found, gates }: MeasuredPile): string {
  const error = found && (100 * (found.netM3 / trueM3 - 1)).toFixed(1);
  const width = found && ((100 * found.halfWidthM3) / trueM3).toFixed(1);
  return `${error ?? "refused"}${width === undefined ? "" : `/${width}`}${gates.length > 0 ? ` (${gates.join(" ")})` : ""}`;
}

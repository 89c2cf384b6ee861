import { createRandom } from "../../random.ts";
import type { Site } from "../site/site.ts";
import type { Solid } from "../site/solid.ts";
import { createBlocks, type HeightBlocks, widenedTops } from "./blocks.ts";
import { createGroundPaint, type PaintInput } from "./ground-paint.ts";
import { createHeightField, type HeightField, nodeFrame } from "./height-field.ts";
import { createLight, createSkyView, type Light, type ShadowCaster } from "./light.ts";
import type { Target } from "./target.ts";
import { createTexture, type Texture, type TextureInput } from "./texture.ts";
import { createTracks } from "./track.ts";

/** Everything that rendering reads; plain data and shared memory, so that threads share one copy. */
export interface Scene {
  readonly heights: HeightField;
  readonly blocks: HeightBlocks;
  readonly texture: Texture;
  readonly solids: readonly Solid[];
  readonly light: Light;
  readonly caster: ShadowCaster;
  readonly tiltEast: number;
  readonly tiltNorth: number;
}

/** A scene whose texture is still blank, and what painting it takes. */
export interface UnpaintedScene {
  readonly scene: Scene;
  readonly paint: PaintInput;
  readonly fill: TextureInput;
}

export interface SceneOptions {
  readonly extentM: number;
  /** Ground sample distance of the images, metres. */
  readonly gsdM: number;
  readonly seed: number;
  readonly isSnow: boolean;
  /** Of the ground's texture, 0 to 1. */
  readonly contrast: number;
  /** Places the targets on finished ground. */
  readonly placeTargets: (heights: HeightField) => readonly Target[];
}

/** Cell of the ground: 10 cm, or 20 cm where a pixel is no finer than 7 cm. Chosen. */
const CELL_M = 0.1;
const COARSE_CELL_M = 0.2;
const COARSE_FROM_GSD_M = 0.07;
/** A texel's share of a pixel; the finest texel (memory goes with its inverse square), metres. Chosen. */
const TEXEL_SHARE = 0.6;
const FINEST_TEXEL_M = 0.015;

/** Sun at epoch 1, and how far it is on at each later epoch, degrees. */
const SUN = { azimuthDeg: 135, elevationDeg: 48, azimuthPerEpochDeg: 14, elevationPerEpochDeg: 3 };

/** Sets a scene up: shape, light and empty texture. Takes about a second; painting takes longer. */
export function setUpScene(site: Site, options: SceneOptions): UnpaintedScene {
  const { extentM, gsdM, seed, isSnow, contrast } = options;
  const frame = nodeFrame(extentM, gsdM < COARSE_FROM_GSD_M ? CELL_M : COARSE_CELL_M);
  const heights = createHeightField(site, frame);
  const surfaceBlocks = createBlocks(frame, heights.surface);
  const { extentM: gridExtentM, cellM, size } = frame;
  const caster: ShadowCaster = {
    extentM: gridExtentM,
    cellM,
    size,
    surface: heights.surface,
    blockSize: surfaceBlocks.size,
    widenedTopM: widenedTops(surfaceBlocks),
    highestM: surfaceBlocks.topM.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  };
  const later = site.epoch - 1;
  const light = createLight(
    ((SUN.azimuthDeg + SUN.azimuthPerEpochDeg * later) * Math.PI) / 180,
    ((SUN.elevationDeg + SUN.elevationPerEpochDeg * later) * Math.PI) / 180,
  );
  const texture = createTexture(
    gridExtentM,
    Math.max(FINEST_TEXEL_M, Math.min(cellM, TEXEL_SHARE * gsdM)),
  );
  const paint = createGroundPaint(size);
  const { epoch, ground, piles, road, yards } = site;
  return {
    scene: {
      heights,
      blocks: createBlocks(frame, heights.terrain),
      texture,
      solids: site.solids,
      light,
      caster,
      tiltEast: ground.tiltEast,
      tiltNorth: ground.tiltNorth,
    },
    paint: {
      paint,
      site: { epoch, ground, piles, road, yards },
      heights,
      caster,
      sky: createSkyView(frame, heights.terrain, heights.surface),
      light,
      tracks: createTracks(frame, createRandom(`survey-${seed}/tracks`)),
      isSnow,
      contrast,
    },
    fill: {
      frame: { extentM: gridExtentM, cellM, size },
      paint,
      epoch,
      sun: light.sun,
      targets: options.placeTargets(heights),
      seed: ground.seed + 100_003,
    },
  };
}

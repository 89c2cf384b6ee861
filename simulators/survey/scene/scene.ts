import { createRandom } from "../../randomness/random.ts";
import type { Site } from "../site/site.ts";
import type { Solid } from "../site/solid.ts";
import { createBlocks, type HeightBlocks, widenedTops } from "./blocks.ts";
import {
  createGroundPaint,
  type GroundCover,
  type PaintedSite,
  type PaintInput,
} from "./ground-paint.ts";
import { createHeightField, type HeightField, type NodeFrame, nodeFrame } from "./height-field.ts";
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

/**
 * Cell of the ground: 10 cm, or 20 cm where a pixel is 7 cm or coarser. Memory and time go with the inverse
 * square; larger cells round off the edges of heaps.
 */
const CELL_M = 0.1;
const COARSE_CELL_M = 0.2;
const COARSE_FROM_GSD_M = 0.07;
/**
 * A texel's share of a pixel; the finest texel, metres. Memory goes with the inverse square; larger texels show
 * as squares in the images.
 */
const TEXEL_SHARE = 0.6;
const FINEST_TEXEL_M = 0.015;

/** Sun at epoch 1, and how far it is on at each later epoch, degrees. */
const SUN = { azimuthDeg: 135, elevationDeg: 48, azimuthPerEpochDeg: 14, elevationPerEpochDeg: 3 };

/** Cell of the ground for images of a ground sample distance, metres. */
export const groundCellM = (gsdM: number): number =>
  gsdM < COARSE_FROM_GSD_M ? CELL_M : COARSE_CELL_M;

/** Sets a scene up: shape, light and empty texture. Takes about a second; painting takes longer. */
export function setUpScene(site: Site, options: SceneOptions): UnpaintedScene {
  const frame = nodeFrame(options.extentM, groundCellM(options.gsdM));
  const heights = createHeightField(site, frame);
  const later = site.epoch - 1;
  const light = createLight(
    ((SUN.azimuthDeg + SUN.azimuthPerEpochDeg * later) * Math.PI) / 180,
    ((SUN.elevationDeg + SUN.elevationPerEpochDeg * later) * Math.PI) / 180,
  );
  const { epoch, ground, piles, road, yards, solids } = site;
  return assembleScene(
    {
      ...{ site: { epoch, ground, piles, road, yards }, solids, heights, light },
      tracks: createTracks(frame, createRandom(`survey-${options.seed}/tracks`)),
    },
    options,
  );
}

/** What a scene is assembled from. */
export interface SceneParts {
  readonly site: PaintedSite;
  readonly solids: readonly Solid[];
  readonly heights: HeightField;
  readonly light: Light;
  /** See `createTracks`. */
  readonly tracks: Float32Array;
  readonly cover?: GroundCover;
}

/** Puts a scene together from heights and light that are known. */
export function assembleScene(
  { site, solids, heights, light, tracks, cover }: SceneParts,
  { gsdM, isSnow, contrast, placeTargets }: Omit<SceneOptions, "extentM" | "seed">,
): UnpaintedScene {
  const { extentM, cellM, size } = heights;
  const frame: NodeFrame = { extentM, cellM, size };
  const surfaceBlocks = createBlocks(frame, heights.surface);
  const caster: ShadowCaster = {
    ...frame,
    surface: heights.surface,
    blockSize: surfaceBlocks.size,
    widenedTopM: widenedTops(surfaceBlocks),
    highestM: surfaceBlocks.topM.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  };
  const texture = createTexture(
    extentM,
    Math.max(FINEST_TEXEL_M, Math.min(cellM, TEXEL_SHARE * gsdM)),
  );
  const paint = createGroundPaint(size);
  const { epoch, ground } = site;
  return {
    scene: {
      heights,
      blocks: createBlocks(frame, heights.terrain),
      texture,
      solids,
      light,
      caster,
      tiltEast: ground.tiltEast,
      tiltNorth: ground.tiltNorth,
    },
    paint: {
      paint,
      site,
      heights,
      caster,
      sky: createSkyView(frame, heights.terrain, heights.surface),
      light,
      tracks,
      isSnow,
      contrast,
      ...(cover !== undefined && { cover }),
    },
    fill: {
      frame,
      paint,
      epoch,
      sun: light.sun,
      targets: placeTargets(heights),
      seed: ground.seed + 100_003,
    },
  };
}

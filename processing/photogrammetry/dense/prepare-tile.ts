import type { GridFrame } from "../../grid/elevation-grid.ts";
import type { OrientedCamera, Reconstruction } from "../reconstruction/reconstruction.ts";
import { chooseViews } from "./choose-views.ts";
import { lensAtLevel } from "./image-pyramid.ts";
import { resample } from "./resample.ts";
import type { SteepPatch } from "./steep-patches.ts";
import type { SurfaceLevel, TilePlan } from "./surface-plan.ts";
import type { ImageSize, MatchPass, TileImage, TileInput, TileView } from "./tile.ts";

/** What a surface is made from. */
export interface SurfaceSources<Image extends ImageSize = TileImage> {
  /** Its lenses are those of the pyramids' largest images. */
  readonly reconstruction: Reconstruction;
  /** Levels by index of the image in the survey; those without a camera are not asked for. */
  readonly pyramids: readonly (readonly Image[] | undefined)[];
}

/** A surface between two passes: no NaN. */
export interface CurrentSurface {
  readonly frame: GridFrame;
  /** ENU metres, length `frame.width * frame.height`, north row first. */
  readonly elevationM: Float32Array;
}

/**
 * Cells around a tile that are matched along with it, so that windows, paths and medians inside do not
 * feel where it ends: window 3, median 2, and 7 for the paths, whose past has faded by then.
 */
const MARGIN = 12;

/** Collects what one tile of a level needs: its cells, the surface so far, its views at this size. */
export function prepareTile<Image extends ImageSize>(
  level: SurfaceLevel,
  pass: MatchPass,
  tile: TilePlan,
  surface: CurrentSurface,
  sources: SurfaceSources<Image>,
): TileInput<Image> {
  const frame = frameOf(level, tile);
  return tileOn(
    frame,
    resample(surface.elevationM, surface.frame, frame),
    level,
    pass,
    tile,
    sources,
  );
}

/** The same for a patch that is swept by level planes. */
export function preparePatch<Image extends ImageSize>(
  level: SurfaceLevel,
  { tile, middleM, pass }: SteepPatch,
  sources: SurfaceSources<Image>,
): TileInput<Image> {
  const frame = frameOf(level, tile);
  const plane = new Float32Array(frame.width * frame.height).fill(middleM);
  return tileOn(frame, plane, level, pass, tile, sources);
}

function tileOn<Image extends ImageSize>(
  frame: GridFrame,
  surface: Float32Array,
  { pyramidLevel }: SurfaceLevel,
  pass: MatchPass,
  tile: TilePlan,
  { reconstruction, pyramids }: SurfaceSources<Image>,
): TileInput<Image> {
  const candidates = reconstruction.cameras.flatMap((camera) =>
    viewOf(camera, pyramidLevel, reconstruction, pyramids),
  );
  return {
    frame,
    inner: { column: MARGIN, row: MARGIN, width: tile.width, height: tile.height },
    surface,
    views: chooseViews(candidates, frame, surface).flatMap((index) => candidates[index] ?? []),
    pass,
  };
}

function frameOf({ frame }: SurfaceLevel, tile: TilePlan): GridFrame {
  return {
    westM: frame.westM + (tile.column - MARGIN) * frame.cellM,
    northM: frame.northM - (tile.row - MARGIN) * frame.cellM,
    cellM: frame.cellM,
    // The kernel takes four cells at a time.
    width: Math.ceil((tile.width + 2 * MARGIN) / 4) * 4,
    height: tile.height + 2 * MARGIN,
  };
}

function viewOf<Image extends ImageSize>(
  camera: OrientedCamera,
  pyramidLevel: number,
  { lenses }: Reconstruction,
  pyramids: readonly (readonly Image[] | undefined)[],
): readonly TileView<Image>[] {
  const image = pyramids[camera.image]?.[pyramidLevel];
  const lens = lenses[camera.lens];
  if (image === undefined || lens === undefined) return [];
  return [{ pose: camera.pose, lens: lensAtLevel(lens, pyramidLevel), image }];
}

import { readFile } from "node:fs/promises";
import { DomainError } from "../../../domain/errors.ts";
import {
  SURFACE_METRICS,
  type WorkZone,
  type ZoneSurface,
} from "../../../domain/sites/work-zone.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import { openRaster } from "../../engine/raster/open-raster.ts";
import { windowOf } from "../../engine/raster/raster-window.ts";
import { extentToRead, type SurfaceChoice } from "../../engine/raster/read-surface.ts";
import type { GeodeticExtent } from "../../engine/raster/surface-extent.ts";
import { readEpochHead } from "../../epoch/epoch-file.ts";
import { extentAround } from "../../epoch/extent-around.ts";
import { copyToDisk } from "./copy-to-disk.ts";
import { epochKeyBeside } from "./earlier-flights.ts";
import { keptLevels } from "./estimate/estimate-levels.ts";
import { epochBytes, rasterBytes, tinBytes } from "./input/flight-bytes.ts";
import type { SurfaceInput, ZoneInput } from "./input/flight-input.ts";

/**
 * A flight must lie so long before another one to confirm what it saw, ms: the same images sent again do not.
 * Longer, a second flight of the day confirms nothing; shorter, one mission split in two confirms itself.
 */
const APART_MS = 12 * HOUR_MS;

/**
 * Metres around a zone that are read of a surface too large to be read as a whole: ground for comparing it with
 * the flight, and as far as two surveys may lie apart. Less finds too little stable ground, more costs memory.
 */
const MARGIN_M = 100;

/** What zones are read from. */
interface ZoneSources {
  readonly files: FileStore;
  readonly disk: DiskSpace;
  readonly captures: Pick<CaptureRecords, "estimates">;
  /** For its memory, bytes. */
  readonly engines: { readonly memoryBytes: number };
}

/** Whether flights measure a zone. */
const isMeasured = (zone: WorkZone): boolean =>
  zone.polygon !== undefined && SURFACE_METRICS.includes(zone.metric.kind);

/** Zones that flights do not measure, and which change all the same. */
export const otherRings = (zones: readonly WorkZone[]) =>
  zones.flatMap((zone) => (zone.polygon !== undefined && !isMeasured(zone) ? [zone.polygon] : []));

/** What is read of a flight's own surface where it is too large; `undefined`: no zone is measured in it. */
export function zonesExtent(zones: readonly WorkZone[]): GeodeticExtent | undefined {
  const corners = zones.filter(isMeasured).flatMap(({ polygon = [] }) => polygon);
  return corners.length === 0 ? undefined : extentAround(corners, MARGIN_M);
}

/**
 * The zones that flights measure, with their surfaces on this machine and what the flight before saw of
 * their levels.
 * @param datumId epochs of this datum are opened as such
 * @param dir takes copies of the files
 */
export async function zoneInputs(
  { files, disk, captures, engines }: ZoneSources,
  zones: readonly WorkZone[],
  about: { readonly captureDateMs: number; readonly datumId: string | undefined },
  dir: string,
  signal: AbortSignal,
): Promise<readonly ZoneInput[]> {
  const measured = zones.filter(isMeasured);
  const past = await captures.estimates(
    measured.flatMap(({ id, metric }) => (metric.kind === "height" ? [id] : [])),
    about.captureDateMs - APART_MS,
  );
  const inputs: ZoneInput[] = [];
  for (const zone of measured) {
    const { id, name, polygon, metric } = zone;
    if (polygon === undefined || !isSurfaceMetric(metric)) continue;
    const largeExtent = extentAround(polygon, MARGIN_M);
    const open = (surface: ZoneSurface | undefined) =>
      surface &&
      surfaceInput(
        surface,
        { files, disk, ...about, memoryBytes: engines.memoryBytes, largeExtent },
        dir,
        signal,
      );
    // Ascending by date: the last one is the newest.
    const before = past.findLast(
      ({ estimate }) => estimate.zone_id === id && estimate.method === "dsm_height",
    );
    inputs.push({
      ...{ id, name, ring: polygon, metric },
      takesBaseline: zone.baseline === undefined && zone.declared_progress === 0,
      baseline: await open(zone.baseline),
      design: await open(zone.design),
      earlierLevels:
        before && metric.kind === "height"
          ? keptLevels(before.estimate.figures, metric.levels)
          : undefined,
    });
  }
  return inputs;
}

const isSurfaceMetric = (metric: WorkZone["metric"]): metric is ZoneInput["metric"] =>
  SURFACE_METRICS.includes(metric.kind);

async function surfaceInput(
  surface: ZoneSurface,
  {
    files,
    disk,
    datumId,
    memoryBytes,
    largeExtent,
  }: {
    readonly files: FileStore;
    readonly disk: DiskSpace;
    readonly datumId: string | undefined;
    readonly memoryBytes: number;
    readonly largeExtent: GeodeticExtent;
  },
  dir: string,
  signal: AbortSignal,
): Promise<SurfaceInput> {
  if (surface.kind === "level") {
    return { kind: "level", heightM: surface.height_m, reference: surface.reference };
  }
  const { surface_key: key } = surface;
  if (surface.kind === "flight") {
    const copy = await copyToDisk(files, epochKeyBeside(key), dir, disk, signal);
    const head = copy && readEpochHead(await readFile(copy.path));
    if (copy !== undefined && head !== undefined && head.datum === datumId) {
      return { kind: "file", format: "epoch", path: copy.path, ...epochBytes(head.frame) };
    }
    // Of a flight that lies in no frame, or in another: by where its own positions put it.
  }
  const copy = await copyToDisk(files, key, dir, disk, signal);
  if (copy === undefined) return { kind: "lost", reason: "its file is not stored any more" };
  if (surface.kind === "tin") {
    return { kind: "file", format: "tin", path: copy.path, ...tinBytes(copy.bytes) };
  }
  const heightUnit = surface.kind === "raster" ? surface.height_unit : undefined;
  return await rasterInput(copy.path, { largeExtent, heightUnit }, memoryBytes);
}

/** A raster takes half of the memory that there is at most: a zone's file must not end its capture. */
async function rasterInput(
  path: string,
  choice: SurfaceChoice,
  memoryBytes: number,
): Promise<SurfaceInput> {
  let pixels: number;
  try {
    const raster = await openRaster(path);
    const { width, height } = windowOf(raster, extentToRead(raster, choice));
    pixels = width * height;
    await raster.close();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { kind: "lost", reason: error.message };
  }
  const bytes = rasterBytes(pixels);
  return bytes.openBytes + bytes.readBytes <= memoryBytes / 2
    ? { kind: "file", format: "raster", path, choice, ...bytes }
    : { kind: "lost", reason: `its ${pixels} pixels are more than fit into memory here` };
}

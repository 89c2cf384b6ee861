import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import type { ProjectId } from "../../../domain/ids.ts";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import { type EpochHead, readEpochHead } from "../../epoch/epoch-file.ts";
import { copyToDisk } from "./copy-to-disk.ts";
import { epochBytes } from "./input/flight-bytes.ts";
import { type FlightDatum, readFlightDatum } from "./input/flight-datum.ts";
import type { SurfaceBytes } from "./input/flight-input.ts";

/** Name of an epoch's file in the folder of its capture. */
export const EPOCH_NAME = "epoch.bin";

/** Key of the epoch of the flight that made a surface. */
export const epochKeyBeside = (dsmKey: string): string => join(dirname(dsmKey), EPOCH_NAME);

/** An epoch file on this machine. */
export interface EarlierFlight extends SurfaceBytes {
  readonly path: string;
  readonly head: EpochHead;
}

/** What a project's flights share, and those that a new one may be brought onto. */
export interface EarlierFlights {
  /** `undefined`: there is no flight yet. */
  readonly datum: FlightDatum | undefined;
  /** The datum's own flight, then the newest one before the new one; those that are still there. */
  readonly epochs: readonly EarlierFlight[];
}

/** @param dir takes copies of the files */
export async function earlierFlights(
  {
    captures,
    files,
    disk,
  }: {
    readonly captures: Pick<CaptureRecords, "datum" | "newestFlight">;
    readonly files: FileStore;
    readonly disk: DiskSpace;
  },
  about: { readonly projectId: ProjectId; readonly untilMs: number },
  dir: string,
  signal: AbortSignal,
): Promise<EarlierFlights> {
  const datum = readFlightDatum(await captures.datum(about.projectId));
  if (datum === undefined) return { datum, epochs: [] };
  const newest = await captures.newestFlight(about.projectId, about.untilMs);
  const { dsm } = newest?.products ?? {};
  const keys = new Set([datum.epochKey, ...(dsm === undefined ? [] : [epochKeyBeside(dsm)])]);
  const epochs: EarlierFlight[] = [];
  for (const key of keys) {
    const copy = await copyToDisk(files, key, dir, disk, signal);
    const head = copy && readEpochHead(await readFile(copy.path));
    if (copy === undefined || head?.datum !== datum.id) continue;
    epochs.push({ path: copy.path, ...epochBytes(head.frame), head });
  }
  return { datum, epochs };
}

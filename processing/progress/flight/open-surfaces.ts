import { readFile } from "node:fs/promises";
import { DomainError } from "../../../domain/errors.ts";
import { readElevation } from "../../engine/raster/read-surface.ts";
import { decodeEpoch, type Epoch } from "../../epoch/epoch-file.ts";
import type { SurveyOrigin } from "../../photogrammetry/reconstruction.ts";
import { readTin } from "../landxml/tin-file.ts";
import type { SurfaceInput } from "./flight-input.ts";
import { MOST_OPEN } from "./flight-limits.ts";
import { gridAt, type HeightAt, rasterAt, tinAt } from "./surface-source.ts";

type SurfaceFile = Extract<SurfaceInput, { kind: "file" }>;

/** An opened file: heights in the frame of the datum. */
export interface OpenSurface {
  readonly heightAt: HeightAt;
  /** Where it is a flight's. */
  readonly epoch: Epoch | undefined;
}

/** Opens files of surfaces, and keeps the last few. */
export interface Surfaces {
  /** `undefined` with the reason when the file cannot be used. */
  open(file: SurfaceFile): Promise<OpenSurface | { readonly problem: string }>;
}

/**
 * @param origin of the datum's frame
 * @param datumId epochs of another datum are in another frame, and cannot be used
 * @param cellM of the flight's surface
 */
export function createSurfaces(origin: SurveyOrigin, datumId: string, cellM: number): Surfaces {
  const kept = new Map<string, OpenSurface | { readonly problem: string }>();

  async function read({ format, path }: SurfaceFile): Promise<OpenSurface> {
    if (format === "raster") {
      const { dsm, origin: own } = await readElevation(path);
      return { heightAt: rasterAt(dsm, own, origin, cellM), epoch: undefined };
    }
    const bytes = await readFile(path);
    if (format === "tin") return { heightAt: tinAt(readTin(bytes), origin), epoch: undefined };
    const epoch = decodeEpoch(bytes);
    if (epoch?.datum !== datumId) {
      throw new DomainError("SURFACE_INVALID", "it lies in the frame of another project");
    }
    return { heightAt: gridAt(epoch.surface), epoch };
  }

  return {
    async open(file) {
      const known = kept.get(file.path);
      const opened = known ?? (await read(file).catch(problemOf));
      // The one that was used last goes last.
      kept.delete(file.path);
      kept.set(file.path, opened);
      for (const path of kept.keys()) if (kept.size > MOST_OPEN) kept.delete(path);
      return opened;
    },
  };
}

function problemOf(error: unknown): { readonly problem: string } {
  if (error instanceof DomainError) return { problem: error.message };
  throw error;
}

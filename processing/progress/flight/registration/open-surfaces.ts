import { readFile } from "node:fs/promises";
import { DomainError } from "../../../../domain/errors.ts";
import { readElevation } from "../../../engine/raster/read-surface.ts";
import { checkUnitBeside, medianHeightM } from "../../../epoch/check-unit-beside.ts";
import { decodeEpoch, type Epoch } from "../../../epoch/epoch-file.ts";
import type { GateFinding } from "../../../gates/gates.ts";
import type { SurveyOrigin } from "../../../geometry/enu.ts";
import type { ElevationGrid } from "../../../grid/elevation-grid.ts";
import { readTin } from "../../landxml/tin-file.ts";
import { surfaceName } from "../input/flight-bytes.ts";
import type { SurfaceInput } from "../input/flight-input.ts";
import { MOST_OPEN } from "../input/flight-limits.ts";
import { gridAt, type HeightAt, rasterAt, tinAt } from "./surface-source.ts";

type SurfaceFile = Extract<SurfaceInput, { kind: "file" }>;

/** An opened file: heights in the frame of the datum. */
export interface OpenSurface {
  readonly heightAt: HeightAt;
  /** Where it is a flight's. */
  readonly epoch: Epoch | undefined;
  /** What is to be known of the file. */
  readonly findings: readonly GateFinding[];
}

/** Opens files of surfaces, and keeps the last few. */
export interface Surfaces {
  /** `undefined` with the reason when the file cannot be used. */
  open(file: SurfaceFile): Promise<OpenSurface | { readonly problem: string }>;
}

/**
 * @param seen what the flight saw, in the frame of the datum
 * @param origin of that frame
 * @param datumId epochs of another datum are in another frame, and cannot be used
 */
export function createSurfaces(
  seen: ElevationGrid,
  { origin, id: datumId }: { readonly origin: SurveyOrigin; readonly id: string },
): Surfaces {
  const seenM = medianHeightM({ origin, dsm: seen });
  const kept = new Map<string, OpenSurface | { readonly problem: string }>();

  async function read({ format, path, choice }: SurfaceFile): Promise<OpenSurface> {
    if (format === "raster") {
      const { dsm, origin: own, isUnitStated, findings } = await readElevation(path, choice);
      return {
        heightAt: rasterAt(dsm, own, origin, seen.cellM),
        epoch: undefined,
        findings: [...findings, ...checkUnitBeside({ isUnitStated, heightM: own.heightM }, seenM)],
      };
    }
    const bytes = await readFile(path);
    if (format === "tin") {
      return { heightAt: tinAt(readTin(bytes), origin), epoch: undefined, findings: [] };
    }
    const epoch = decodeEpoch(bytes);
    if (epoch?.datum !== datumId) {
      throw new DomainError("SURFACE_INVALID", "it lies in the frame of another project");
    }
    return { heightAt: gridAt(epoch.surface), epoch, findings: [] };
  }

  return {
    async open(file) {
      const name = surfaceName(file);
      const known = kept.get(name);
      const opened = known ?? (await read(file).catch(problemOf));
      // The one that was used last goes last.
      kept.delete(name);
      kept.set(name, opened);
      for (const other of kept.keys()) if (kept.size > MOST_OPEN) kept.delete(other);
      return opened;
    },
  };
}

function problemOf(error: unknown): { readonly problem: string } {
  if (error instanceof DomainError) return { problem: error.message };
  throw error;
}

import { DomainError } from "../../../domain/errors.ts";

/** The error `IMAGE_REFUSED` for a raster; `problem` goes on from "the raster". */
export function refusedRaster(problem: string, cause?: unknown): DomainError {
  return new DomainError("IMAGE_REFUSED", `the raster ${problem}`, { cause });
}

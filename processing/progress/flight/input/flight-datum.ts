import type { CaptureId } from "../../../../domain/ids.ts";
import type { Georeferencing } from "../../../../domain/sites/measurement.ts";
import type { SurveyOrigin } from "../../../geometry/enu.ts";
import type { Lattice } from "../cells/lattice.ts";

/**
 * What the flights of a project share: a frame and a lattice of cells, so that two flights differ by what
 * was built, not by where their cells fell. Made by the first flight, kept as JSON.
 */
export interface FlightDatum {
  readonly version: 1;
  /** The capture that made it: files of epochs name the datum that they are in. */
  readonly id: CaptureId;
  /** Of the ENU frame that all flights are brought into. */
  readonly origin: SurveyOrigin;
  readonly lattice: Lattice;
  /** What places it. */
  readonly georeferencing: Georeferencing;
  /** One standard deviation of its scale, without unit; absent: not known. */
  readonly scaleSigma?: number;
  /** Its surface and cameras: an epoch file in the file store. */
  readonly epochKey: string;
}

/** A datum as it is stored; `undefined`: there is none, or one of another version. */
export function readFlightDatum(stored: unknown): FlightDatum | undefined {
  const datum = stored as FlightDatum | null | undefined;
  return datum?.version === 1 ? datum : undefined;
}

import type { MeasurementId } from "../../../domain/ids.ts";
import type { Georeferencing } from "../../../domain/sites/measurement.ts";
import type { SurveyOrigin } from "../../geometry/enu.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";

/**
 * What the measurements of one footprint share: frame, grid and base. So two epochs differ by what was
 * moved, not by where cells fell or how the ground was fitted. Made by the first measurement, kept with the
 * stockpile as JSON.
 */
export interface StockpileDatum {
  readonly version: 1;
  /** The measurement that made it: files of epochs name the datum that they are in. */
  readonly id: MeasurementId;
  /** Of the ENU frame of grid, base and epochs. */
  readonly origin: SurveyOrigin;
  /** Covers the footprint and the ground around it. */
  readonly grid: GridFrame;
  readonly base: StoredBase;
  /** What places it: of the epoch that made it. */
  readonly georeferencing: Georeferencing;
  /** One standard deviation of the scale of the epoch that made it, without unit; absent: not known. */
  readonly scaleSigma?: number;
}

/** A base as JSON; heights in the datum's frame, metres. */
export type StoredBase =
  /** z = a x + b y + c */
  | {
      readonly kind: "plane";
      readonly a: number;
      readonly b: number;
      readonly c: number;
      readonly nmadM: number;
      /** See `BaseSurface`; absent: as large as `nmadM`. */
      readonly unevenM?: number;
    }
  | {
      readonly kind: "tin";
      /** x, y, z of each vertex in turn. */
      readonly vertices: readonly number[];
      /** Three indices of vertices for each triangle. */
      readonly triangles: readonly number[];
      readonly nmadM: number;
      /** See `BaseSurface`; absent: as large as `nmadM`. */
      readonly unevenM?: number;
    }
  | { readonly kind: "level"; readonly heightM: number }
  /** A GeoTIFF in the file store. */
  | { readonly kind: "survey"; readonly surfaceKey: string };

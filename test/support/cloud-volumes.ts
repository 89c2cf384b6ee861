import { LIMITS } from "../../processing/gates/gate-thresholds.ts";
import { elevationAt } from "../../processing/grid/elevation-at.ts";
import type { ElevationGrid, HeightField } from "../../processing/grid/elevation-grid.ts";
import type { PlanPolygon } from "../../processing/grid/polygon-weights.ts";
import { fitBasePlane } from "../../processing/volume/base/base-plane.ts";
import { type VolumeAbove, volumeAbove } from "../../processing/volume/volume-above.ts";

/** One circle, measured in two surfaces; heights are volumes over the circle's area, metres. */
export interface CircleVolumes {
  /** Net, each above the plane through its own surroundings: ours less theirs. */
  readonly ownBasesM: number;
  /** The same above one base: the mean difference less the plane through the surroundings' differences. */
  readonly oneBaseM: number;
  /** Largest height above its plane, in either. */
  readonly highestM: number;
  /** Spread of the surroundings about their plane, the larger of the two: above it two planes may fit. */
  readonly baseNmadM: number;
}

/** Cell in which heights of the cloud are pooled, metres: three points of Brighton Beach's fall into one. */
const CELL_M = 0.25;
/** Vertices of a circle: its area falls short by 0.04 %. */
const VERTICES = 128;
/** Share of a circle that both surfaces know: a pile with less is refused (gate COVERAGE). */
const LEAST_COVERAGE = LIMITS.coverage;

/**
 * Volumes of circles in a surface and in a cloud that lies on it (`cloudOnSurface`). Circles lie on a
 * square lattice; those that leave either surface are left out.
 */
export function circleVolumes(
  surface: ElevationGrid,
  moved: Float64Array,
  { radiusM, spacingM }: { readonly radiusM: number; readonly spacingM: number },
): readonly CircleVolumes[] {
  const theirs = griddedCloud(surface, moved);
  const { westM, northM, cellM, width, height } = theirs;
  // Cells that only one of the two knows would be a difference of coverage, not of height.
  const ours = mapCells(theirs, (theirM, x, y) =>
    Number.isNaN(theirM) ? Number.NaN : elevationAt(surface, x, y),
  );
  const difference = mapCells(theirs, (theirM, _x, _y, i) => (ours.elevationM[i] ?? 0) - theirM);
  const common = mapCells(theirs, (theirM, _x, _y, i) =>
    Number.isNaN(ours.elevationM[i]) ? Number.NaN : theirM,
  );
  const found: CircleVolumes[] = [];
  for (let y = northM - radiusM; y > northM - height * cellM + radiusM; y -= spacingM) {
    for (let x = westM + radiusM; x < westM + width * cellM - radiusM; x += spacingM) {
      const [one, other, both] = [ours, common, difference].map((field) =>
        measured(field, circle(x, y, radiusM)),
      );
      if (one === undefined || other === undefined || both === undefined) continue;
      found.push({
        ownBasesM: one.meanHeightM - other.meanHeightM,
        oneBaseM: both.meanHeightM,
        highestM: Math.max(one.maxHeightM, other.maxHeightM),
        baseNmadM: Math.max(one.baseNmadM, other.baseNmadM),
      });
    }
  }
  return found;
}

function measured(field: HeightField, polygon: PlanPolygon): VolumeAbove | undefined {
  const base = fitBasePlane(field, polygon);
  if (base === undefined) return undefined;
  const volume = volumeAbove(field, polygon, base);
  return volume.coverage < LEAST_COVERAGE ? undefined : volume;
}

/** A field of the same cells with other heights, computed from each height and the cell's middle. */
function mapCells(
  field: HeightField,
  height: (heightM: number, x: number, y: number, cell: number) => number,
): HeightField {
  const { westM, northM, cellM, width } = field;
  return {
    ...field,
    elevationM: field.elevationM.map((heightM, i) =>
      height(
        heightM,
        westM + ((i % width) + 0.5) * cellM,
        northM - (Math.floor(i / width) + 0.5) * cellM,
        i,
      ),
    ),
  };
}

/** Median height of the cloud's points in each cell over the surface's extent; NaN where there is none. */
export function griddedCloud(surface: ElevationGrid, moved: Float64Array): HeightField {
  const { westM, northM } = surface;
  const width = Math.floor((surface.width * surface.cellM) / CELL_M);
  const height = Math.floor((surface.height * surface.cellM) / CELL_M);
  const heights = new Map<number, number[]>();
  for (let i = 0; i < moved.length; i += 3) {
    const column = Math.floor(((moved[i] ?? 0) - westM) / CELL_M);
    const row = Math.floor((northM - (moved[i + 1] ?? 0)) / CELL_M);
    if (column < 0 || row < 0 || column >= width || row >= height) continue;
    const cell = row * width + column;
    const inCell = heights.get(cell) ?? [];
    inCell.push(moved[i + 2] ?? 0);
    heights.set(cell, inCell);
  }
  const elevationM = new Float32Array(width * height).fill(Number.NaN);
  for (const [cell, inCell] of heights) {
    elevationM[cell] = inCell.sort((a, b) => a - b)[inCell.length >> 1] ?? Number.NaN;
  }
  return { westM, northM, cellM: CELL_M, width, height, elevationM };
}

function circle(x: number, y: number, radiusM: number): PlanPolygon {
  return Array.from({ length: VERTICES }, (_, k) => {
    const angle = (2 * Math.PI * k) / VERTICES;
    return [x + radiusM * Math.cos(angle), y + radiusM * Math.sin(angle)] as const;
  });
}

import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { Alignment, StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { SurveyAlignment } from "../../epoch/align-survey.ts";
import { decodeEpoch, type Epoch } from "../../epoch/epoch-file.ts";
import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import { surveyedOnGrid } from "../../epoch/surveyed-on-grid.ts";
import { findingText, type GateFinding } from "../../gates/gates.ts";
import { passGates } from "../../gates/pass-gates.ts";
import type { Similarity } from "../../geometry/similarity.ts";
import type { ElevationGrid } from "../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";
import { rounded } from "../../numeric/rounding.ts";
import type { BaseSurface } from "../../volume/base/base-surface.ts";
import { checkResolution } from "../../volume/check-resolution.ts";
import { checkVolume } from "../../volume/check-volume.ts";
import { type FilledFootprint, fillFootprint } from "../../volume/footprint/fill-footprint.ts";
import { resolutionChange } from "../../volume/resolution-change.ts";
import { roundedOffM3 } from "../../volume/rounded-off.ts";
import { volumeAbove } from "../../volume/volume-above.ts";
import { type VolumeUncertainty, volumeUncertainty } from "../../volume/volume-uncertainty.ts";
import type { StockpileDatum } from "./datum.ts";
import { heapOutside } from "./heap-outside.ts";
import type { MeasureSurfaceInput } from "./measure-input.ts";
import { fitBase, keptBase } from "./measurement-base.ts";
import { otherPolygons, type PlacedSurvey, placeFirst, placeLater } from "./place-survey.ts";

/** What a surface says of its stockpile, as numbers. */
export interface SurfaceFigures {
  readonly datum: StockpileDatum;
  /** What was measured in. */
  readonly footprint: Ring;
  readonly isProposed: boolean;
  /** A footprint around the toe, where the heap goes on outside of its own; `undefined`: it does not. */
  readonly toeFootprint: Ring | undefined;
  readonly netM3: number;
  /** What of it the surface rounds off, and was added; see `roundedOffM3`. */
  readonly roundedOffM3: number;
  readonly cutM3: number;
  readonly fillM3: number;
  readonly areaM2: number;
  readonly maxHeightM: number;
  readonly coverage: number;
  readonly interpolated: number;
  readonly base: StockpileMeasurement["base"];
  readonly alignment: Alignment;
  readonly uncertainty: VolumeUncertainty;
  readonly warnings: readonly string[];
}

/** A measured volume, and what it was measured in: all in the frame of the datum. */
export interface MeasuredVolume {
  readonly figures: SurfaceFigures;
  /** On the datum's grid; holes are holes. */
  readonly surface: ElevationGrid;
  /** The same with the footprint's holes filled. */
  readonly filled: FilledFootprint;
  readonly base: BaseSurface;
  readonly polygon: PlanPolygon;
  /** Of the epoch before, on the same grid; `undefined`: there is none in this datum. */
  readonly previous: ElevationGrid | undefined;
  /** From the survey's frame into the datum's. */
  readonly transform: Similarity;
}

/**
 * Brings a survey into the frame of its stockpile's datum, or makes that datum, and measures the volume
 * above the base within the footprint.
 * @throws GateRefusal POLYGON_OUTSIDE, COVERAGE or BASE_BAD; DomainError `IMAGES_UNUSABLE` when there is no
 * footprint and no heap to propose one around
 */
export function measureVolume(input: MeasureSurfaceInput): MeasuredVolume {
  const { survey } = input;
  const earlier = input.datum && earlierEpoch(input, input.datum);
  const later = input.datum && placeLater(input, input.datum, earlier);
  const placed = later ?? placeFirst(input);
  const known = later && input.datum;
  const { surface, polygon, transform, alignment } = placed;
  const { base, findings } = checkedBase(input, placed, known);
  const scaleSigma = scaleSigmaOf(survey, alignment, known);
  const datum: StockpileDatum = known ?? {
    version: 1,
    id: input.measurementId,
    origin: placed.origin,
    grid: placed.grid,
    base: base.stored,
    georeferencing: survey.georeferencing,
    ...(scaleSigma === undefined ? {} : { scaleSigma }),
  };
  const filled = fillFootprint(surface, polygon);
  const above = volumeAbove(filled.surface, polygon, base.surface);
  const outside = heapOutside(placed, above.netM3, otherPolygons(input, placed.origin), (toe) =>
    base.from === "this_epoch"
      ? fitBase(input.base, { ...placed, polygon: toe }, survey.georeferencing, input.ground)
          ?.surface
      : base.surface,
  );
  if (outside !== undefined) findings.push(outside.finding);
  const resolutionM3 = resolutionChange(
    survey.dsm,
    { surface, polygon, transform, netM3: above.netM3 },
    (coarse) =>
      base.from === "this_epoch"
        ? fitBase(input.base, { ...placed, surface: coarse }, survey.georeferencing, input.ground)
            ?.surface
        : base.surface,
  );
  const roundedM3 = roundedOffM3(above.netM3, resolutionM3);
  const volume = {
    ...above,
    netM3: above.netM3 + roundedM3,
    cutM3: above.cutM3 + Math.max(0, roundedM3),
    fillM3: above.fillM3 + Math.max(0, -roundedM3),
  };
  findings.push(...checkResolution(above.netM3, resolutionM3));
  const previous = known && earlier?.surface;
  const untied = input.datum !== undefined && known === undefined ? [UNTIED] : [];
  return {
    figures: {
      datum,
      footprint: placed.footprint,
      isProposed: placed.isProposed,
      toeFootprint: outside?.footprint,
      alignment: alignment.kind,
      netM3: volume.netM3,
      roundedOffM3: roundedM3,
      cutM3: volume.cutM3,
      fillM3: volume.fillM3,
      areaM2: volume.areaM2,
      maxHeightM: volume.maxHeightM,
      coverage: volume.coverage,
      interpolated: interpolatedShare(filled, polygon, volume.coverage),
      base: {
        method: base.surface.kind,
        nmad_m: rounded(base.surface.nmadM, 4),
        from: base.from,
      },
      uncertainty: volumeUncertainty({
        ...{ volume, filled, polygon, scaleSigma, alignment },
        base: base.surface,
        outsideM3: outside?.volumeM3,
        isGiven: survey.georeferencing === "given",
        gsdM: survey.gsdM,
        stepM: survey.stepM,
        resolutionM3,
        adjustment: survey.block?.summary,
      }),
      warnings: [...findings.map(findingText), ...untied, ...movedText(placed.movedM)],
    },
    ...{ surface, filled, base: base.surface, polygon, previous, transform },
  };
}

/**
 * Footprints are moved without a warning up to here, metres: less than the accuracy of drawing. Less warns of what
 * drawing leaves open, more hides a map that is off.
 */
const REPORTED_M = 0.5;

function movedText([eastM, northM]: PlacedSurvey["movedM"]): readonly string[] {
  const distanceM = Math.hypot(eastM, northM);
  if (distanceM < REPORTED_M) return [];
  return [
    `The images' positions lie ${distanceM.toFixed(1)} m beside the map: the footprint was moved onto its heap.`,
  ];
}

/** What a measurement says that had to make a new datum. */
const UNTIED =
  "Neither images of the earlier survey nor ground that did not change tie this survey to the earlier ones: " +
  "it was measured by itself, and changes since then are only as sure as both volumes are.";

/**
 * Of the survey's volume: that of the datum where it was brought to its scale, or its own where that is
 * surer.
 */
function scaleSigmaOf(
  { block }: SurveyFacts,
  { kind, scaleSigma: relative }: SurveyAlignment,
  datum: StockpileDatum | undefined,
): number | undefined {
  const own = block?.summary.scaleSigma;
  if (datum?.scaleSigma === undefined || relative === undefined) return own;
  const shared = Math.hypot(datum.scaleSigma, relative);
  return kind === "joint_adjustment" || own === undefined ? shared : Math.min(own, shared);
}

/** The epoch before, unless its file is of another datum, or of a version that is no longer read. */
function earlierEpoch({ earlier }: MeasureSurfaceInput, datum: StockpileDatum): Epoch | undefined {
  const epoch = earlier && decodeEpoch(earlier);
  return epoch?.datum === datum.id ? epoch : undefined;
}

/** @throws GateRefusal when no honest volume can be given for this footprint */
function checkedBase(
  { survey, base: choice, ground }: MeasureSurfaceInput,
  placed: PlacedSurvey,
  datum: StockpileDatum | undefined,
) {
  const { surface, polygon, transform } = placed;
  const base =
    datum === undefined
      ? fitBase(choice, placed, survey.georeferencing, ground)
      : keptBase(datum.base, placed, datum.georeferencing, ground);
  const surveyed = surveyedOnGrid(surface, survey, transform);
  const found = checkVolume(surface, surveyed, polygon, base?.surface, {
    isGiven: survey.georeferencing === "given",
  });
  const findings: GateFinding[] = [];
  // A base that was good when it was fitted stays so when the heap on it has gone.
  passGates(
    findings,
    found.filter(({ gate }) => gate !== "BASE_BAD" || base?.from !== "first_epoch"),
  );
  if (base === undefined) throw new Error("a footprint without a base passed its gates");
  return { base, findings };
}

/** Of what has a height in the footprint, the share that was not measured, 0 to 1. */
function interpolatedShare(
  { surface, interpolated }: FilledFootprint,
  polygon: PlanPolygon,
  coverage: number,
): number {
  const weights = polygonWeights(surface, polygon);
  let [area, filled] = [0, 0];
  for (const [i, share] of weights.share.entries()) {
    const column = weights.firstCol + (i % weights.width);
    const row = weights.firstRow + Math.floor(i / weights.width);
    area += share;
    const isOnGrid = column >= 0 && row >= 0 && column < surface.width && row < surface.height;
    if (isOnGrid && interpolated[row * surface.width + column] === 1) filled += share;
  }
  return filled === 0 ? 0 : filled / (area * coverage);
}

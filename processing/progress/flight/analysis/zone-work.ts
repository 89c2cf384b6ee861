import type { ZoneEstimate } from "../../../../domain/sites/capture.ts";
import { isPlaced } from "../../../epoch/align-survey.ts";
import { planOfRing } from "../../../epoch/plan-ring.ts";
import type { SurveyFacts } from "../../../epoch/survey-facts.ts";
import { findingText } from "../../../gates/gates.ts";
import type { ElevationGrid, GridFrame } from "../../../grid/elevation-grid.ts";
import { rounded } from "../../../numeric/rounding.ts";
import { boxAround, gridOn } from "../cells/lattice.ts";
import type { StableGround } from "../cells/stable-mask.ts";
import { sharesOn, type ZoneCells } from "../cells/zone-cells.ts";
import { roundedOff } from "../cells/zone-rim.ts";
import { estimateZone, noEstimate } from "../estimate/zone-estimate.ts";
import { plannedWork } from "../estimate/zone-sums.ts";
import type { FlightDatum } from "../input/flight-datum.ts";
import type { SurfaceInput, ZoneInput } from "../input/flight-input.ts";
import { MOST_ZONE_CELLS } from "../input/flight-limits.ts";
import type { CoRegistration } from "../registration/co-registration.ts";
import { heightErrors } from "../registration/height-errors.ts";
import { gatheredOn } from "../registration/zone-heights.ts";
import type { PlacedFlight } from "./place-flight.ts";
import { soilBelow, thingsOn } from "./seen-cells.ts";
import { createZoneEnds, type ZoneEnd } from "./zone-ends.ts";

/**
 * Share of a zone that a flight must show to become its baseline: what it lacks, all later ones lack. Higher, a
 * zone waits longer for its first figure.
 */
const LEAST_BASELINE = 0.8;
/**
 * How sure polygons lie, by axis, one standard deviation, metres: over what RTK placed, and over what
 * consumer GPS did (docs/photogrammetry.md#simulated-flights: 1 to 4 m).
 */
const PLACED_PLAN_M = 0.03;
const GPS_PLAN_M = 2;
/** Least relative error of a survey's heights: lenses are not exact polynomials (volume/volume-uncertainty.ts). */
const LEAST_SCALE = 0.002;

/** What all zones of a flight are computed with. */
export interface ZoneTools {
  /** What the flight saw, in the frame of the datum. */
  readonly surface: ElevationGrid;
  /** What the project's first flight saw; `undefined`: this is the first, or it cannot be read any more. */
  readonly first: ElevationGrid | undefined;
  readonly ground: StableGround;
  readonly placed: Pick<PlacedFlight, "alignment">;
  readonly survey: Pick<SurveyFacts, "dsm" | "georeferencing" | "gsdM" | "block">;
  readonly datum: Omit<FlightDatum, "epochKey" | "version">;
}

/** The estimates of one flight, in the order of the zones. */
export async function estimateZones(
  zones: readonly ZoneInput[],
  tools: ZoneTools,
): Promise<readonly ZoneEstimate[]> {
  const { surface, first, ground, datum, survey } = tools;
  const ends = createZoneEnds({ surface, first, ground, datum, gsdM: survey.gsdM });
  const site = await ends.site(zones);
  const estimates: ZoneEstimate[] = [];
  // Zones with one baseline follow each other: it is opened once.
  const pathOf = ({ baseline }: ZoneInput) => (baseline?.kind === "file" ? baseline.path : "");
  for (const zone of zones.toSorted((a, b) => pathOf(a).localeCompare(pathOf(b)))) {
    const problems: string[] = [];
    const remarks: string[] = [];
    const open = async (input: SurfaceInput | undefined, of: "baseline" | "design") => {
      const end = input && (await ends.open(input, of));
      if (typeof end !== "string") {
        for (const finding of end?.findings ?? []) {
          remarks.push(`Of the zone's ${of}: ${findingText(finding)}`);
        }
        return end;
      }
      problems.push(`The zone's ${of} cannot be used: ${end}.`);
      return undefined;
    };
    const design = zone.metric.kind === "height" ? undefined : await open(zone.design, "design");
    const baseline = await open(zone.baseline, "baseline");
    const estimate = zoneEstimate(zone, { ...tools, baseline, design, site, problems });
    estimates.push({ ...estimate, notes: [...estimate.notes, ...remarks] });
  }
  const placeOf = new Map(zones.map(({ id }, i) => [id, i]));
  return estimates.sort((a, b) => (placeOf.get(a.zone_id) ?? 0) - (placeOf.get(b.zone_id) ?? 0));
}

interface OpenZone extends ZoneTools {
  readonly baseline: ZoneEnd | undefined;
  readonly design: ZoneEnd | undefined;
  readonly site: CoRegistration | undefined;
  /** Why ends that are named cannot be used. */
  readonly problems: readonly string[];
}

function zoneEstimate(zone: ZoneInput, tools: OpenZone): ZoneEstimate {
  const { surface, placed, survey, datum, baseline, design, site } = tools;
  const polygon = planOfRing(zone.ring, datum.origin);
  const planSigmaM = Math.hypot(
    isPlaced(datum.georeferencing) ? PLACED_PLAN_M : GPS_PLAN_M,
    placed.alignment.planSigmaM,
  );
  const leastCellM = Math.max(surface.cellM, baseline?.cellM ?? 0, design?.cellM ?? 0);
  // With room for the zone to be moved in, and for what stands at its line to be seen whole.
  const box = boxAround(polygon, planSigmaM + AROUND_M);
  const frame = gridOn(datum.lattice, box, MOST_ZONE_CELLS, leastCellM);
  const share = sharesOn(frame, polygon);
  const now = gatheredOn(frame, surface);
  const observed = seenShare(share, now);
  if (zone.baseline === undefined && zone.takesBaseline) {
    return baselineEstimate(zone, { frame, share, now, observed }, tools);
  }
  const isHeight = zone.metric.kind === "height";
  if (baseline === undefined || (design === undefined && !isHeight)) {
    const notes = [...tools.problems, ...missingText(zone)];
    return noEstimate(zone, "no_surface", notes, { observed_fraction: observed });
  }
  const errors = heightErrors({
    baseline: baseline.reference === "baseline" ? "survey" : baseline.reference,
    design: design?.reference ?? "baseline",
    own: baseline.registration,
    site,
    isPlaced: isPlaced(survey.georeferencing) && isPlaced(datum.georeferencing),
    gsdM: survey.gsdM,
    alignmentSigmaM: placed.alignment.heightSigmaM,
  });
  const sourceCellM = Math.max(survey.dsm.cellM, surface.cellM);
  const asSeen = (end: ZoneEnd, heights: Float32Array) =>
    end.reference === "given" ? roundedOff(frame, heights, sourceCellM) : heights;
  const before = asSeen(baseline, baseline.on(frame));
  const level = now.map((z) => z - errors.biasM);
  const planned = design && asSeen(design, design.on(frame));
  const cells: ZoneCells = {
    ...{ frame, share, before, now: level },
    design: designOn(before, zone, design, planned, errors.designOffsetM),
  };
  const things = isHeight ? undefined : thingsOn(zone, cells, sourceCellM);
  const estimate = estimateZone(zone, {
    cells: things === undefined ? cells : { ...cells, now: soilBelow(cells, things) },
    hidden: things,
    ...{ polygon, errors, planSigmaM, sourceCellM },
    scaleSigma: Math.max(LEAST_SCALE, scaleSigma(tools)),
  });
  const leftOutM2 = things && areaOf(things, share, frame);
  return {
    ...estimate,
    notes: [
      ...estimate.notes,
      ...leftOutText(leftOutM2, areaOf(share.map(Math.ceil), share, frame)),
    ],
    figures: {
      ...estimate.figures,
      alignment: placed.alignment.kind,
      ...(leftOutM2 === undefined ? {} : { left_out_m2: leftOutM2 }),
    },
  };
}

/**
 * Less of a zone than this is left out without a note. Lower, every report has a note on edge cells; higher, a
 * part that is missing goes unsaid.
 */
const REPORTED_SHARE = 0.02;

function leftOutText(leftOutM2: number | undefined, zoneM2: number): readonly string[] {
  if (leftOutM2 === undefined || leftOutM2 < REPORTED_SHARE * zoneM2) return [];
  return [
    `${leftOutM2.toFixed(0)} m2 are hidden by what is narrow and steep, as machines, trees and walls are: the soil around was taken for them.`,
  ];
}

/** Ground around a zone that is read with it, metres: half as wide as what may stand there. */
const AROUND_M = 4;
/** Square metres of a zone that cells make up. */
const areaOf = (
  cells: Uint8Array | Float32Array,
  share: Float32Array,
  { cellM }: GridFrame,
): number => rounded(share.reduce((sum, one, i) => sum + one * (cells[i] ?? 0), 0) * cellM ** 2, 2);

/** One standard deviation of the scale that heights are in, without unit; 0 where it is not known. */
function scaleSigma({ placed, survey, datum }: ZoneTools): number {
  const { kind, scaleSigma: relative = 0 } = placed.alignment;
  const own = survey.block?.summary.scaleSigma ?? 0;
  // Oriented along with images of the datum's flights, a flight has their scale.
  return kind === "joint_adjustment" ? Math.hypot(datum.scaleSigma ?? own, relative) : own;
}

function designOn(
  before: Float32Array,
  { metric }: ZoneInput,
  design: ZoneEnd | undefined,
  planned: Float32Array | undefined,
  offsetM: number,
): Float32Array {
  if (metric.kind === "height") {
    const topM = Math.max(0, ...metric.levels.map(({ top_m: one }) => one));
    return before.map((z) => z + topM);
  }
  const heights = planned ?? before.map(() => Number.NaN);
  return design?.reference === "baseline"
    ? heights.map((above, i) => above + (before[i] ?? Number.NaN))
    : heights.map((z) => z + offsetM);
}

/** A zone that has no baseline yet: this flight is it, where it shows the zone. */
function baselineEstimate(
  zone: ZoneInput,
  seen: {
    readonly frame: GridFrame;
    readonly share: Float32Array;
    readonly now: Float32Array;
    readonly observed: number;
  },
  { design, problems }: OpenZone,
): ZoneEstimate {
  const { frame, share, now, observed } = seen;
  if (observed < LEAST_BASELINE) {
    const text = `The flight shows ${Math.round(100 * observed)} % of the zone; a baseline takes ${100 * LEAST_BASELINE} %.`;
    return noEstimate(zone, "not_observed", [text], { observed_fraction: observed });
  }
  const isMissing = design === undefined && zone.metric.kind !== "height";
  const planned = designOn(now, zone, design, design?.on(frame), 0);
  const cells = { frame, share, now, before: now, design: planned };
  const { areaM2, volumeM3 } = plannedWork(cells);
  const figures = {
    planned_area_m2: rounded(areaM2, 2),
    planned_volume_m3: rounded(volumeM3, 2),
  };
  return noEstimate(
    zone,
    "baseline_taken",
    [
      "This flight is the zone's baseline: progress is measured from the next one on.",
      ...problems,
      ...(isMissing && problems.length === 0 ? [NO_DESIGN] : []),
    ],
    { observed_fraction: observed, figures: isMissing ? {} : figures },
  );
}

const NO_DESIGN = "The zone has no design to measure against.";

function missingText({ baseline, design, metric }: ZoneInput): readonly string[] {
  const texts: string[] = [];
  if (baseline === undefined) {
    texts.push(
      "The zone has no baseline, and had begun before its first flight: give the ground as it was.",
    );
  }
  if (design === undefined && metric.kind !== "height") texts.push(NO_DESIGN);
  return texts;
}

/** Share of the zone that has a height, 0 to 1. */
function seenShare(share: Float32Array, now: Float32Array): number {
  let [all, seen] = [0, 0];
  for (let i = 0; i < share.length; i += 1) {
    all += share[i] ?? 0;
    if (!Number.isNaN(now[i] ?? Number.NaN)) seen += share[i] ?? 0;
  }
  return all === 0 ? 0 : rounded(seen / all, 4);
}

import { readFile } from "node:fs/promises";
import type { LonLat } from "../../../../domain/geometry/geofence.ts";
import type { WorkZoneId } from "../../../../domain/ids.ts";
import type { ZoneEstimate } from "../../../../domain/sites/capture.ts";
import { isPlaced } from "../../../epoch/align-survey.ts";
import { decodeEpoch, type Epoch, encodeEpoch } from "../../../epoch/epoch-file.ts";
import { planOfRing } from "../../../epoch/plan-ring.ts";
import type { SurveyFacts } from "../../../epoch/survey-facts.ts";
import { createEnuFrame } from "../../../geometry/enu.ts";
import { applySimilarity } from "../../../geometry/similarity.ts";
import { boxOfGrid } from "../cells/lattice.ts";
import { stableGround } from "../cells/stable-mask.ts";
import { noEstimate } from "../estimate/zone-estimate.ts";
import type { FlightDatum } from "../input/flight-datum.ts";
import type { FlightInput } from "../input/flight-input.ts";
import { seenOnly } from "../registration/zone-heights.ts";
import { flightMap } from "./flight-map.ts";
import { type PlacedFlight, placeFirst, placeLater } from "./place-flight.ts";
import { estimateZones } from "./zone-work.ts";

/** What one flight says of the zones of its project. */
export interface AnalysedFlight {
  /** `undefined`: nothing ties this flight to the earlier ones. */
  readonly placed:
    | {
        readonly datum: Omit<FlightDatum, "epochKey">;
        /** File for the flights to come. */
        readonly epoch: Uint8Array;
        /** Upper left, upper right, lower right, lower left corner of the orthophoto. */
        readonly corners: readonly [LonLat, LonLat, LonLat, LonLat] | undefined;
        /** PNG: what changed since the datum's flight, with the zones; the relief of the first. */
        readonly map: Uint8Array;
        readonly mapTitle: string;
      }
    | undefined;
  readonly estimates: readonly ZoneEstimate[];
  /** Zones whose baseline this flight became. */
  readonly baselines: readonly WorkZoneId[];
  readonly warnings: readonly string[];
}

/**
 * Brings a flight into the frame of its project, or makes that frame, and works out the zones. For tasks:
 * reads the files that its input names, takes some seconds, and memory as estimated by `flightBytes`.
 */
export async function analyseFlight(input: FlightInput): Promise<AnalysedFlight> {
  const { survey, zones } = input;
  const earlier = await readEpochs(input);
  const origin = input.datum?.origin ?? survey.origin;
  const changing = [...zones.map(({ ring }) => ring), ...input.changing].map((ring) =>
    planOfRing(ring, origin),
  );
  const placed =
    input.datum === undefined
      ? placeFirst(survey)
      : placeLater(survey, input.datum, earlier, changing);
  if (placed === undefined) {
    return {
      placed: undefined,
      estimates: zones.map((zone) => noEstimate(zone, "not_aligned", [UNTIED])),
      baselines: [],
      warnings: [UNTIED],
    };
  }
  const datum = input.datum ?? madeDatum(input, placed);
  const surface = seenOnly(placed.surface);
  const ground = stableGround(surface, changing);
  const first = earlier[0]?.surface;
  const about = { surface, first, ground, placed, survey, datum };
  const estimates = await estimateZones(zones, about);
  const taken = estimates.filter((one) => one.no_estimate === "baseline_taken");
  const polygons = zones.map(({ ring }) => planOfRing(ring, origin));
  const map = await flightMap(surface, first, polygons);
  return {
    placed: {
      datum,
      epoch: encodeEpoch({
        datum: datum.id,
        surface: placed.surface,
        cameras: ownCameras(survey, placed),
        companions: input.companions,
      }),
      corners: cornersOf(input, placed),
      map: map.png,
      mapTitle: map.title,
    },
    estimates,
    baselines: taken.map(({ zone_id: id }) => id),
    warnings: placeWarnings(survey, datum),
  };
}

const UNTIED =
  "Neither images of an earlier flight nor ground that did not change tie this flight to the earlier ones: " +
  "fly more of the ground around the zones, or with RTK or control points.";

/** Epochs in the frame of the datum, in their order; what cannot be read, or lies in another frame, is left out. */
async function readEpochs({ datum, earlier }: FlightInput): Promise<readonly Epoch[]> {
  const epochs: Epoch[] = [];
  for (const { path } of earlier) {
    const epoch = decodeEpoch(await readFile(path));
    if (epoch !== undefined && epoch.datum === datum?.id) epochs.push(epoch);
  }
  return epochs;
}

function madeDatum(
  { captureId, survey }: FlightInput,
  { origin, lattice }: PlacedFlight,
): Omit<FlightDatum, "epochKey"> {
  const scaleSigma = survey.block?.summary.scaleSigma;
  return {
    version: 1,
    id: captureId,
    origin,
    lattice,
    georeferencing: survey.georeferencing,
    ...(scaleSigma === undefined ? {} : { scaleSigma }),
  };
}

/** The survey's own cameras in the frame of the datum. */
const ownCameras = ({ cameras }: SurveyFacts, { transform }: PlacedFlight) =>
  cameras.flatMap(({ sha256, kind, centre }) =>
    kind === undefined ? [] : [{ sha256, kind, centre: applySimilarity(transform, centre) }],
  );

/** Corners of the orthophoto where the zones are, which may be beside where its own positions put it. */
function cornersOf({ ortho, survey }: FlightInput, { origin, transform }: PlacedFlight) {
  if (ortho === undefined) return undefined;
  const frame = createEnuFrame(origin);
  const heightM = survey.dsm.elevationM.find((z) => !Number.isNaN(z)) ?? 0;
  const { westM, eastM, northM, southM } = boxOfGrid(ortho);
  const corner = (x: number, y: number): LonLat => {
    const [east, north] = applySimilarity(transform, [x, y, heightM]);
    const { lonDeg, latDeg } = frame.toGeodetic([east, north, 0]);
    return [lonDeg, latDeg];
  };
  return [
    corner(westM, northM),
    corner(eastM, northM),
    corner(eastM, southM),
    corner(westM, southM),
  ] as const;
}

function placeWarnings(
  { georeferencing }: SurveyFacts,
  datum: Pick<FlightDatum, "georeferencing">,
): readonly string[] {
  if (isPlaced(datum.georeferencing)) return [];
  const own = isPlaced(georeferencing) ? "the first flight's" : "the flight's";
  return [
    `Consumer GPS places ${own} images: zones may lie some metres beside where they were drawn, and intervals are wider for it.`,
  ];
}

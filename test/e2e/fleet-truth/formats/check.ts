import type { DecodedReading } from "../../../../domain/equipment/reading.ts";
import type { Measurement } from "../../../../simulators/fleet/device/measurement.ts";
import { FORMAT_CHOICES } from "../../../../simulators/fleet/formats/fleet-formats.ts";
import { FLEET_DEFAULTS, type FleetOptions } from "../../../../simulators/fleet/options.ts";
import { type FleetSummary, runFleet } from "../../../../simulators/fleet/run.ts";
import { differences, RESOLUTIONS, type Resolution } from "../../../ingest/decoders/round-trip.ts";
import { settled } from "../../../support/site.ts";
import { crossingsInEvents, type RecordedCrossing } from "../recorded.ts";
import { type FleetTarget, openFleetTarget } from "../target.ts";
import { measuredIn } from "./measured.ts";
import { storedReadings } from "./stored-readings.ts";

/** One fix in 5 s of a few machines, without noise and faults: what differs is the format. */
const FLEET = {
  ...FLEET_DEFAULTS,
  ...{ assets: 4, fences: 9, hours: 0.4, rate: 0.2, seed: 5, backlog: true, clean: true },
  // Formats without an accuracy field are then assumed to be as exact as any other.
  reportsAccuracy: false,
};
/** Fleets at a time: those that wait for answers leave the machine to others. */
const AT_ONCE = 3;
/** How long everything may take to be in its place, ms. Chosen: slow machines. */
const SETTLE_MS = 120_000;
/** Most differences that are shown of a format. */
const MOST_SHOWN = 5;
/** Fewer would show little. */
const LEAST_CROSSINGS = 10;

type Check = readonly [name: string, isSo: boolean];
type Format = Exclude<FleetOptions["format"], "mixed">;
type Timed = FleetOptions & { readonly startMs: number };

/** One fleet, which has a project of its own, and how it was acknowledged. */
interface Run {
  readonly format: Format;
  readonly options: Timed;
  readonly summary: FleetSummary;
}

/**
 * The same fleet in every format against the real program, each over its own transport. What is stored is
 * what was measured within the format's resolution, and geofence crossings are the same for all.
 */
export async function checkFormats(startMs: number): Promise<readonly Check[]> {
  const target = await openFleetTarget();
  try {
    const runs = await runAll(target, startMs);
    await settled(target.api, SETTLE_MS);
    const crossings = await crossingsInEvents(target.api);
    const crossingsOf = ({ options }: Run) => ofProject(crossings, options.projectId);
    const own = runs.find(({ format }) => format === "plumbline");
    if (own === undefined) throw new Error("nothing speaks plumbline");
    const checks: Check[] = [
      [`at least ${LEAST_CROSSINGS} crossings`, crossingsOf(own).length >= LEAST_CROSSINGS],
    ];
    for (const run of runs) {
      const { format, summary, options } = run;
      const { cutMs } = resolutionOf(format);
      const wrong = await wrongReadings(target, run);
      const unlike = unlikeCrossings(crossingsOf(run), crossingsOf(own), cutMs);
      console.log(
        `${format} as ${options.projectId}: ${summary.acknowledged} of ${summary.made} readings acknowledged, ${crossingsOf(run).length} crossings`,
      );
      for (const line of [...wrong, ...unlike].slice(0, MOST_SHOWN)) console.log(`  ${line}`);
      const isComplete = summary.made > 0 && summary.acknowledged === summary.made;
      checks.push(
        [`${format}: every reading was acknowledged`, isComplete],
        [`${format}: what is stored is what was measured`, wrong.length === 0],
        [`${format}: geofence crossings are those of plumbline`, unlike.length === 0],
      );
    }
    return checks;
  } finally {
    await target.dispose({ keepData: false });
  }
}

/** Runs the fleet in every format, in the order of `FORMAT_CHOICES`. */
async function runAll(target: FleetTarget, startMs: number): Promise<readonly Run[]> {
  const { http: url, mqttUrl, ports, key } = target;
  const formats = FORMAT_CHOICES.filter((choice) => choice !== "mixed");
  const runs: Run[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let i = next++; i < formats.length; i = next++) {
      const format = formats[i];
      if (format === undefined) return;
      const projectId = `site-${format}`;
      const options = { ...FLEET, url, mqttUrl, ports, key, format, projectId, startMs };
      runs[i] = { format, options, summary: await runFleet(options) };
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return runs;
}

function resolutionOf(format: Format): Resolution {
  const resolution = RESOLUTIONS[format];
  if (resolution === undefined) throw new Error(`no resolution of ${format}`);
  return resolution;
}

/** Where the stored rows of a fleet are not what its devices measured. */
async function wrongReadings(
  { api }: FleetTarget,
  { format, options, summary }: Run,
): Promise<readonly string[]> {
  // Fault codes are alerts, not telemetry.
  const resolution = { ...resolutionOf(format), carriesFaults: false };
  const wrong: string[] = [];
  for (const [id, measured] of measuredIn(options)) {
    const stored = await storedReadings(api, id, summary);
    wrong.push(...wrongRows(measured, stored, resolution).map((what) => `${id}: ${what}`));
  }
  return wrong;
}

/** Row by row; machines report every 5 s, so that no two readings share a time that is cut to a second. */
function wrongRows(
  measured: readonly Measurement[],
  stored: readonly DecodedReading[],
  resolution: Resolution,
): readonly string[] {
  if (measured.length === 0 || stored.length !== measured.length) {
    return [`${stored.length} rows of ${measured.length} readings`];
  }
  return measured.flatMap((m, i) => {
    const reading = stored[i];
    return reading === undefined ? [] : differences(m, reading, resolution);
  });
}

/** The crossings of one project's fences, whoever crossed them; ids without the project's. */
function ofProject(
  crossings: readonly RecordedCrossing[],
  projectId: string,
): readonly RecordedCrossing[] {
  const own = (id: string) => id.slice(projectId.length);
  return crossings
    .filter(({ fenceId }) => fenceId.startsWith(`${projectId}-fence-`))
    .map((one) => ({ ...one, assetId: own(one.assetId), fenceId: own(one.fenceId) }))
    .toSorted(
      (a, b) =>
        a.assetId.localeCompare(b.assetId) || a.fenceId.localeCompare(b.fenceId) || a.atMs - b.atMs,
    );
}

/** Where two fleets did not cross the same; the same fix may be dated up to `cutMs` earlier. */
function unlikeCrossings(
  decoded: readonly RecordedCrossing[],
  own: readonly RecordedCrossing[],
  cutMs: number,
): readonly string[] {
  const textOf = (crossing: RecordedCrossing | undefined) =>
    crossing === undefined
      ? "nothing"
      : [crossing.assetId, crossing.type, crossing.fenceId, crossing.cause, crossing.inferred].join(
          " ",
        );
  return Array.from({ length: Math.max(decoded.length, own.length) }, (_, i) => {
    const [mine, its] = [decoded[i], own[i]];
    const earlyMs = (its?.atMs ?? 0) - (mine?.atMs ?? 0);
    const isSame = textOf(mine) === textOf(its) && earlyMs >= 0 && earlyMs <= cutMs;
    return isSame ? [] : [`${textOf(mine)}, ${earlyMs} ms before ${textOf(its)}`];
  }).flat();
}

import type { AssetId } from "../../../../domain/ids.ts";
import { HOUR_MS } from "../../../../domain/time.ts";
import type { AssetDirectory, AssetEntry } from "../../../directories/asset-directory.ts";
import type { AssetSessions } from "../../../intake/asset-sessions.ts";
import { type FleetMachine, type FleetSection, readingsOf } from "../../read-fleet.ts";
import type { FleetCounters } from "./counters.ts";
import { identityOf, keptNames, machineName, matchMachine } from "./match-machine.ts";
import { PollReport } from "./poll-report.ts";
import type { SectionMemory } from "./section-memory.ts";

/**
 * Intake may wait for the journal a little after we read the clock, ms. Larger leaves out old readings that could
 * be kept; smaller has some refused.
 */
const RETENTION_MARGIN_MS = HOUR_MS;
/** Last level of the topic of our own JSON, which is what readings are handed to intake as. */
const FORMAT = "telemetry";

export interface TakeOptions {
  readonly directory: Pick<AssetDirectory, "findByHardwareId">;
  readonly sessions: Pick<AssetSessions, "take">;
  readonly memory: SectionMemory;
  /** How far back readings are kept, ms. */
  readonly retentionMs: number;
  readonly counters: FleetCounters;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** What was made of the machines of one page. */
export interface TakenPage {
  readonly report: PollReport;
  /** Machines whose readings were not stored. */
  readonly notStored: number;
}

/**
 * Hands what is new of a page's machines to intake, as readings of the assets that are registered for them;
 * resolves when it is durable, or was not taken. `seen`: the machine of each asset so far in this poll.
 */
export async function takeMachines(
  machines: readonly FleetMachine[],
  seen: Map<AssetId, string>,
  options: TakeOptions,
): Promise<TakenPage> {
  const { directory, counters } = options;
  const report = new PollReport();
  report.pages = 1;
  report.machines = machines.length;
  const taking: Promise<boolean>[] = [];
  for (const machine of machines) {
    const { header, problems } = machine;
    const where = machineName(header);
    const match = matchMachine(directory, header);
    if (match === undefined) {
      report.unmatched(keptNames(header));
      counters.fleet_machines_unmatched += 1;
      continue;
    }
    if ("problem" in match) {
      report.problem(where, match.problem);
      continue;
    }
    const identity = identityOf(header);
    if ((seen.get(match.asset.id) ?? identity) !== identity) {
      report.problem(where, `another machine of this fleet is asset ${match.asset.id} already`);
      continue;
    }
    seen.set(match.asset.id, identity);
    report.matchedMachines += 1;
    for (const problem of problems) report.problem(where, problem);
    taking.push(takeMachine(machine, match, where, report, options));
  }
  const stored = await Promise.all(taking);
  counters.fleet_machines += machines.length;
  return { report, notStored: stored.filter((isStored) => !isStored).length };
}

/** Yields whether nothing is left to take. */
async function takeMachine(
  { sections }: FleetMachine,
  entry: AssetEntry,
  where: string,
  report: PollReport,
  { sessions, memory, retentionMs, counters, now }: TakeOptions,
): Promise<boolean> {
  const nowMs = now();
  const fresh = memory.newOf(entry.asset, sections, nowMs);
  const oldestMs = nowMs - retentionMs + RETENTION_MARGIN_MS;
  // Intake takes a time that cannot be for a wrong clock, and would put the reading at this moment.
  const tooOld = fresh.filter(({ timeMs }) => timeMs < oldestMs);
  if (tooOld.length > 0) {
    const names = tooOld.map(({ name }) => name).join(", ");
    report.problem(where, `older than what is kept: ${names}`);
  }
  const taken = fresh.filter(({ timeMs }) => timeMs >= oldestMs);
  if (taken.length === 0) return true;
  const payload = payloadOf(taken);
  try {
    await sessions.take(entry, { format: FORMAT, payload: payload.bytes });
  } catch {
    counters.fleet_not_stored += 1;
    return false;
  }
  memory.took(entry.asset, taken);
  report.readings += payload.readings;
  counters.fleet_readings += payload.readings;
  return true;
}

/** Our own JSON, an array with a reading for each time. */
function payloadOf(sections: readonly FleetSection[]): {
  readonly bytes: Uint8Array;
  readonly readings: number;
} {
  const readings = readingsOf(sections);
  const rows = readings.map(({ deviceTimeMs, fields }) => ({ ...fields, timestamp: deviceTimeMs }));
  return { bytes: Buffer.from(JSON.stringify(rows)), readings: readings.length };
}

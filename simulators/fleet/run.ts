import { runClockWork } from "./clock-work.ts";
import { FleetLinks } from "./fleet-links.ts";
import type { FleetOptions } from "./options.ts";
import { createRateMeter, type FleetProgress } from "./progress.ts";
import { type Fleet, setUpFleet } from "./setup.ts";
import { writeFences, writeTruth } from "./truth/truth-file.ts";

export interface FleetHooks {
  /** Called four times a second while the fleet is out, and once at the end. */
  readonly onProgress?: (progress: FleetProgress) => void;
  /** Ends the run early: acknowledgements are waited for at most 5 s, the truth is written. */
  readonly signal?: AbortSignal;
}

/** What a run came to. Counts are readings. */
export interface FleetSummary {
  readonly startMs: number;
  readonly endMs: number;
  readonly made: number;
  /** Sent and acknowledged; each reading counts once. */
  readonly acknowledged: number;
  /** Path of truth.json, when one was asked for. */
  readonly truthFile: string | undefined;
}

const PROGRESS_MS = 250;
/** Wait for outstanding acknowledgements after the signal, ms. */
const SIGNAL_GRACE_MS = 5_000;
/**
 * At the natural end: give up when no acknowledgement came for this long, ms. Shorter leaves messages unsure at
 * a busy broker, longer only ends later.
 */
const IDLE_MS = 15_000;
/**
 * Messages waiting per asset at which a run faster than life waits for the broker. More take memory, fewer leave
 * connections idle.
 */
const ROOM_PER_ASSET = 64;
/** Above this speed an outage lasts well under a minute: the link stays up and only the data waits. */
const MAX_REAL_OUTAGE_SPEEDUP = 5;

/**
 * Simulates a fleet against a running service: creates (or takes over) projects, assets and fences
 * over HTTP, then reports over one connection per asset. With `out` it writes fences.json at
 * the start and truth.json at the end. A run with `hours: Infinity` uses constant memory and keeps
 * summaries only; it ends at the signal.
 * @throws SimulatorError when the service cannot be reached or refuses; the signal's reason when
 * it fires before the fleet is registered.
 */
export async function runFleet(
  options: FleetOptions,
  hooks: FleetHooks = {},
): Promise<FleetSummary> {
  const signal = hooks.signal ?? new AbortController().signal;
  const fleet = await setUpFleet(options, signal);
  const { assets, startMs } = fleet;
  if (options.out !== undefined) await writeFences(options.out, fleet.fences, fleet.fencesFromMs);
  const { hostname } = new URL(options.url);
  const { mqttUrl = `mqtt://${hostname}:1883`, ports } = options;
  const links = await FleetLinks.open(
    // Brackets around an IPv6 address belong to the URL.
    { mqttUrl, host: hostname.replace(/^\[|\]$/g, ""), ports },
    fleet,
    isLive(options),
  );
  let simulatedMs = startMs;
  const rate = createRateMeter();
  const report = () => hooks.onProgress?.(progressOf(fleet, links, simulatedMs, rate));
  const timer = setInterval(report, PROGRESS_MS);
  try {
    simulatedMs = await drive(options, fleet, links, signal, (atMs) => {
      simulatedMs = atMs;
    });
    for (const asset of assets) {
      links.setNetwork(asset, true);
      links.send(asset, asset.finish(simulatedMs));
    }
    await drain(links, signal);
  } finally {
    clearInterval(timer);
    report();
    await links.close();
  }
  for (const asset of assets) asset.endTrack();
  const truths = assets.map((asset) => asset.truth());
  const run = { ...fleet, seed: options.seed, endMs: simulatedMs };
  return {
    startMs,
    endMs: simulatedMs,
    made: truths.reduce((sum, truth) => sum + truth.madeCount, 0),
    acknowledged: truths.reduce((sum, truth) => sum + truth.acknowledgedCount, 0),
    truthFile: options.out === undefined ? undefined : await writeTruth(options.out, run, truths),
  };
}

/** At life's own pace: devices drop what they cannot keep. Faster, the world waits for the broker instead. */
const isLive = (options: FleetOptions): boolean => options.speedup <= 1 && !options.backlog;

/** Lets the world live and sends what the devices send; yields the simulated time reached. */
function drive(
  options: FleetOptions,
  { assets, startMs, endMs }: Fleet,
  links: FleetLinks,
  signal: AbortSignal,
  onTime: (simulatedMs: number) => void,
): Promise<number> {
  const room = ROOM_PER_ASSET * assets.length;
  const dropsNetwork = !options.backlog && options.speedup <= MAX_REAL_OUTAGE_SPEEDUP;
  return runClockWork({
    assets,
    startMs,
    endMs,
    // A live run that names no start is the present itself; any other begins when it is ready.
    beganMs: isLive(options) && options.startMs === undefined ? startMs : Date.now(),
    speedup: options.backlog ? Number.POSITIVE_INFINITY : options.speedup,
    hasRoom: () => isLive(options) || links.queued < room,
    send({ asset, messages, isOffline }) {
      if (dropsNetwork) links.setNetwork(asset, !isOffline);
      links.send(asset, messages);
    },
    signal,
    onTime,
  });
}

/** Waits for what is outstanding: 5 s after the signal, else as long as acknowledgements keep coming. */
async function drain(links: FleetLinks, signal: AbortSignal): Promise<void> {
  if (!signal.aborted && (await links.drain(IDLE_MS, signal))) return;
  if (signal.aborted) await links.drain(IDLE_MS, AbortSignal.timeout(SIGNAL_GRACE_MS));
}

function progressOf(
  { assets, startMs, endMs }: Fleet,
  links: FleetLinks,
  simulatedMs: number,
  rate: (count: number, nowMs: number) => number,
): FleetProgress {
  return {
    startMs,
    simulatedMs,
    endMs,
    assets: assets.length,
    connected: links.connected,
    made: assets.reduce((sum, asset) => sum + asset.madeCount, 0),
    sent: links.sent,
    acknowledged: links.acknowledged,
    inFlight: links.inFlight,
    queued: links.queued,
    ratePerS: rate(links.acknowledged, Date.now()),
    problem: links.problem,
  };
}

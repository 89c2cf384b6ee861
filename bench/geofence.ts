import { cpus } from "node:os";
import { keptMemory } from "./figures/kept-memory.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { median } from "./figures/median.ts";
import {
  bruteForce,
  containment,
  containmentWithSkip,
  type Engine,
  fixesRead,
  reducer,
  timelineOf,
  turf,
} from "./geofence/engines.ts";
import { clusteredFences, movingTracks } from "./geofence/moving-fleet.ts";
import { openPostgis, type Postgis } from "./geofence/postgis.ts";

/**
 * Fixes a second of moving tracks (1,000 machines, 1 to 10 m from fix to fix) against 1,000, 10,000 and
 * 100,000 fences of 20 to 60 corners, one core each. Engines: ours with and without the safe-distance skip, the
 * whole evaluator, rbush + turf, brute force, and PostGIS when DATABASE_URL names a database with it. Beside them
 * the floors: every fix read and compared with a disc that is never left, and the evaluator without a fence.
 * Of what runs in this process also the microseconds of its CPU, garbage collection included, and what a fence takes of
 * memory. The engines take turns; medians. Run: `npx tsx bench/geofence.ts [rounds [fences ...]]` (default 5)
 */
const [rounds = "5", ...counts] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const FENCE_COUNTS = counts.length > 0 ? counts.map(Number) : [1_000, 10_000, 100_000];
const ASSETS = 1_000;
const FIXES_PER_ASSET = 1_000;
/** Number of fixes for the slow engines. */
const TURF_FIXES = 250_000;
const BRUTE_EDGES = 4e8;
const PER_POINT_FIXES = 2_000;
const BATCH_FIXES = 20_000;

interface Contender {
  readonly name: string;
  readonly fixes: number;
  /** Yields the hits of its fixes; `undefined`: it counts something else. */
  readonly run: () => number | Promise<number>;
  readonly countsHits: boolean;
}

const databaseUrl = process.env["DATABASE_URL"];
console.log(`node ${process.version}, ${cpus()[0]?.model}, ${ROUNDS} rounds, fixes/s (median)`);

for (const fenceCount of FENCE_COUNTS) {
  const { made: fences, bytes: versionBytes } = keptMemory(() => clusteredFences(fenceCount));
  const tracks = movingTracks(fences, ASSETS, FIXES_PER_ASSET);
  const all = tracks.lonDeg.length;
  const { made: timeline, bytes: indexBytes } = keptMemory(() => timelineOf(fences, tracks));
  const [versionSize, indexSize] = [versionBytes, indexBytes].map((bytes) =>
    Math.round(bytes / fenceCount).toLocaleString("en"),
  );
  console.log(
    `${fenceCount} fences  bytes a fence: ${versionSize} as read, ${indexSize} more to find it`,
  );
  const noFences = timelineOf([], tracks);
  const ours = (
    name: string,
    fixes: number,
    engine: () => Engine,
    countsHits = true,
  ): Contender => ({
    name,
    fixes,
    countsHits,
    // A fresh engine each time: nothing is known of the machines.
    run: () => engine()(tracks, 0, fixes),
  });
  const turfEngine = turf(fences);
  const bruteEngine = bruteForce(fences);
  const bruteFixes = Math.max(100, Math.round(BRUTE_EDGES / (fenceCount * 40)));
  const postgis =
    databaseUrl === undefined ? undefined : await openPostgis(databaseUrl, fences, tracks);
  if (fenceCount === FENCE_COUNTS[0] && postgis !== undefined) console.log(postgis.version);

  const contenders = [
    ours("containment with skip", all, () => containmentWithSkip(timeline, tracks)),
    ours("containment", all, () => containment(timeline)),
    ours("evaluator with skip", all, () => reducer(timeline, tracks, true), false),
    ours("evaluator without skip", all, () => reducer(timeline, tracks, false), false),
    ours("floor: fixes read", all, () => fixesRead(tracks), false),
    ours("floor: evaluator, no fences", all, () => reducer(noFences, tracks, true), false),
    ours("rbush + turf", TURF_FIXES, () => turfEngine),
    ours("brute force", bruteFixes, () => bruteEngine),
    ...(postgis === undefined ? [] : postgisContenders(postgis, all)),
  ];
  const rates = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  const cpuUs = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, fixes, run, countsHits } of contenders) {
      const startedMs = performance.now();
      const startedCpu = process.cpuUsage();
      const hits = await run();
      rates.get(name)?.push((fixes / (performance.now() - startedMs)) * 1_000);
      const { user, system } = process.cpuUsage(startedCpu);
      cpuUs.get(name)?.push((user + system) / fixes);
      const expected = countsHits && round === 0 ? containment(timeline)(tracks, 0, fixes) : hits;
      if (hits !== expected) throw new Error(`${name}: ${hits} hits instead of ${expected}`);
    }
  }
  await postgis?.close();

  const best = Math.max(
    ...contenders.filter(isPostgis).map(({ name }) => median(rates.get(name) ?? [])),
  );
  for (const contender of contenders) {
    const { name } = contender;
    const rate = median(rates.get(name) ?? []);
    const ratio =
      best > 0 && !isPostgis(contender) ? ` ${(rate / best).toFixed(1)} x PostGIS' best` : "";
    const cost = isPostgis(contender)
      ? ""
      : ` ${median(cpuUs.get(name) ?? []).toFixed(3)} us of CPU`;
    console.log(
      `${String(fenceCount).padStart(6)} fences  ${name.padEnd(36)}${Math.round(rate).toLocaleString("en").padStart(12)}${cost}${ratio}`,
    );
  }
}

console.log(machineLoad());

function postgisContenders(postgis: Postgis, all: number): readonly Contender[] {
  const named = { countsHits: true };
  return [
    {
      ...named,
      name: "PostGIS per point",
      fixes: PER_POINT_FIXES,
      run: () => postgis.perPoint(PER_POINT_FIXES),
    },
    {
      ...named,
      name: "PostGIS 1,000 per query",
      fixes: BATCH_FIXES,
      run: () => postgis.batches(BATCH_FIXES),
    },
    {
      ...named,
      name: "PostGIS set-based, indexed fixes",
      fixes: all,
      run: () => postgis.setBased({ indexing: false }),
    },
    {
      ...named,
      name: "PostGIS set-based, index made first",
      fixes: all,
      run: () => postgis.setBased({ indexing: true }),
    },
  ];
}

function isPostgis({ name }: Contender): boolean {
  return name.startsWith("PostGIS");
}

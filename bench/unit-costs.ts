/**
 * What a unit of work of each hot path costs, microseconds of processor time, at small size: a message from PUBLISH
 * to PUBACK, one scanned as usual readings are and one decoded as others are, a point in journal and store, a fix against 10,000 fences, a list of 1,000 machines.
 * `bench/paired.ts` runs this of two checkouts in turns. The last line is JSON: unit to microseconds.
 *
 *   tsx bench/unit-costs.ts [unit ...]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssetId } from "../domain/ids.ts";
import { plumbline } from "../ingest/decoders/plumbline/plumbline.ts";
import { scanReading } from "../ingest/decoders/plumbline/scan-reading.ts";
import { ADMIN_KEY, FIX, openTestApp } from "../test/support/api-app.ts";
import { reducer, timelineOf } from "./geofence/engines.ts";
import { clusteredFences, movingTracks } from "./geofence/moving-fleet.ts";
import { runPublishers, startServer } from "./ingest/processes.ts";
import { readingJson } from "./ingest/publish.ts";
import { durableStore } from "./store/durable-store.ts";

const POINTS = 150_000;
const FENCES = 10_000;
const MACHINES = 1_000;
const FIXES_PER_MACHINE = 2_000;
const LISTS = 150;
const MESSAGES = 150_000;
/** Of a unit that takes a quarter of that time. */
const SCANS = 600_000;

/** Of `work`, which does `count` units, microseconds of this process for one. */
async function cpuUsOf(count: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const UNITS: Readonly<Record<string, () => Promise<number>>> = {
  /** Of the broker's process alone. */
  "acknowledged message": async () => {
    const server = await startServer("plumbline");
    const { cpuUs } = await runPublishers(server, 200, 10, 2);
    await server.stop();
    return cpuUs;
  },
  "scanned message": async () => {
    const payload = Buffer.from(readingJson(1));
    const scan = () => {
      for (let i = 0; i < SCANS; i += 1) {
        if (scanReading(payload) === undefined) throw new Error("a usual reading is not scanned");
      }
    };
    scan();
    return cpuUsOf(SCANS, scan);
  },
  "decoded message": async () => {
    const payload = Buffer.from(readingJson(1));
    const context = { assetId: "b0" as AssetId, receivedAtMs: Date.now() };
    const decode = () => {
      for (let i = 0; i < MESSAGES; i += 1) plumbline.decode(payload, context);
    };
    decode();
    return cpuUsOf(MESSAGES, decode);
  },
  "durable point": async () => {
    const dir = await mkdtemp(join(tmpdir(), "bench-unit-"));
    try {
      return (await durableStore(dir, POINTS)).cpuUs;
    } finally {
      await rm(dir, { recursive: true });
    }
  },
  "judged fix": async () => {
    const fences = clusteredFences(FENCES);
    const tracks = movingTracks(fences, MACHINES, FIXES_PER_MACHINE);
    const judge = reducer(timelineOf(fences, tracks), tracks, true);
    const count = tracks.lonDeg.length;
    judge(tracks, 0, count / 2);
    return cpuUsOf(count / 2, () => judge(tracks, count / 2, count));
  },
  "list of 1,000 machines, one of them moved": async () => {
    await using t = await openTestApp({ now: Date.now });
    const project_id = await t.project();
    const ids: AssetId[] = [];
    for (let i = 0; i < MACHINES; i += 1)
      ids.push(await t.asset({ project_id, name: `Digger ${i}` }));
    const list = async () => {
      for (let i = 0; i < LISTS; i += 1) {
        const fixTimeMs = Date.now();
        const fix = { ...FIX, latitude: 53 + i / 1e4, fixTimeMs };
        t.live(ids[i % MACHINES] as AssetId, { fix, lastUpdateMs: fixTimeMs });
        await t.get("/api/v1/equipment/assets", ADMIN_KEY);
      }
    };
    await list();
    return await cpuUsOf(LISTS, list);
  },
};

const asked = process.argv.slice(2);
const costs: Record<string, number> = {};
for (const [name, measure] of Object.entries(UNITS)) {
  if (asked.length === 0 || asked.includes(name)) costs[name] = await measure();
}
console.log(JSON.stringify(costs));

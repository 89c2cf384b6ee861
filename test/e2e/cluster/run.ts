import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { createPostgresDatabase } from "../../support/databases.ts";
import { startInfluxServer } from "../../support/influx-server.ts";
import { startMosquitto } from "../../support/mosquitto.ts";
import type { ServiceProcess } from "../../support/service-process.ts";
import { slowness } from "../../support/slowness.ts";
import { telemetryRows } from "../../support/telemetry-rows.ts";
import { until } from "../../support/until.ts";
import {
  count,
  expectedCrossings,
  missingNumbers,
  recordedCrossings,
  surplus,
} from "./evidence.ts";
import { Fleet, type Machine, machinesOf } from "./fleet.ts";
import { openGate } from "./gate.ts";
import { projectsOf, startNode } from "./nodes.ts";
import { printDiagnostics, printMissing, runsOf } from "./print-diagnostics.ts";
import { provision } from "./provision.ts";

/**
 * `npm run test:cluster`: two ingest processes on one Mosquitto, PostgreSQL and InfluxDB, 100 machines.
 * One process is cut off from InfluxDB, so that it publishes what nobody can read back, then from both
 * stores, so that it acknowledges what it cannot pass on. Then it is killed. The other takes over and gets
 * late fixes of the machines; the first comes back. Exit code 1 when anything was lost, published twice or
 * withdrawn.
 */
const MACHINES = 100;
const PROJECTS = 10;
const PAUSE_MS = 200;
/** How long each part of the run lasts, ms. */
const TOGETHER_MS = 5_000;
/** More than a whole stay of a machine in a fence, published and not in InfluxDB. */
const UNARCHIVED_MS = 3_000;
const CUT_OFF_MS = 1_500;
const ALONE_MS = 10_000;
const AGAIN_MS = 7_500;
/** The promise: a dead node's shards are taken over within this, ms. */
const TAKEOVER_MS = 15_000;
const SETTLE_MS = 90_000;

const startMs = Date.now() - 20 * 3_600_000;
const adminKey = `cluster-test-${"k".repeat(32)}`;
const checks: (readonly [name: string, passed: boolean])[] = [];

function check(name: string, passed: boolean): void {
  checks.push([name, passed]);
  console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
}

const machines: readonly Machine[] = machinesOf(MACHINES, PROJECTS);
const projectIds = [...new Set(machines.map(({ projectId }) => projectId))];

const cleanUps: (() => Promise<void>)[] = [];
try {
  await run();
} catch (error) {
  console.error(error);
  check(`the run came to its end: ${error instanceof Error ? error.message : error}`, false);
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
}
const passed = checks.filter(([, ok]) => ok).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exit(passed === checks.length ? 0 : 1);

async function run(): Promise<void> {
  const database = await createPostgresDatabase();
  cleanUps.push(() => database.drop());
  const influx = await startInfluxServer();
  cleanUps.push(() => influx.close());
  const mosquitto = await startMosquitto();
  cleanUps.push(() => mosquitto.close());
  const access = { databaseUrl: database.url, mqttUrl: mosquitto.url, adminKey };
  const databasePort = Number(new URL(database.url).port);
  const dirs = [await folder("a"), await folder("b")] as const;
  const gates = [
    { database: await openGate(databasePort), influx: await openGate(influx.port) },
    { database: await openGate(databasePort), influx: await openGate(influx.port) },
  ] as const;
  for (const gate of gates.flatMap(Object.values)) cleanUps.push(() => gate.close());

  let first = await startNode(dirs[0], access, gates[0]);
  cleanUps.push(async () => void (await first.end("SIGKILL")));
  const second = await startNode(dirs[1], access, gates[1]);
  cleanUps.push(async () => void (await second.end("SIGKILL")));
  const api = createApiClient(second.http, adminKey);
  await provision(api, machines, startMs);
  await evenlySpread(dirs, database.url);

  const fleet = new Fleet(machines, startMs, mosquitto.port, PAUSE_MS);
  cleanUps.push(() => fleet.stop().catch(() => undefined));
  await fleet.start();
  await delay(TOGETHER_MS);
  const orphaned = await projectsOf(dirs[0], projectIds, database.url);
  console.log(`the first node has ${orphaned.length} of ${PROJECTS} projects`);

  gates[0].influx.shut();
  await delay(UNARCHIVED_MS);
  gates[0].database.shut();
  await delay(CUT_OFF_MS);
  await first.end("SIGKILL");
  const killedMs = performance.now();
  const takeoverMs = await takeover(api, fleet, orphaned, killedMs);
  check(
    `taken over after ${Math.round(takeoverMs)} ms, at most ${TAKEOVER_MS}`,
    takeoverMs <= TAKEOVER_MS * slowness(),
  );

  await delay(ALONE_MS);
  await fleet.stop();
  const pending = await settledMissing(api, fleet);
  const pendingCount = count(pending);
  console.log(
    `${total(fleet)} acknowledged by the broker, ${pendingCount} known to the dead node alone`,
  );
  check("the dead node had acknowledged messages that nobody else has", pendingCount > 0);
  const isOrphaned = (assetId: string) =>
    orphaned.includes(machines.find(({ id }) => id === assetId)?.projectId ?? "");
  check("no machine of the living node lacks a message", [...pending.keys()].every(isOrphaned));
  // A gap with nothing missing behind it.
  const isBeforeDeath = [...pending.values()].every((numbers) => runsOf(numbers).length === 1);
  check("what the dead node has alone lies before its death", isBeforeDeath);
  if (!isBeforeDeath) printMissing(pending, [first, second]);

  for (const gate of Object.values(gates[0])) gate.open();
  first = await startNode(dirs[0], access, gates[0]);
  await until(
    "the returned node's messages are stored",
    async () => (await missingNumbers(api, fleet.sent)).size === 0,
    SETTLE_MS,
  ).catch(async (error: unknown) => {
    printMissing(await missingNumbers(api, fleet.sent), [first, second]);
    throw error;
  });
  check("what the dead node had acknowledged was delivered when it came back", true);
  await evenlySpread(dirs, database.url);
  await fleet.start();
  await delay(AGAIN_MS);
  await fleet.stop();
  await checkEnd(api, fleet, database.url, [first, second]);
}

/** Everything of both halves, after everybody has had time. */
async function checkEnd(
  api: ApiClient,
  fleet: Fleet,
  databaseUrl: string,
  nodes: readonly ServiceProcess[],
): Promise<void> {
  const missing = await settledMissing(api, fleet);
  check(
    `acknowledged by the broker - stored = ${count(missing)} of ${total(fleet)}`,
    missing.size === 0,
  );
  const expected = expectedCrossings(fleet.sent, startMs);
  const isComplete = async () =>
    surplus(expected, (await recordedCrossings(databaseUrl)).crossings).length === 0;
  await until("every crossing is recorded", isComplete, SETTLE_MS).catch(() => undefined);
  const { crossings, withdrawn, revised } = await recordedCrossings(databaseUrl);
  const lost = surplus(expected, crossings);
  const invented = surplus(crossings, expected);
  console.log(`${expected.length} crossings; ${revised} revised`);
  check(`crossings that were not recorded: ${lost.length} ${lost[0] ?? ""}`, lost.length === 0);
  check(
    `recorded twice, or never made: ${invented.length} ${invented[0] ?? ""}`,
    invented.length === 0,
  );
  check(
    `published and withdrawn: ${withdrawn.length} ${withdrawn[0] ?? ""}`,
    withdrawn.length === 0,
  );
  if (lost.length + invented.length + withdrawn.length > 0) {
    printDiagnostics({ "not recorded": lost, "not made": invented, withdrawn }, startMs, nodes);
  }
  for (const { output } of nodes) {
    const fatal = output.filter((line) => line.includes('"level":60'));
    check(`no pipeline gave up ${fatal[0] ?? ""}`, fatal.length === 0);
  }
}

async function folder(name: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `plumbline-node-${name}-`));
  cleanUps.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function evenlySpread(dirs: readonly [string, string], databaseUrl: string): Promise<void> {
  await until(
    "both nodes have projects",
    async () => {
      const owned = await Promise.all(dirs.map((dir) => projectsOf(dir, projectIds, databaseUrl)));
      return owned.every(({ length }) => length > 0) && owned.flat().length === PROJECTS;
    },
    60_000,
  );
  // The sessions follow the leases.
  await delay(2_000);
}

/** From the kill until a message that was sent after it is stored for every project of the dead node, ms. */
async function takeover(
  api: ApiClient,
  fleet: Fleet,
  orphaned: readonly string[],
  killedMs: number,
): Promise<number> {
  const witnesses = orphaned.flatMap((projectId) =>
    fleet.sent.filter(({ machine }) => machine.projectId === projectId).slice(0, 1),
  );
  // The message in transit may have been taken before the kill.
  const wanted = witnesses.map(({ machine, count: sent }) => ({
    id: machine.id,
    number: sent + 1,
  }));
  await until(
    "the other node has messages of every project",
    async () => {
      for (const { id, number } of wanted) {
        const newest = await newestNumber(api, id);
        if (newest < number) return false;
      }
      return true;
    },
    60_000,
  );
  return performance.now() - killedMs;
}

async function newestNumber(api: ApiClient, assetId: string): Promise<number> {
  const from = new Date(startMs).toISOString();
  const to = new Date(startMs + 24 * 3_600_000).toISOString();
  const rows = await telemetryRows(api, assetId, { from, to, fields: "number" });
  return rows.at(-1)?.["number"] ?? -1;
}

/** What is missing once it gets no less. */
async function settledMissing(
  api: ApiClient,
  fleet: Fleet,
): Promise<ReadonlyMap<string, readonly number[]>> {
  let before = Number.POSITIVE_INFINITY;
  for (;;) {
    const missing = await missingNumbers(api, fleet.sent);
    const now = count(missing);
    if (now === 0 || now === before) return missing;
    before = now;
    await delay(3_000);
  }
}

function total(fleet: Fleet): number {
  return fleet.sent.reduce((sum, { count: sent }) => sum + sent, 0);
}

/**
 * Kills the whole program again and again while trackers send Codec 8 Extended over TCP, then compares what
 * they heard acknowledged with what is stored: nothing lost, stored twice or invented.
 *
 *   npm run test:teltonika -- [rounds] [trackers]      default 10 and 20
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { createRandom } from "../../support/random.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { caughtUp } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import { judge } from "../crash/verdict.ts";
import { NUMBER_ID, Tracker } from "./tracker.ts";

const ADMIN_KEY = "teltonika-kill-admin-key-of-forty-characters";
const PROJECT = "tracker-site";
const RECORDS_PER_PACKET = 5;
const PATIENCE_MS = 30_000;
/** Load before each kill, ms. */
const LOAD_MS = { min: 200, max: 1_200 };
const FIELD = `avl_${NUMBER_ID}`;

const random = createRandom(1);
const rounds = Number(process.argv[2] ?? 10);
const count = Number(process.argv[3] ?? 20);
const dataDir = await mkdtemp(join(tmpdir(), "plumbline-teltonika-"));
const firstTimeMs = Date.now() - 24 * 3_600_000;

const start = (): Promise<ServiceProcess> =>
  startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    // The subject is loss, not the rate limit.
    environment: { DEVICE_READINGS_PER_S: "1000000", TELTONIKA_PORT: "0" },
  });

/** The port in the line that says the program is ready. */
function trackerPort({ output }: ServiceProcess): number {
  const port = /"teltonika":"tcp:\/\/127\.0\.0\.1:(\d+)"/.exec(output.join("\n"))?.[1];
  if (port === undefined) throw new Error("the ready line has no port for trackers");
  return Number(port);
}

interface TelemetryPage {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly has_more: boolean;
  readonly next_from?: string;
}

/** The number of every stored record, one for each row. */
async function storedNumbers(api: ApiClient, assetId: string): Promise<readonly number[]> {
  const numbers: number[] = [];
  const to = new Date(Date.now() + 3_600_000).toISOString();
  let from: string | undefined = new Date(firstTimeMs - 3_600_000).toISOString();
  while (from !== undefined) {
    const query = new URLSearchParams({ from, to, fields: FIELD, limit: "10000" });
    const page: TelemetryPage = await api.get(`/equipment/assets/${assetId}/telemetry?${query}`);
    for (const { [FIELD]: number } of page.data) {
      if (typeof number === "number") numbers.push(number);
    }
    from = page.has_more ? page.next_from : undefined;
  }
  return numbers;
}

const trackers = Array.from(
  { length: count },
  (_, i) =>
    new Tracker({
      id: `tracker-${i}`,
      imei: String(356_307_042_000_000 + i),
      firstTimeMs,
      recordsPerPacket: RECORDS_PER_PACKET,
    }),
);
const acked = (): number => trackers.reduce((sum, tracker) => sum + tracker.acked.size, 0);

let service = await start();
try {
  const api = () => createApiClient(service.http, ADMIN_KEY);
  const location = { latitude: 52.5, longitude: 13.4 };
  await api().post("/projects", { id: PROJECT, name: PROJECT, location });
  for (const [i, { id }] of trackers.entries()) {
    await api().post("/equipment/assets", {
      id,
      name: id,
      type: "excavator",
      project_id: PROJECT,
      decoder: "teltonika-codec8",
      hardware_id: String(356_307_042_000_000 + i),
    });
  }
  for (let round = 1; round <= rounds; round += 1) {
    const before = acked();
    for (const tracker of trackers) tracker.run(trackerPort(service));
    // A kill before anything was acknowledged would test nothing.
    await until("something is acknowledged", () => acked() > before, PATIENCE_MS);
    await delay(LOAD_MS.min + random() * (LOAD_MS.max - LOAD_MS.min));
    await service.end("SIGKILL");
    service = await start();
    console.log(`round ${round}: ${acked()} records acknowledged`);
  }
  for (const tracker of trackers) {
    tracker.run(trackerPort(service));
    tracker.pause();
  }
  const allIdle = () => trackers.every(({ isIdle }) => isIdle);
  await until("every packet is acknowledged", allIdle, PATIENCE_MS);
  await caughtUp(api());
  const stored = new Map<string, readonly number[]>();
  for (const { id } of trackers) stored.set(id, await storedNumbers(api(), id));
  const verdict = judge(trackers, stored);
  console.log(verdict);
  const { acked: told, stored: kept, lost, twice, invented } = verdict;
  const checks = [
    ["every record that was acknowledged is stored", lost === 0 && kept === told],
    ["none is stored twice", twice === 0],
    ["none is stored that was never sent", invented === 0],
  ] as const;
  for (const [name, isSo] of checks) console.log(`${isSo ? "ok  " : "FAIL"} ${name}`);
  const failed = checks.filter(([, isSo]) => !isSo).length;
  console.log(`\n${checks.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
} finally {
  for (const tracker of trackers) tracker.close();
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
}

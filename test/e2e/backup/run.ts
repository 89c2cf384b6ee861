import { spawn } from "node:child_process";
import {
  copyFile,
  cp,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { CLI_PROGRAM } from "../../support/cli-program.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import {
  runServiceProcess,
  type ServiceProcess,
  startServiceProcess,
} from "../../support/service-process.ts";
import { caughtUp, createAsset, createSite, settled, storedNumbers } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import { CrashDevice } from "../crash/device.ts";

/**
 * `npm run test:backup`: backs the real program up by the real command while devices publish, restores
 * each archive into a new folder and starts the program on it. Everything that was acknowledged before
 * the backup began must be there, once, and the same answers must come. Exit code 1 when a check fails.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "2" },
    devices: { type: "string", default: "10" },
    window: { type: "string", default: "4" },
  },
});
const rounds = Number(values.rounds);
const ADMIN_KEY = "backup-test-admin-key-of-forty-characters";
const PROJECT = "backup-site";
/** Acknowledged messages between two backups. */
const BETWEEN = 3_000;

const ENVIRONMENT = { DEVICE_READINGS_PER_S: "1000000" };

const checks: (readonly [name: string, passed: boolean])[] = [];
function check(name: string, passed: boolean): void {
  checks.push([name, passed]);
  console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
}

async function plumbline(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn(process.execPath, [...CLI_PROGRAM, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, text: text.trim() };
}

const work = await mkdtemp(join(tmpdir(), "plumbline-backup-"));
const dataDir = join(work, "data");
const ids = Array.from({ length: Number(values.devices) }, (_, i) => `crash-${i}`);
const start = (dir: string) =>
  startServiceProcess({ dataDir: dir, adminKey: ADMIN_KEY, environment: ENVIRONMENT });

let service: ServiceProcess | undefined;
const devices: CrashDevice[] = [];
try {
  service = await start(dataDir);
  const api = createApiClient(service.http, ADMIN_KEY);
  const access = await createSite(api, PROJECT, ids);
  const { key } = await api.post<{ key: string }>("/keys", {
    name: "reader",
    scopes: ["equipment:read"],
    plan: "standard",
    project_ids: [PROJECT],
  });
  await api.post("/equipment/geofences", {
    id: "yard",
    name: "Yard",
    project_id: PROJECT,
    polygon: [
      [52.4, 13.3],
      [52.4, 13.5],
      [52.6, 13.5],
      [52.6, 13.3],
    ],
  });
  const firstTimeMs = Date.now() - 24 * 3_600_000;
  for (const [i, id] of ids.entries()) {
    const { password, topic } = access.get(id) ?? { password: "", topic: "" };
    const options = { id, password, topic, timed: i % 2 === 0, firstTimeMs };
    const device = new CrashDevice({ ...options, window: Number(values.window) });
    device.run(service.mqttPort);
    devices.push(device);
  }
  const archives: { file: string; acked: ReadonlyMap<string, ReadonlySet<number>> }[] = [];
  for (let round = 1; round <= rounds; round++) {
    const goal = ackedCount() + BETWEEN;
    await until("devices publish", () => ackedCount() >= goal, PATIENT_MS);
    await createAsset(api, PROJECT, `late-${round}`);
    const acked = new Map(devices.map(({ id, acked: numbers }) => [id, new Set(numbers)]));
    const before = ackedCount();
    const file = join(work, `backup-${round}.tar`);
    const began = performance.now();
    const args = ["backup", "--to", file, "--url", service.http];
    const { code, text } = await plumbline(args, { PLUMBLINE_API_KEY: ADMIN_KEY });
    console.log(text);
    console.log(
      `backup ${round}: ${Math.round(performance.now() - began)} ms, ${ackedCount() - before} messages acknowledged meanwhile`,
    );
    check(`backup ${round} is made while devices publish`, code === 0 && ackedCount() > before);
    archives.push({ file, acked });
  }
  for (const device of devices) device.pause();
  await until(
    "nothing is in flight",
    () => devices.every(({ inFlight }) => inFlight === 0),
    60_000,
  );
  check("the service is well afterwards", (await api.text("/health/ready")).includes('"ready"'));
  check("no copies are left behind", !(await readdir(dataDir)).includes("backup-staging"));

  for (const [i, { file, acked }] of archives.entries()) {
    await checkRestored(file, acked, i + 1, key);
  }
  // The last one once more, made at rest: then the answers must be the same, byte for byte.
  await settled(api);
  const still = join(work, "still.tar");
  await plumbline(["backup", "--to", still, "--url", service.http], {
    PLUMBLINE_API_KEY: ADMIN_KEY,
  });
  const answers = await answersOf(api);
  await service.end("SIGKILL");
  const restored = join(work, "restored-still");
  await plumbline(["restore", "--from", still, "--data-dir", restored]);
  service = await start(restored);
  await settled(createApiClient(service.http, ADMIN_KEY));
  const same = await answersOf(createApiClient(service.http, ADMIN_KEY));
  const others = Object.keys(answers).filter(
    (name) => JSON.stringify(same[name]) !== JSON.stringify(answers[name]),
  );
  for (const name of others) console.log(name, answers[name], same[name]);
  check(
    `a backup at rest answers the same: ${Object.keys(answers).length} answers`,
    others.length === 0,
  );
  await service.end("SIGTERM");
  await checkRefusals(still, restored);
} finally {
  for (const device of devices) device.close();
  if (service?.isGone === false) await service.end("SIGKILL");
  await rm(work, { recursive: true, force: true });
}
const passed = checks.filter(([, ok]) => ok).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exit(passed === checks.length ? 0 : 1);

function ackedCount(): number {
  return devices.reduce((sum, device) => sum + device.acked.size, 0);
}

/** Starts the program on a restored archive and checks everything that had been acknowledged. */
async function checkRestored(
  file: string,
  acked: ReadonlyMap<string, ReadonlySet<number>>,
  round: number,
  readerKey: string,
): Promise<void> {
  const dir = join(work, `restored-${round}`);
  const { code, text } = await plumbline(["restore", "--from", file, "--data-dir", dir]);
  if (code !== 0) console.log(text);
  const restored = await start(dir);
  try {
    const api = createApiClient(restored.http, ADMIN_KEY);
    await caughtUp(api);
    let lost = 0;
    let twice = 0;
    for (const id of ids) {
      const numbers = await storedNumbers(api, id);
      const found = new Set(numbers);
      twice += numbers.length - found.size;
      for (const number of acked.get(id) ?? []) if (!found.has(number)) lost += 1;
    }
    check(`restored ${round}: acknowledged before and lost = ${lost}`, lost === 0);
    check(`restored ${round}: stored twice = ${twice}`, twice === 0);
    // Hashes are under the pepper, which came along; the key is limited to the project.
    const reader = createApiClient(restored.http, readerKey);
    const { data } = await reader.get<{ data: readonly { id: string }[] }>("/equipment/assets");
    const seen = new Set(data.map(({ id }) => id));
    check(
      `restored ${round}: keys and assets`,
      [...ids, `late-${round}`].every((id) => seen.has(id)),
    );
    const gaps = await api.get<{ data: readonly unknown[] }>(
      "/events?cursor=0&type=ingest.journal_gap",
    );
    check(`restored ${round}: no journal gap`, gaps.data.length === 0);
  } finally {
    await restored.end("SIGTERM");
  }
}

/** What clients read, by name, without what moves with the clock. */
async function answersOf(api: ApiClient): Promise<Readonly<Record<string, unknown>>> {
  const { data: visits } = await api.get<{ data: readonly object[] }>("/equipment/visits");
  const answers: Record<string, unknown> = {
    projects: await api.get("/projects"),
    fences: await api.get("/equipment/geofences"),
    // A restart adds events of its own.
    events: (await api.get<{ data: readonly unknown[] }>("/events?cursor=0")).data.slice(0, 10),
    // The duration of a visit that goes on is counted up to now.
    visits: visits.map((visit) => ({ ...visit, duration_s: 0 })),
  };
  for (const id of ids) {
    answers[`track of ${id}`] = await storedNumbers(api, id);
    answers[`place of ${id}`] = await api.get(`/equipment/assets/${id}/location`);
  }
  return answers;
}

/** What must not be restored, and where. */
async function checkRefusals(archive: string, inUse: string): Promise<void> {
  const refuses = async (name: string, from: string, to: string, why: RegExp) => {
    const { code, text } = await plumbline(["restore", "--from", from, "--data-dir", to]);
    check(name, code === 1 && why.test(text));
  };
  await refuses("a folder that is not empty is refused", archive, inUse, /is not empty/);

  const damaged = join(work, "damaged.tar");
  await copyFile(archive, damaged);
  const { size } = await stat(damaged);
  const handle = await open(damaged, "r+");
  // In the middle of some file's content; a bit, as disks lose them.
  const at = Math.floor(size / 2);
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  await handle.write(Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at);
  await handle.close();
  const target = join(work, "restored-damaged");
  await refuses("a flipped bit is found", damaged, target, /not a whole archive/);

  const start = await runServiceProcess({ dataDir: target, adminKey: ADMIN_KEY });
  const said = start.output.join("\n");
  check("no service starts on an unfinished restore", start.code === 1 && /did not end/.test(said));

  const short = join(work, "short.tar");
  await copyFile(archive, short);
  await truncate(short, Math.floor(size / 3));
  await refuses(
    "an archive that was cut off is found",
    short,
    join(work, "r2"),
    /not a whole archive/,
  );
  const text = join(work, "text.tar");
  await writeFile(text, "this is not an archive");
  await refuses(
    "a file that is not an archive is refused",
    text,
    join(work, "r3"),
    /not a whole archive/,
  );

  await cp(target, join(work, "again"), { recursive: true });
  const again = await plumbline(["restore", "--from", archive, "--data-dir", join(work, "again")]);
  check("a restore that did not end is begun anew", again.code === 0);
}

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import pg from "pg";
import { CLI_PROGRAM } from "../../support/cli-program.ts";
import { createPostgresDatabase } from "../../support/databases.ts";
import { openInfluxServer } from "../../support/influx-server.ts";
import { type KnownSource, makeSource } from "./source.ts";

/**
 * `npm run test:migrate`: fills embedded stores, migrates them with the real command to a real
 * PostgreSQL (`DATABASE_URL`) and a real InfluxDB. Kills it once with SIGKILL in the middle of the
 * telemetry and once more while it compares, and then asks both servers directly. `-- --points
 * 10000000` for the full size. Exit code 1 when a check fails.
 */
const { values } = parseArgs({
  options: {
    points: { type: "string", default: "300000" },
    assets: { type: "string", default: "20" },
  },
});
const points = Number(values.points);
const assets = Number(values.assets);

const checks: (readonly [name: string, passed: boolean])[] = [];
function check(name: string, passed: boolean): void {
  checks.push([name, passed]);
  console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
}

interface Run {
  readonly child: ChildProcess;
  readonly output: string[];
  readonly code: Promise<number | null>;
}

function migrate(dataDir: string, urls: { database: string; influx: string }): Run {
  const child = spawn(
    process.execPath,
    [
      ...CLI_PROGRAM,
      "migrate-data",
      "--from",
      dataDir,
      "--to-database",
      urls.database,
      "--to-influx",
      urls.influx,
    ],
    {
      env: { ...process.env, DATABASE_URL: "", INFLUX_URL: "" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", (line) => output.push(line));
  }
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, output, code };
}

/** Runs the command and kills it as soon as its own progress file says that `isFar`. */
async function migrateAndKill(
  dataDir: string,
  urls: { database: string; influx: string },
  isFar: (assetsBegun: number, output: readonly string[]) => boolean,
): Promise<boolean> {
  const run = migrate(dataDir, urls);
  let killed = false;
  const watch = setInterval(() => {
    void readFile(join(dataDir, "migrate-data.json"), "utf8").then(
      (text) => {
        const begun = Object.keys((JSON.parse(text) as { assets: object }).assets).length;
        if (killed || !isFar(begun, run.output)) return;
        killed = true;
        run.child.kill("SIGKILL");
      },
      () => undefined,
    );
  }, 20);
  const code = await run.code;
  clearInterval(watch);
  if (!killed) console.log(run.output.join("\n"));
  return killed && code === null;
}

/** What PostgreSQL says itself. */
async function checkRecords(url: string, known: KnownSource): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [table, rows] of Object.entries(known.rows)) {
    const { rows: found } = await client.query(`SELECT count(*)::int AS n FROM ${table}`);
    check(`PostgreSQL has ${rows} rows of ${table}`, found[0].n === rows);
  }
  const { rows } = await client.query(
    "SELECT name, latitude, (SELECT md5(payload) FROM quarantine LIMIT 1) AS payload, (SELECT state FROM asset_state LIMIT 1) AS state FROM projects ORDER BY id LIMIT 1",
  );
  const [first] = rows;
  // MD5 of the bytes 0 to 255.
  const spoilt =
    first.name !== 'It\'s "north-yard" \\ \t 🚜 {a,b} NULL' ||
    first.latitude !== 0.1 + 0.2 ||
    first.payload !== "e2c865db4162bed963bfaa9ef6ac18f0" ||
    first.state !== '{"text":"\\u0000 is kept"}';
  check("text, numbers, bytes and JSON are as they were", !spoilt);
  await client.end();
}

/** What InfluxDB says itself, per asset. */
async function checkTelemetry(url: string, known: KnownSource): Promise<void> {
  const query = new URLSearchParams({
    db: "plumbline",
    rp: "plumbline",
    q: 'SELECT count("load_percent"), sum("load_percent") FROM "telemetry" GROUP BY "asset"',
  });
  const answer = (await (await fetch(`${url}/query?${query}`)).json()) as {
    results: [{ series?: { tags: { asset: string }; values: [[number, number, number]] }[] }];
  };
  const found = new Map(
    (answer.results[0].series ?? []).map(({ tags, values: [[, count, sum]] }) => [
      tags.asset,
      { count, sum },
    ]),
  );
  const wrong = [...known.assets].filter(([id, { points: count, loadSum }]) => {
    const one = found.get(id);
    return one === undefined || one.count !== count || one.sum !== loadSum;
  });
  check(
    `InfluxDB has the points of ${known.assets.size} assets by count and sum`,
    wrong.length === 0,
  );
  const total = [...found.values()].reduce((sum, { count }) => sum + count, 0);
  console.log(`InfluxDB holds ${total} points`);
}

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-migrate-"));
const influx = await openInfluxServer();
const database = await createPostgresDatabase();
const urls = { database: database.url, influx: influx.url };
try {
  const began = performance.now();
  const known = await makeSource(dataDir, { points, assets, nowMs: Date.now() });
  console.log(`source of ${points} points made in ${seconds(began)} s`);

  const copying = performance.now();
  check(
    "SIGKILL in the middle of the telemetry",
    await migrateAndKill(dataDir, urls, (begun) => begun > assets / 3),
  );
  check(
    "SIGKILL while it compares",
    await migrateAndKill(dataDir, urls, (_, output) => output.some((line) => /^verify/.test(line))),
  );
  const last = migrate(dataDir, urls);
  const code = await last.code;
  console.log(last.output.join("\n"));
  console.log(`three runs took ${seconds(copying)} s`);
  const summary = last.output.find((line) => line.includes("are equal on both sides")) ?? "";
  check("the command ends well", code === 0);
  check("it went on where it was", summary.startsWith("resumed;"));
  const wanted = [...known.assets.values()].reduce((sum, { points: count }) => sum + count, 0);
  check(`it counts ${wanted} points`, summary.includes(` ${wanted} points of ${assets} assets`));
  await checkRecords(urls.database, known);
  await checkTelemetry(urls.influx, known);

  const again = migrate(dataDir, urls);
  const refused = (await again.code) === 1 && again.output.some((line) => /not empty/.test(line));
  check("a target that holds something is refused", refused);
} finally {
  await database.drop();
  await influx.close();
  await rm(dataDir, { recursive: true });
}
const passed = checks.filter(([, ok]) => ok).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exit(passed === checks.length ? 0 : 1);

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

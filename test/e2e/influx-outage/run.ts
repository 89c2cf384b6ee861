import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { INFLUXDB, startInfluxServer } from "../../support/influx-server.ts";
import { INFLUXDB2, startInflux2Server } from "../../support/influx2-server.ts";
import { startPostgresServer, whyNoPostgres } from "../../support/postgres-server.ts";
import { type Outage, type OutageFindings, runOutage } from "./outages.ts";
import { openScene } from "./scene.ts";

/**
 * `npm run test:influx-outage`: the real program in front of a real InfluxDB 1, under live load, while
 * InfluxDB is stopped, refuses, fails or is slow, and while each of the processes is killed. Every
 * acknowledged message must be in InfluxDB once. `--outage-s 600 --kills 20` is the size of the issue;
 * the default is the small one of `.ci/run`. `--only` takes a part or one kind of outage; `--influx 2` an InfluxDB 2.
 */
const { values } = parseArgs({
  options: {
    "outage-s": { type: "string", default: "10" },
    rate: { type: "string", default: "2000" },
    devices: { type: "string", default: "20" },
    kills: { type: "string", default: "2" },
    only: { type: "string", default: "" },
    influx: { type: "string", default: "1" },
  },
});
const outageMs = Number(values["outage-s"]) * 1_000;
const ratePerS = Number(values.rate);
const kills = Number(values.kills);
const devices = Number(values.devices);
const [INFLUX, startInflux] =
  values.influx === "2" ? [INFLUXDB2, startInflux2Server] : [INFLUXDB, startInfluxServer];
const KINDS: readonly Outage[] = ["stopped", "refused", "errors", "slow"];
const OUTAGES = KINDS.filter((kind) => values.only === kind);
if (OUTAGES.length === 0) OUTAGES.push(...KINDS);
const MOST_GROWTH_BYTES = 100 * 1024 ** 2;
/**
 * Compilers and caches settle before memory is measured, ms: the open chunks of the local store fill for
 * the first minute, outage or not. Short runs are for the losses and warm up for less.
 */
const WARM_UP_MS = Math.min(90_000, Math.max(15_000, outageMs / 5));

type Check = readonly [name: string, passed: boolean, found: unknown];
const checks: Check[] = [];

function check(name: string, passed: boolean, found: unknown): void {
  checks.push([name, passed, found]);
  console.log(`${passed ? "ok  " : "FAIL"} ${name}: ${JSON.stringify(found)}`);
}

function checkOutage(found: OutageFindings): void {
  const { outage, during, growthBytes, drainedPerS, unacknowledged, backlogRecords } = found;
  const seconds = outageMs / 1_000;
  // Devices wait where acknowledgements do not come: then fewer are sent than the rate asks for.
  check(
    `${outage}: every publish is acknowledged at the rate it is sent`,
    found.acknowledged > 0.9 * ratePerS * seconds && unacknowledged < ratePerS,
    [found.acknowledged, unacknowledged],
  );
  check(
    `${outage}: the backlog is in the journal`,
    backlogRecords > 0.5 * ratePerS * seconds,
    backlogRecords,
  );
  check(
    `${outage}: memory grows by less than 100 MB`,
    growthBytes < MOST_GROWTH_BYTES,
    growthBytes,
  );
  check(`${outage}: drained at twice the live rate or faster`, drainedPerS >= 2 * ratePerS, [
    Math.round(drainedPerS),
    `${Math.round(found.drainMs)} ms`,
  ]);
  check(
    `${outage}: the map and recent tracks are answered throughout`,
    during.refusals === 0 && during.answers > 4,
    [during.answers, during.refusals, `slowest ${Math.round(during.slowestMs)} ms`],
  );
}

async function outages(): Promise<void> {
  const scene = await openScene({ devices, startInflux });
  try {
    for (const device of scene.devices) device.publish(ratePerS / devices);
    await delay(WARM_UP_MS);
    for (const outage of OUTAGES) {
      checkOutage(await runOutage(scene, outage, { forMs: outageMs, ratePerS }));
    }
    const tally = await scene.tally();
    check(
      "outages: InfluxDB holds what was acknowledged, each once",
      tally.lost === 0 && tally.twice === 0 && tally.invented === 0 && tally.acked > 0,
      tally,
    );
    check(
      "outages: the order of each asset is kept",
      scene.proxy.disorder === 0,
      scene.proxy.disorder,
    );
  } finally {
    await scene.close();
  }
}

/** Kills one of the processes `kills` times under load. */
async function killed(
  what: "plumbline" | "influxdb" | "postgresql",
  environment: Readonly<Record<string, string>>,
  kill: (scene: Awaited<ReturnType<typeof openScene>>) => Promise<void>,
): Promise<void> {
  const scene = await openScene({ devices, environment, startInflux });
  try {
    for (const device of scene.devices) device.publish(ratePerS / devices);
    for (let round = 1; round <= kills; round += 1) {
      await delay(1_000 + Math.random() * 2_000);
      await kill(scene);
    }
    await delay(2_000);
    const tally = await scene.tally();
    check(
      `${what} killed ${kills} times: lost 0, doubled 0`,
      tally.lost === 0 && tally.twice === 0 && tally.invented === 0 && tally.acked > 0,
      tally,
    );
  } finally {
    await scene.close();
  }
}

async function postgresKilled(): Promise<void> {
  const absent = whyNoPostgres();
  if (absent !== undefined) {
    if ((process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes("postgres")) {
      check("PostgreSQL is there, as required", false, absent);
    } else console.log(`skipped: PostgreSQL killed (${absent})`);
    return;
  }
  const postgres = await startPostgresServer();
  try {
    await killed("postgresql", { DATABASE_URL: postgres.url }, () => postgres.crash());
  } finally {
    await postgres.close();
  }
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  outages,
  plumbline: () => killed("plumbline", {}, (scene) => scene.restart()),
  influxdb: () =>
    killed("influxdb", {}, async ({ influx }) => {
      await influx.kill("SIGKILL");
      await delay(500);
      await influx.start();
    }),
  postgresql: postgresKilled,
};

const only = KINDS.some((kind) => kind === values.only) ? "outages" : values.only;
if (only !== "" && PARTS[only] === undefined) {
  const names = [...Object.keys(PARTS), ...KINDS].join(", ");
  check(`--only ${values.only} is one of ${names}`, false, values.only);
} else if (INFLUX.absent !== undefined) {
  if (INFLUX.required) check("InfluxDB is there, as required", false, INFLUX.absent);
  else console.log(`skipped: ${INFLUX.absent}`);
} else {
  for (const [name, run] of Object.entries(PARTS)) {
    if (only !== "" && only !== name) continue;
    await run().catch((error: unknown) => check(`${name} runs to its end`, false, String(error)));
  }
}
const passed = checks.filter(([, ok]) => ok).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exit(passed === checks.length ? 0 : 1);

import { parseArgs } from "node:util";
import { slowness } from "../../support/slowness.ts";
import {
  diskFullIsRequired,
  type FileSystem,
  mountSmallDisk,
  type SmallDisk,
} from "../../support/small-disk.ts";
import { type Findings, KEEPALIVE_S, runScenario } from "./scenario.ts";
import { runTwoTenants } from "./two-tenants.ts";
import { checksOfControl, checksOfTwoTenants } from "./two-tenants-checks.ts";

/**
 * `npm run test:disk-full`: lets the real program run out of disk under load on a small file system of
 * its own, frees space, and checks every acknowledged message. Needs root to mount; without it the
 * run is skipped, which is a failure when `REQUIRE_BACKENDS` contains `diskfull`. Exit code 1 when an
 * expectation fails.
 */
const { values } = parseArgs({
  options: {
    devices: { type: "string", default: "8" },
    only: { type: "string", default: "" },
    /** Of the other tenant's devices while uploads fill the disk. */
    messages: { type: "string", default: "60000" },
  },
});

const only = values.only.split(",").filter((name) => name !== "");

const MIB = 1024 ** 2;
/** Room for the database, some segments of the journal and the telemetry. */
const DISK_BYTES = 900 * MIB;
const RESUME_MS = 30_000;
const KEEPALIVE_MS = KEEPALIVE_S * 1_000;
/** Held messages are retried every 250 ms; the rest is for a loaded machine. */
const HOLD_SLACK_MS = 6_000;

interface Scenario {
  readonly name: string;
  readonly fileSystem: FileSystem;
  readonly reserveBytes: number;
  readonly roomBytes: number;
  readonly fullMs: number;
  readonly killWhenFull: boolean;
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "reserve",
    fileSystem: "tmpfs",
    reserveBytes: 48 * MIB,
    roomBytes: 100 * MIB,
    fullMs: 20_000,
    killWhenFull: false,
  },
  // No reserve and not one byte left: journal, LMDB and PGlite all get ENOSPC.
  {
    name: "nothing-left",
    fileSystem: "tmpfs",
    reserveBytes: 0,
    roomBytes: 0,
    fullMs: 75_000,
    killWhenFull: false,
  },
  {
    name: "nothing-left-ext4",
    fileSystem: "ext4",
    reserveBytes: 0,
    roomBytes: 0,
    fullMs: 45_000,
    killWhenFull: false,
  },
  {
    name: "killed-when-full",
    fileSystem: "tmpfs",
    reserveBytes: 0,
    roomBytes: 0,
    fullMs: 15_000,
    killWhenFull: true,
  },
];

/** Two tenants on one disk: one uploads without end, the other one's devices publish. */
interface TenantScenario {
  readonly name: string;
  readonly fileSystem: FileSystem;
  readonly patienceMs: number;
  /** Whether somebody writes who asks for no admission: it has to be seen that the checks can fail. */
  readonly isControl: boolean;
}

const TENANT_DISK_BYTES = 400 * MIB;
const TENANT_RESERVE_BYTES = 16 * MIB;
const TENANT_MARGIN_BYTES = 56 * MIB;

const TENANT_SCENARIOS: readonly TenantScenario[] = [
  {
    name: "two-tenants",
    fileSystem: "ext4",
    patienceMs: 600_000,
    isControl: false,
  },
  {
    name: "two-tenants-unadmitted",
    fileSystem: "ext4",
    patienceMs: 60_000,
    isControl: true,
  },
];

const names = [...SCENARIOS, ...TENANT_SCENARIOS].map(({ name }) => name);
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  const known = names.join(", ");
  throw new RangeError(`there is no scenario ${unknown.join(", ")}; there are ${known}`);
}

type Check = readonly [name: string, passed: boolean, found: unknown];

function checksOfScenario(scenario: Scenario, findings: Findings): readonly Check[] {
  const { reasons, heldMs, refusals, resumedMs, tallies, registered, startWhenFull } = findings;
  const [before, after] = tallies;
  const slow = slowness();
  const reserve: readonly Check[] = [
    [
      "nothing is acknowledged while it is full",
      findings.ackedWhenFull === 0,
      findings.ackedWhenFull,
    ],
  ];
  return [
    ["the process lives", findings.alive, findings.alive],
    ["/health/ready answers 503 with the reason", reasons.some((why) => /full/.test(why)), reasons],
    [
      `PUBACKs are held for the keep-alive of ${KEEPALIVE_S} s, then the connection is closed`,
      heldMs.length > 0 &&
        heldMs.every((ms) => ms >= KEEPALIVE_MS - 50 && ms <= KEEPALIVE_MS + HOLD_SLACK_MS * slow),
      spread(heldMs),
    ],
    [
      "CONNECT gets return code 3",
      refusals.length > 0 && refusals.every((code) => code === 3),
      [...new Set(refusals)],
    ],
    ["QoS 0 is dropped and counted", findings.droppedQos0 > 0, findings.droppedQos0],
    [
      "reads answer 200",
      findings.readStatuses.every((code) => code === 200),
      findings.readStatuses,
    ],
    [
      "writes answer 201, 500 or 507, and 201 only for what is kept",
      findings.writeStatuses.every((code) => [201, 500, 507].includes(code)) &&
        registered[0] === registered[1],
      [findings.writeStatuses, registered],
    ],
    ...(scenario.reserveBytes > 0 ? reserve : []),
    [
      "a start on the full disk serves, or says in one line why not",
      startWhenFull === undefined ||
        startWhenFull === "ready" ||
        /^exit 1: plumbline: [^\n]+$/.test(startWhenFull),
      startWhenFull,
    ],
    [
      "acknowledges again within 30 s",
      resumedMs.acked < RESUME_MS * slow,
      Math.round(resumedMs.acked),
    ],
    ["is ready again within 30 s", resumedMs.ready < RESUME_MS * slow, Math.round(resumedMs.ready)],
    ["something was acknowledged", before.acked > 1_000, before.acked],
    ["acknowledged - stored = 0", before.lost === 0 && after.lost === 0, [before.lost, after.lost]],
    ["stored twice = 0", before.twice === 0 && after.twice === 0, [before.twice, after.twice]],
    ["stored but never sent = 0", before.invented === 0 && after.invented === 0, before.invented],
  ];
}

const spread = (values: readonly number[]): string =>
  values.length === 0
    ? "none"
    : `${values.length} times, ${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))} ms`;

let passed = 0;
let failed = 0;

/** Runs one scenario on a disk of its own and counts its checks. */
async function runOn(
  { name, fileSystem }: { readonly name: string; readonly fileSystem: FileSystem },
  diskBytes: number,
  run: (disk: SmallDisk, log: (line: string) => void) => Promise<readonly Check[]>,
): Promise<void> {
  if (only.length > 0 && !only.includes(name)) return;
  const disk = await mountSmallDisk(fileSystem, diskBytes);
  if ("unavailable" in disk) {
    const required = diskFullIsRequired();
    console.log(`${required ? "FAIL" : "skip"} ${name}: ${disk.unavailable}`);
    if (required) failed += 1;
    return;
  }
  try {
    for (const [check, ok, found] of await run(disk, (line) => console.log(`${name}: ${line}`))) {
      if (ok) passed += 1;
      else failed += 1;
      console.log(`${ok ? "ok  " : "FAIL"} ${name}: ${check} (${JSON.stringify(found)})`);
    }
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}:`, error);
  } finally {
    await disk.unmount();
  }
}

const devices = Number(values.devices);
for (const scenario of SCENARIOS) {
  await runOn(scenario, DISK_BYTES, async (disk, log) =>
    checksOfScenario(scenario, await runScenario({ ...scenario, disk, devices, log })),
  );
}
for (const scenario of TENANT_SCENARIOS) {
  await runOn(scenario, TENANT_DISK_BYTES, async (disk, log) => {
    const about = {
      messages: Number(values.messages),
      reserveBytes: TENANT_RESERVE_BYTES,
      marginBytes: TENANT_MARGIN_BYTES,
      isUnadmitted: scenario.isControl,
    };
    const findings = await runTwoTenants({ ...scenario, ...about, disk, devices, log });
    return scenario.isControl ? checksOfControl(findings) : checksOfTwoTenants(findings, about);
  });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

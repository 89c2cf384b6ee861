import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MOSQUITTO_BROKER, startMosquitto } from "../../support/mosquitto.ts";
import { caughtUp, type DeviceAccess, storedNumbers } from "../../support/site.ts";
import { publishBacklog } from "./raw-backlog.ts";
import type { Check, MqttWorld } from "./world.ts";

const PAHO = fileURLToPath(new URL("./paho_backlog.py", import.meta.url));
/** Longest time for one backlog, s: the machine may have ten times the work that it has cores for. */
const LIMIT_S = 300;

interface Run {
  readonly completed: number;
  readonly connects: number;
  readonly seconds: number;
}

/**
 * Devices with `count` messages of QoS 2 that wait when the connection comes: paho-mqtt, and a client that
 * releases none before it has the PUBREC of all. Beside them paho-mqtt at Mosquitto, for the time.
 */
export async function checkBacklogs(world: MqttWorld, count: number): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const checkRun = async (name: string, device: DeviceAccess, run: Run): Promise<void> => {
    await caughtUp(world.api);
    const stored = await storedNumbers(world.api, device.username);
    console.log(`${name}: ${JSON.stringify(run)}, ${stored.length} stored`);
    checks.push([`${name}: all ${count} completed`, run.completed === count]);
    checks.push([`${name}: in one connection`, run.connects === 1]);
    checks.push([`${name}: each stored once`, isEachOnce(stored, count)]);
  };
  const raw = await world.device("backlog-raw");
  await checkRun("all unreleased at once", raw, await publishBacklog(world.mqttPort, raw, count));
  const python = pythonWithPaho();
  if (python !== undefined) {
    const device = await world.device("backlog-paho");
    await checkRun("paho-mqtt", device, await runPaho(python, world.mqttPort, device, count));
    await compareWithMosquitto(python, count);
  } else {
    console.log("paho-mqtt: not installed (python3-paho-mqtt)");
    const isRequired = (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes("paho");
    if (isRequired) checks.push(["paho-mqtt: is installed", false]);
  }
  return checks;
}

async function compareWithMosquitto(python: string, count: number): Promise<void> {
  if (MOSQUITTO_BROKER.absent !== undefined) return;
  // At a limit it closes the connection of a client that has more unreleased, again and again.
  const server = await startMosquitto({
    lines: ["allow_anonymous true", "max_inflight_messages 0"],
  });
  try {
    const nobody = { username: "", password: "", topic: "sites/p/assets/a/telemetry" };
    const run = await runPaho(python, server.port, nobody, count);
    console.log(`paho-mqtt at Mosquitto: ${JSON.stringify(run)}`);
  } finally {
    await server.close();
  }
}

/** Whether the numbers are 0 to `count` - 1, each once, in whatever order. */
function isEachOnce(numbers: readonly number[], count: number): boolean {
  return (
    numbers.length === count && new Set(numbers).size === count && Math.max(...numbers) < count
  );
}

/** The Python that has paho-mqtt; Debian's package belongs to Debian's Python. */
function pythonWithPaho(): string | undefined {
  return ["python3", "/usr/bin/python3"].find((python) => {
    try {
      execFileSync(python, ["-c", "import paho.mqtt.client"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

async function runPaho(
  python: string,
  port: number,
  device: DeviceAccess,
  count: number,
): Promise<Run> {
  const { username, password, topic } = device;
  const names = ["127.0.0.1", String(port), username, password, topic];
  const args = [PAHO, ...names, String(count), String(LIMIT_S)];
  const { stdout } = await promisify(execFile)(python, args);
  return JSON.parse(stdout) as Run;
}

import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Receipt, readReceipts } from "./device-log.ts";

/** Points in a device's work on a command at which it is killed. */
export type KillPoint = "received" | "logged" | "acknowledged" | "answered";

/** A device that takes commands, as a process of its own that is killed and started again. */
export interface CommandDevice {
  /** The asset that is commanded; one process may be several. */
  readonly assetId: string;
  readonly points: readonly KillPoint[];
  /** What it received across all its lives, oldest first. */
  receipts(): readonly Receipt[];
  /** From its next life on it kills itself at `point` of its command number `after` in that life. */
  killAt(point: KillPoint, after: number): void;
  kills(): number;
  close(): void;
}

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** The one with python3-paho-mqtt of the system's packages. */
const PYTHON = process.env["PYTHON"] ?? "/usr/bin/python3";

/** A process that is started again whenever it ends. */
class Revived {
  #child: ChildProcess | undefined;
  #isClosed = false;
  #planned: readonly [KillPoint | "never", number] = ["never", 0];
  kills = 0;
  readonly #start: (point: string, after: string) => ChildProcess;

  constructor(start: (point: string, after: string) => ChildProcess) {
    this.#start = start;
    this.#run();
  }

  #run(): void {
    if (this.#isClosed) return;
    const [point, after] = this.#planned;
    this.#planned = ["never", 0];
    const child = this.#start(point, String(after));
    this.#child = child;
    child.once("exit", (_code, signal) => {
      if (signal === "SIGKILL" && !this.#isClosed) this.kills += 1;
      setTimeout(() => this.#run(), 100);
    });
  }

  /** Ends this life, so that the next one is killed at the point. */
  killAt(point: KillPoint, after: number): void {
    this.#planned = [point, after];
    this.#child?.kill("SIGKILL");
  }

  close(): void {
    this.#isClosed = true;
    this.#child?.kill("SIGKILL");
  }
}

/** `python3-paho-mqtt` on our own topic, or as ThingsBoard's RPC. */
export function pahoDevice(options: {
  readonly port: number;
  readonly assetId: string;
  readonly password: string;
  readonly mode: "own" | "thingsboard";
  readonly dir: string;
}): CommandDevice {
  const { port, assetId, password, mode, dir } = options;
  const log = join(dir, `${assetId}.log`);
  const script = join(HERE, "paho_device.py");
  const revived = new Revived((point, after) =>
    spawn(PYTHON, [script, String(port), assetId, password, mode, log, point, after], {
      stdio: ["ignore", "inherit", "inherit"],
    }),
  );
  return deviceOf(revived, assetId, log, ["received", "logged", "acknowledged", "answered"]);
}

/** A tracker over TCP. */
export function trackerDevice(options: {
  readonly port: number;
  readonly assetId: string;
  readonly imei: string;
  readonly dir: string;
}): CommandDevice {
  const { port, assetId, imei, dir } = options;
  const log = join(dir, `${assetId}.log`);
  const revived = new Revived((point, after) =>
    tsx("codec12-device.ts", [String(port), imei, log, point, after]),
  );
  return deviceOf(revived, assetId, log, ["received", "logged", "answered"]);
}

/** An edge node and the device behind it: one process, two assets. */
export function sparkplugDevices(options: {
  readonly port: number;
  readonly nodeId: string;
  readonly deviceId: string;
  readonly password: string;
  readonly names: readonly [group: string, node: string, device: string];
  readonly dir: string;
}): readonly [CommandDevice, CommandDevice] {
  const { port, nodeId, deviceId, password, names, dir } = options;
  const logs = [join(dir, `${nodeId}.log`), join(dir, `${deviceId}.log`)] as const;
  const revived = new Revived((point, after) =>
    tsx("sparkplug-device.ts", [String(port), nodeId, password, ...names, ...logs, point, after]),
  );
  const points = ["received", "logged", "answered"] as const;
  return [deviceOf(revived, nodeId, logs[0], points), deviceOf(revived, deviceId, logs[1], points)];
}

/**
 * `mosquitto_sub`, whose lines are the log; each command is answered by a `mosquitto_pub`. It is killed by its
 * parent when a line comes: its own PUBACK is out by then.
 */
export function mosquittoDevice(options: {
  readonly port: number;
  readonly assetId: string;
  readonly password: string;
  readonly dir: string;
}): CommandDevice {
  const { port, assetId, password, dir } = options;
  const log = join(dir, `${assetId}.log`);
  const login = ["-h", "127.0.0.1", "-p", String(port), "-u", assetId, "-P", password];
  let isClosed = false;

  /** Again and again, until the broker has acknowledged it. */
  function answer(topic: string): void {
    if (isClosed) return;
    const args = [...login, "-i", `${assetId}-answers`, "-t", topic, "-q", "1"];
    const child = spawn("mosquitto_pub", [...args, "-m", '{"status":"ok"}'], { stdio: "ignore" });
    child.once("exit", (code) => {
      if (code !== 0) setTimeout(() => answer(topic), 200);
    });
  }

  const revived = new Revived((point, after) => {
    const topic = `sites/+/assets/${assetId}/commands`;
    const args = [...login, "-i", assetId, "-t", topic, "-q", "1", "-F", "%t %p"];
    const child = spawn("mosquitto_sub", args, { stdio: ["ignore", "pipe", "ignore"] });
    let received = 0;
    createInterface({ input: child.stdout }).on("line", (line) => {
      received += 1;
      const [from = ""] = line.split(" ", 1);
      const body = JSON.parse(line.slice(from.length + 1));
      appendFileSync(log, `${JSON.stringify({ got: body.id, attempt: body.attempt })}\n`);
      if (point !== "never" && received >= Number(after)) child.kill("SIGKILL");
      answer(`${from}/${body.id}/reply`);
    });
    return child;
  });
  const device = deviceOf(revived, assetId, log, ["acknowledged"]);
  return {
    ...device,
    close() {
      isClosed = true;
      device.close();
    },
  };
}

function deviceOf(
  revived: Revived,
  assetId: string,
  log: string,
  points: readonly KillPoint[],
): CommandDevice {
  return {
    assetId,
    points,
    receipts: () => readReceipts(log),
    killAt: (point, after) => revived.killAt(point, after),
    kills: () => revived.kills,
    close: () => revived.close(),
  };
}

const tsx = (script: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ["--import", "tsx", join(HERE, script), ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });

/**
 * Messages per second that are taken from a real Mosquitto, decoded, made durable and then acknowledged:
 * our client, beside mqtt.js with its own late acknowledgement, in one run; medians of the rounds. Each
 * project is one persistent session; the broker holds 200,000 messages of 200 devices for them, so that
 * publishers take no part of the machine.
 *
 *   tsx bench/remote-broker.ts [rounds]
 */

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MOSQUITTO_BROKER, startMosquitto } from "../test/support/mosquitto.ts";
import { median } from "./figures/median.ts";
import { DEVICES, publishAll } from "./remote-broker/publish.ts";
import { type Kind, subscribe } from "./remote-broker/subscribers.ts";

const SCRIPT = fileURLToPath(import.meta.url);
const PROJECTS = [1, 8];
const KINDS: readonly Kind[] = ["plumbline", "mqtt.js"];
const ROUNDS = 3;
const PER_DEVICE = 1_000;
/** Whoever has not taken all by then is measured by what it has, ms. */
const LONGEST_MS = 6_000;
const LOOK_MS = 20;

const role = (...args: readonly (string | number)[]): ChildProcess =>
  fork(SCRIPT, args.map(String), { execArgv: ["--import", "tsx"] });

const next = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`child ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });

async function durableSoFar(subscriber: ChildProcess): Promise<number> {
  const answer = next<number>(subscriber);
  subscriber.send("count");
  return answer;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(kind: Kind, projects: number): Promise<number> {
  const mosquitto = await startMosquitto();
  // The sessions are made, and left.
  const before = role("subscribe", kind, mosquitto.port, projects);
  await next(before);
  before.send("stop");
  await ended(before);
  const publisher = role("publish", mosquitto.port, projects);
  await ended(publisher);
  const subscriber = role("subscribe", kind, mosquitto.port, projects);
  await next(subscriber);
  const firstCount = await durableSoFar(subscriber);
  const startMs = performance.now();
  let count = firstCount;
  while (count < DEVICES * PER_DEVICE && performance.now() - startMs < LONGEST_MS) {
    await pause(LOOK_MS);
    count = await durableSoFar(subscriber);
  }
  const perS = (count - firstCount) / ((performance.now() - startMs) / 1_000);
  subscriber.send("stop");
  await ended(subscriber);
  await mosquitto.close();
  return Math.round(perS);
}

async function compare(rounds: number): Promise<void> {
  if (MOSQUITTO_BROKER.absent !== undefined) throw new Error(MOSQUITTO_BROKER.absent);
  const rows: Record<string, number | string>[] = [];
  for (const projects of PROJECTS) {
    const results = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of KINDS) {
        const perS = await measure(kind, projects);
        console.log(`${kind}, ${projects} sessions: ${perS} msg/s`);
        results.get(kind)?.push(perS);
      }
    }
    const medians = KINDS.map((kind) => median(results.get(kind) ?? []));
    const [ours = 0, theirs = 1] = medians;
    rows.push({
      sessions: projects,
      "plumbline, msg/s": ours,
      "mqtt.js, msg/s": theirs,
      ratio: (ours / theirs).toFixed(1),
    });
  }
  console.table(rows);
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === "subscribe") {
  await subscribe(rest[0] as Kind, Number(rest[1]), Number(rest[2]));
} else if (mode === "publish") {
  await publishAll(Number(rest[0]), Number(rest[1]), PER_DEVICE);
  process.exit(0);
} else {
  await compare(mode === undefined ? ROUNDS : Number(mode));
}

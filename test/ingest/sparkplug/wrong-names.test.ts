import { describe, expect, it } from "vitest";
import { EdgeNode } from "../../../ingest/sparkplug/edge-node.ts";
import type { NodeMessage } from "../../../ingest/sparkplug/node-message.ts";
import type { MetricToWrite } from "../../../simulators/fleet/formats/sparkplug-payload.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type EdgeMessage, nodeMessage } from "./edge-messages.ts";

const RUNS = 40;
const STEPS = 250;
/** A rate of losses that nobody knows of. */
const SILENT_LOSS = 2;
const DEVICES = ["pump", "fan", "hoist"];
/** Node first, then the devices: four metrics each. */
const WHO: readonly (string | undefined)[] = [undefined, ...DEVICES];
/** A metric's value is its place in here, which is how a wrong name shows. */
const NAMES = WHO.flatMap((who) => [0, 1, 2, 3].map((i) => `${who ?? "node"}/m${i}`));
const namesOf = (who: string | undefined) => NAMES.filter((name) => name.startsWith(who ?? "node"));

interface Tally {
  read: number;
  byAlias: number;
  unread: number;
  wrong: string[];
}

/**
 * An edge node and its connection, at random: it restarts with other aliases, is asked for births, repeats
 * itself, loses messages and connections, and its old wills come late.
 */
class World {
  readonly #random: () => number;
  readonly #node = new EdgeNode();
  readonly tally: Tally = { read: 0, byAlias: 0, unread: 0, wrong: [] };
  #connection = {};
  #bdSeq = 0;
  #seq = 0;
  #aliases = new Map<string, number>();
  #born = new Set<string>();
  /** What was sent since the newest NBIRTH, to be repeated. */
  #sent: NodeMessage[] = [];
  #hasLost = false;
  #deliveredSeq = -1;
  #deliveredBy: object | undefined;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#rename();
    this.#bear(0);
  }

  step(): void {
    const what = this.#random();
    if (what < 0.02) this.#restart();
    else if (what < 0.05) this.#rebirth(this.#random() < 0.5 ? 0.5 : 0);
    else if (what < 0.12) this.#toggleDevice();
    else if (what < 0.22) this.#repeat();
    else if (what < 0.23) this.#oldWill();
    else this.#data(this.#random() < 0.05 ? 1 : 0);
  }

  /** All aliases anew, among few numbers so that each soon means something else. */
  #rename(): void {
    const numbers = NAMES.map((_, i) => i);
    for (let i = numbers.length - 1; i > 0; i -= 1) {
      const k = Math.floor(this.#random() * (i + 1));
      [numbers[i], numbers[k]] = [numbers[k] ?? 0, numbers[i] ?? 0];
    }
    this.#aliases = new Map(NAMES.map((name, i) => [name, numbers[i] ?? 0]));
  }

  #restart(): void {
    const will = nodeMessage(this.#connection, "NDEATH", undefined, { bdSeq: this.#bdSeq });
    if (this.#random() < 0.7) this.#deliver(will);
    this.#connection = {};
    this.#bdSeq = (this.#bdSeq + 1) % 256;
    this.#rename();
    if (this.#random() < 0.7) this.#bear(this.#random() < 0.3 ? 0.4 : 0);
    else {
      // All births are lost, and the numbers go on as if nothing had happened.
      this.#bear(SILENT_LOSS);
      this.#seq = (this.#deliveredSeq + 1) % 256;
    }
  }

  #rebirth(lossRate: number): void {
    if (this.#random() < 0.5) this.#rename();
    this.#bear(lossRate);
  }

  #bear(lossRate: number): void {
    // Some begin the count anew, some go on.
    if (this.#random() < 0.5) this.#seq = 0;
    this.#sent = [];
    this.#born = new Set();
    this.#send("NBIRTH", undefined, lossRate, this.#birthMetrics(undefined));
    for (const device of DEVICES) {
      const chance = this.#random();
      if (chance < 0.75) this.#bearDevice(device, lossRate);
      // A sloppy edge node: its device goes on without the birth that is due.
      else if (chance < 0.85) this.#born.add(device);
    }
  }

  #bearDevice(device: string, lossRate: number): void {
    this.#born.add(device);
    this.#send("DBIRTH", device, lossRate, this.#birthMetrics(device));
  }

  #toggleDevice(): void {
    const device = DEVICES[Math.floor(this.#random() * DEVICES.length)] ?? "pump";
    const wasBorn = this.#born.delete(device);
    if (wasBorn) this.#send("DDEATH", device, 0.1, []);
    if (!wasBorn || this.#random() < 0.5) {
      // A device alone may come back with other aliases as well.
      const numbers = namesOf(device).map((name) => this.#aliases.get(name) ?? 0);
      namesOf(device).forEach((name, i) => {
        this.#aliases.set(name, numbers[(i + 1) % numbers.length] ?? 0);
      });
      this.#bearDevice(device, 0.1);
    }
  }

  #repeat(): void {
    const back = 1 + Math.floor(this.#random() * Math.min(5, this.#sent.length));
    const message = this.#sent.at(-back);
    if (message !== undefined && message.type !== "NBIRTH") this.#deliver(message);
  }

  #oldWill(): void {
    const bdSeq = (this.#bdSeq + 255) % 256;
    this.#deliver(nodeMessage({}, "NDEATH", undefined, { bdSeq }));
  }

  #data(lossRate: number): void {
    const who = WHO[Math.floor(this.#random() * WHO.length)];
    if (who !== undefined && !this.#born.has(who)) return;
    const metrics = namesOf(who)
      .filter(() => this.#random() < 0.6)
      .map((name): MetricToWrite => {
        const value = { type: "Int32" as const, value: NAMES.indexOf(name) };
        return this.#random() < 0.2
          ? { ...value, name }
          : { ...value, alias: this.#aliases.get(name) ?? 0, carriesType: false };
      });
    this.#send(who === undefined ? "NDATA" : "DDATA", who, lossRate, metrics);
  }

  #birthMetrics(who: string | undefined): readonly MetricToWrite[] {
    return namesOf(who).map((name) => ({
      name,
      alias: this.#aliases.get(name) ?? 0,
      type: "Int32",
      value: NAMES.indexOf(name),
    }));
  }

  #send(
    type: NodeMessage["type"],
    who: string | undefined,
    lossRate: number,
    metrics: readonly MetricToWrite[],
  ): void {
    const seq = this.#seq;
    this.#seq = (seq + 1) % 256;
    const more: EdgeMessage = type === "NBIRTH" ? { bdSeq: this.#bdSeq } : {};
    const message = nodeMessage(this.#connection, type, who, { seq, metrics, ...more });
    if (this.#random() < lossRate) {
      // Some losses are our own, and known.
      if (lossRate !== SILENT_LOSS && this.#random() < 0.3) this.#node.missed();
      else this.#hasLost = true;
      return;
    }
    // 256 messages that are lost together do not show in the numbers.
    const isOfConnection = this.#deliveredBy === this.#connection;
    const fits = seq === (this.#deliveredSeq + 1) % 256;
    if (this.#hasLost && isOfConnection && type !== "NBIRTH" && fits) this.#node.missed();
    this.#hasLost = false;
    this.#deliveredBy = this.#connection;
    this.#deliveredSeq = seq;
    this.#sent.push(message);
    this.#deliver(message);
  }

  #deliver(message: NodeMessage): void {
    const outcome = this.#node.take(message);
    for (const metric of outcome.metrics) {
      const name = outcome.named(metric)?.name;
      if (name === "bdSeq") continue;
      this.tally.read += 1;
      if (metric.name === undefined) this.tally.byAlias += 1;
      const truth = NAMES[Number(metric.value)];
      if (name !== truth) this.tally.wrong.push(`${truth} was read as ${name}`);
    }
    if (outcome.unread !== undefined) this.tally.unread += 1;
    if (message.type.endsWith("DATA") && outcome.wantsRebirth && this.#random() < 0.2) {
      this.#rebirth(0);
    }
  }
}

describe("edge nodes that restart with other aliases and lose messages", () => {
  it("edge nodes that restart with other aliases and lose messages never have a value read under a name that is not its own", () => {
    const total: Tally = { read: 0, byAlias: 0, unread: 0, wrong: [] };
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const world = new World(seed);
      for (let i = 0; i < STEPS; i += 1) world.step();
      total.read += world.tally.read;
      total.byAlias += world.tally.byAlias;
      total.unread += world.tally.unread;
      total.wrong.push(...world.tally.wrong.map((wrong) => `seed ${seed}: ${wrong}`));
    }
    expect(total.wrong).toEqual([]);
    // Else nothing was tried.
    expect(total.byAlias).toBeGreaterThan(5_000);
    expect(total.unread).toBeGreaterThan(400);
  });
});

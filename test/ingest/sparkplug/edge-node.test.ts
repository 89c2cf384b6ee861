import { beforeEach, describe, expect, it } from "vitest";
import { EdgeNode } from "../../../ingest/sparkplug/edge-node.ts";
import type { NodeMessage, NodeOutcome } from "../../../ingest/sparkplug/node-message.ts";
import {
  born,
  byAlias,
  byName,
  type EdgeMessage,
  nodeMessage,
  readValues,
  SENT_MS,
} from "./edge-messages.ts";

let node: EdgeNode;
let connection: object;

beforeEach(() => {
  node = new EdgeNode();
  connection = {};
});

function take(
  type: NodeMessage["type"],
  device: string | undefined,
  message: EdgeMessage,
): NodeOutcome {
  return node.take(nodeMessage(connection, type, device, message));
}

const noticesOf = ({ notices }: NodeOutcome) =>
  notices.map(({ of = "node", notice }) => `${of} ${notice.kind}`);
const linksOf = ({ links }: NodeOutcome) =>
  links.map(({ of = "node", isUp }) => `${of} ${isUp ? "up" : "down"}`);

/** An edge node with a metric of its own and two devices; the next seq is 3. */
function bear(bdSeq = 7): void {
  take("NBIRTH", undefined, { seq: 0, bdSeq, metrics: [born(1, "cpu", 20)] });
  take("DBIRTH", "pump", { seq: 1, metrics: [born(2, "flow", 5), born(3, "hours", 90)] });
  take("DBIRTH", "fan", { seq: 2, metrics: [born(4, "rpm", 700)] });
}

describe("births", () => {
  it("births give current values, and names to the aliases of what follows", () => {
    const outcome = take("NBIRTH", undefined, { seq: 0, bdSeq: 7, metrics: [born(1, "cpu", 20)] });
    expect(readValues(outcome)).toEqual({ cpu: 20 });
    expect(outcome).toMatchObject({ unread: undefined, wantsRebirth: false });
    const device = take("DBIRTH", "pump", { seq: 1, metrics: [born(2, "flow", 5)] });
    expect(readValues(device)).toEqual({ flow: 5 });

    const data = take("DDATA", "pump", { seq: 2, metrics: [byAlias(2, 6)] });
    expect(readValues(data)).toEqual({ flow: 6 });
    const own = take("NDATA", undefined, { seq: 3, metrics: [byAlias(1, 30)] });
    expect(readValues(own)).toEqual({ cpu: 30 });
  });

  it("births give the datatype that DATA leaves out", () => {
    bear();
    const outcome = take("DDATA", "pump", { seq: 3, metrics: [byAlias(2, -6)] });
    const [metric] = outcome.metrics;
    expect(metric && outcome.named(metric)).toEqual({ name: "flow", datatype: 3, unit: undefined });
  });

  it("births hold for the aliases of one device only", () => {
    bear();
    const outcome = take("DDATA", "fan", { seq: 3, metrics: [byAlias(2, 6), byAlias(4, 800)] });
    expect(readValues(outcome)).toEqual({ rpm: 800 });
    expect(outcome).toMatchObject({
      unread: "1 of 2 metrics are not in the birth",
      wantsRebirth: true,
    });
  });

  it.each([1, 255])("births may begin the count anywhere, such as at %i", (seq) => {
    const outcome = take("NBIRTH", undefined, { seq, bdSeq: 7, metrics: [born(1, "cpu", 20)] });
    expect(readValues(outcome)).toEqual({ cpu: 20 });
    expect(outcome).toMatchObject({ unread: undefined, wantsRebirth: false });
    const next = take("NDATA", undefined, { seq: (seq + 1) % 256, metrics: [byAlias(1, 30)] });
    expect(readValues(next)).toEqual({ cpu: 30 });
    expect(next).toMatchObject({ notices: [], wantsRebirth: false });
  });

  it("births are taken behind a death that the edge node sends itself before a rebirth", () => {
    bear();
    take("NDEATH", undefined, { bdSeq: 7 });
    const birth = take("NBIRTH", undefined, { seq: 3, bdSeq: 7, metrics: [born(1, "cpu", 21)] });
    expect(readValues(birth)).toEqual({ cpu: 21 });
    expect(birth).toMatchObject({ unread: undefined, wantsRebirth: false });
  });

  it("births may come again in an other place of the sequence, with other aliases", () => {
    bear();
    take("NBIRTH", undefined, { seq: 40, bdSeq: 7, metrics: [born(9, "cpu", 21)] });
    const outcome = take("NDATA", undefined, { seq: 41, metrics: [byAlias(9, 22), byAlias(1, 5)] });
    expect(readValues(outcome)).toEqual({ cpu: 22 });
  });

  it("births of the edge node end those of all its devices", () => {
    bear();
    const birth = take("NBIRTH", undefined, { seq: 0, bdSeq: 7, metrics: [born(1, "cpu", 20)] });
    expect(linksOf(birth)).toEqual(["pump down", "fan down", "node up"]);
    expect(node.isThere("pump")).toBe(false);
    const data = take("DDATA", "pump", { seq: 1, metrics: [byAlias(2, 6), byName("flow", 7)] });
    expect(data).toMatchObject({
      metrics: [],
      unread: "no DBIRTH of the device since its last death or NBIRTH",
      wantsRebirth: true,
    });
    const again = take("DBIRTH", "pump", { seq: 2, metrics: [born(2, "flow", 5)] });
    expect(linksOf(again)).toEqual(["pump up"]);
  });

  it("births name their metrics: one without a name is not read", () => {
    const outcome = take("NBIRTH", undefined, { seq: 0, metrics: [born(1, "cpu"), byAlias(2, 1)] });
    expect(readValues(outcome)).toEqual({ cpu: 0 });
    expect(outcome.unread).toBe("1 of 2 metrics are not in the birth");
  });
});

describe("the sequence", () => {
  it("the sequence goes from 255 on to 0, over the messages of node and devices", () => {
    bear();
    const unread: unknown[] = [];
    for (let i = 3; i < 600; i += 1) {
      const device = i % 3 === 0 ? undefined : "pump";
      const metrics = [byAlias(device === undefined ? 1 : 2, i)];
      const outcome = take(device === undefined ? "NDATA" : "DDATA", device, {
        seq: i % 256,
        metrics,
      });
      if (outcome.wantsRebirth) unread.push(i);
    }
    expect(unread).toEqual([]);
  });

  it("a gap in the sequence is reported once, and from there aliases are not trusted until the next birth", () => {
    bear();
    const gap = take("DDATA", "pump", { seq: 5, metrics: [byAlias(2, 6), byName("hours", 91)] });
    expect(readValues(gap)).toEqual({ hours: 91 });
    expect(gap.wantsRebirth).toBe(true);
    expect(gap.unread).toContain("1 of 2 metrics have no name or no datatype of their own");
    expect(gap.notices).toEqual([
      {
        of: undefined,
        notice: { kind: "sequence_gap", timeMs: SENT_MS, data: { expected: 3, received: 5 } },
      },
    ]);

    const next = take("DDATA", "pump", { seq: 6, metrics: [byAlias(2, 6)] });
    expect(next).toMatchObject({ metrics: [], wantsRebirth: true, notices: [] });
    // A birth of one device does not say what the others' aliases are.
    take("DBIRTH", "pump", { seq: 7, metrics: [born(2, "pressure", 1)] });
    expect(take("DDATA", "fan", { seq: 8, metrics: [byAlias(4, 1)] }).metrics).toEqual([]);
    expect(take("DDATA", "pump", { seq: 9, metrics: [byAlias(2, 1)] }).metrics).toEqual([]);

    take("NBIRTH", undefined, { seq: 0, bdSeq: 7, metrics: [born(1, "cpu", 20)] });
    take("DBIRTH", "pump", { seq: 1, metrics: [born(2, "pressure", 1)] });
    const healed = take("DDATA", "pump", { seq: 2, metrics: [byAlias(2, 3)] });
    expect(readValues(healed)).toEqual({ pressure: 3 });
    expect(healed.wantsRebirth).toBe(false);
  });

  it("the sequence does not believe the datatype of an old birth behind a gap", () => {
    bear();
    const untyped = { name: "flow", type: "Int32" as const, carriesType: false, value: 6 };
    expect(readValues(take("DDATA", "pump", { seq: 3, metrics: [untyped] }))).toEqual({ flow: 6 });
    const behind = take("DDATA", "pump", { seq: 5, metrics: [untyped] });
    expect(behind.metrics).toEqual([]);
  });

  it("the sequence has no gap where the same message comes again, which is read again", () => {
    bear();
    const third = { seq: 3, metrics: [byAlias(2, 6)] };
    take("DDATA", "pump", third);
    take("DDATA", "pump", { seq: 4, metrics: [byAlias(2, 7)] });
    const again = take("DDATA", "pump", third);
    expect(readValues(again)).toEqual({ flow: 6 });
    expect(again).toMatchObject({ notices: [], wantsRebirth: false });
    expect(take("DDATA", "pump", { seq: 5, metrics: [] }).notices).toEqual([]);
  });

  it("the sequence is out of step where a message of an earlier connection comes again, though its number fits", () => {
    bear();
    const old = nodeMessage(connection, "DDATA", "pump", { seq: 3, metrics: [byAlias(2, 6)] });
    const outcome = node.take({ ...old, isAgain: true });
    expect(outcome).toMatchObject({ metrics: [], notices: [], wantsRebirth: true });
  });

  it("the sequence has a gap where another message comes with a number that was there", () => {
    bear();
    take("DDATA", "pump", { seq: 3, metrics: [byAlias(2, 6)] });
    const other = take("DDATA", "pump", { seq: 3, metrics: [byAlias(2, 7)] });
    expect(noticesOf(other)).toEqual(["node sequence_gap"]);
  });

  it("the sequence does not know a message again from before another birth of a device", () => {
    bear();
    const third = { seq: 3, metrics: [byAlias(2, 6)] };
    take("DDATA", "pump", third);
    take("DDEATH", "pump", { seq: 4 });
    take("DBIRTH", "pump", { seq: 5, metrics: [born(2, "pressure", 1)] });
    expect(take("DDATA", "pump", third).metrics).toEqual([]);
  });

  it("the sequence takes a message without seq for number 0, as writers that leave zeros out mean it", () => {
    bear();
    for (let seq = 3; seq < 256; seq += 1) take("NDATA", undefined, { seq });
    expect(take("NDATA", undefined, { metrics: [byAlias(1, 5)] }).wantsRebirth).toBe(false);
    expect(noticesOf(take("NDATA", undefined, {}))).toEqual(["node sequence_gap"]);
  });

  it("a message lost on our side leaves the sequence out of step but reports no gap of the edge node", () => {
    bear();
    node.missed();
    const outcome = take("DDATA", "pump", { seq: 4, metrics: [byAlias(2, 6)] });
    expect(outcome).toMatchObject({ metrics: [], wantsRebirth: true, notices: [] });
  });
});

describe("without a birth", () => {
  it.each([
    "NDATA",
    "DDATA",
    "DBIRTH",
  ] as const)("%s is not read, and a birth asked for", (type) => {
    const device = type === "NDATA" ? undefined : "pump";
    const outcome = take(type, device, { seq: 4, metrics: [byName("flow", 6)] });
    expect(outcome).toMatchObject({
      metrics: [],
      unread: "no NBIRTH on this connection yet",
      wantsRebirth: true,
    });
  });

  it("without a birth on the same connection nothing is read, though the numbers fit", () => {
    bear();
    connection = {};
    const outcome = take("DDATA", "pump", { seq: 3, metrics: [byAlias(2, 6), byName("flow", 6)] });
    expect(outcome).toMatchObject({ metrics: [], notices: [], wantsRebirth: true });
  });

  it("no device is read before its DBIRTH", () => {
    take("NBIRTH", undefined, { seq: 0, metrics: [] });
    const outcome = take("DDATA", "pump", { seq: 1, metrics: [byName("flow", 6)] });
    expect(outcome).toMatchObject({ metrics: [], wantsRebirth: true });
    expect(node.isThere("pump")).toBe(false);
  });
});

describe("deaths", () => {
  it("deaths of a device concern that device", () => {
    bear();
    const death = take("DDEATH", "pump", { seq: 3 });
    expect([noticesOf(death), linksOf(death)]).toEqual([["pump death"], ["pump down"]]);
    expect(death.wantsRebirth).toBe(false);
    const fan = take("DDATA", "fan", { seq: 4, metrics: [byAlias(4, 800)] });
    expect(readValues(fan)).toEqual({ rpm: 800 });
    const pump = take("DDATA", "pump", { seq: 5, metrics: [byAlias(2, 6), byName("flow", 6)] });
    expect(pump).toMatchObject({ metrics: [], wantsRebirth: true });
    expect(noticesOf(take("DDEATH", "pump", { seq: 6 }))).toEqual([]);
  });

  it("deaths of the edge node concern all its devices, and nothing is read until the next birth", () => {
    bear();
    const death = take("NDEATH", undefined, { bdSeq: 7 });
    expect(linksOf(death)).toEqual(["pump down", "fan down", "node down"]);
    expect(death.notices).toEqual([
      { of: undefined, notice: { kind: "death", timeMs: undefined, data: { bd_seq: 7 } } },
    ]);
    expect(node.isThere("pump")).toBe(false);
    const late = take("DDATA", "pump", { seq: 3, metrics: [byAlias(2, 6), byName("flow", 6)] });
    expect(late).toMatchObject({ metrics: [], wantsRebirth: true });
    expect(noticesOf(take("NDEATH", undefined, { bdSeq: 7 }))).toEqual([]);
  });

  it.each([
    [6, 7],
    [255, 0],
    [200, 7],
  ])("deaths with bdSeq %i are stale after the birth with %i, and ignored", (stale, present) => {
    bear(present);
    const outcome = take("NDEATH", undefined, { bdSeq: stale });
    expect(outcome).toMatchObject({ isStaleWill: true, notices: [], links: [] });
    const data = take("DDATA", "pump", { seq: 3, metrics: [byAlias(2, 6)] });
    expect(readValues(data)).toEqual({ flow: 6 });
  });

  it("deaths with the bdSeq of a birth that was missed end all links, until the rebirth that is asked for", () => {
    bear(7);
    const outcome = take("NDEATH", undefined, { bdSeq: 8 });
    expect(outcome).toMatchObject({ isStaleWill: false, notices: [], wantsRebirth: true });
    expect(linksOf(outcome)).toEqual(["pump down", "fan down", "node down"]);
    expect(take("DDATA", "pump", { seq: 3, metrics: [byAlias(2, 6)] }).metrics).toEqual([]);
  });

  it("deaths without bdSeq are believed", () => {
    bear();
    expect(noticesOf(take("NDEATH", undefined, {}))).toEqual(["node death"]);
  });
});

describe("notices of births", () => {
  const birthOf = (bdSeq: number, ...metrics: string[]) =>
    take("NBIRTH", undefined, {
      seq: 0,
      bdSeq,
      metrics: metrics.map((name, i) => born(i, name)),
    });
  const deviceBirth = (seq: number, ...metrics: string[]) =>
    take("DBIRTH", "pump", { seq, metrics: metrics.map((name, i) => born(i + 50, name)) });

  it("the first birth gives a notice with the number of its metrics", () => {
    const outcome = birthOf(7, "cpu");
    expect(outcome.notices).toEqual([
      {
        of: undefined,
        notice: { kind: "birth", timeMs: SENT_MS, data: { bd_seq: 7, metrics: 2 } },
      },
    ]);
    expect(noticesOf(deviceBirth(1, "flow"))).toEqual(["pump birth"]);
  });

  it("a birth of the same life gives a notice only if its metrics differ", () => {
    birthOf(7, "cpu");
    deviceBirth(1, "flow");
    expect(noticesOf(birthOf(7, "cpu"))).toEqual([]);
    expect(noticesOf(deviceBirth(1, "flow"))).toEqual([]);
    expect(noticesOf(birthOf(7, "cpu", "memory"))).toEqual(["node birth"]);
    expect(noticesOf(deviceBirth(1, "flow", "hours"))).toEqual(["pump birth"]);
  });

  it("a birth after a death, known or missed, gives a notice", () => {
    birthOf(7, "cpu");
    deviceBirth(1, "flow");
    take("NDEATH", undefined, { bdSeq: 7 });
    expect(noticesOf(birthOf(8, "cpu"))).toEqual(["node birth"]);
    expect(noticesOf(deviceBirth(1, "flow"))).toEqual(["pump birth"]);
    expect(noticesOf(birthOf(9, "cpu"))).toEqual(["node birth"]);
    expect(noticesOf(deviceBirth(1, "flow"))).toEqual(["pump birth"]);
  });

  it("a birth that we requested because we do not remember gives no notice", () => {
    take("NDATA", undefined, { seq: 9 });
    expect(noticesOf(birthOf(7, "cpu"))).toEqual([]);
    expect(noticesOf(deviceBirth(1, "flow"))).toEqual([]);
    take("DDATA", "pump", { seq: 2 });
    const fan = take("DBIRTH", "fan", { seq: 3, metrics: [born(60, "rpm")] });
    expect(noticesOf(fan)).toEqual(["fan birth"]);
  });
});

describe("what is remembered", () => {
  it("what is remembered is bounded to 1,000 devices; those that die make room", () => {
    take("NBIRTH", undefined, { seq: 0, metrics: [] });
    for (let i = 0; i < 1_000; i += 1) take("DBIRTH", `d${i}`, { seq: (i + 1) % 256 });
    const more = take("DBIRTH", "one-more", { seq: 1_001 % 256, metrics: [born(2, "flow", 5)] });
    expect(readValues(more)).toEqual({ flow: 5 });
    expect(more.unread).toBe("more than 1000 devices behind one edge node");
    take("DDEATH", "d7", { seq: 1_002 % 256 });
    expect(take("DBIRTH", "one-more", { seq: 1_003 % 256 }).unread).toBeUndefined();
    expect(node.isThere("one-more")).toBe(true);
  });

  it("what is remembered is bounded to 8 MiB of names, and a device that is too much is not read by old ones", () => {
    take("NBIRTH", undefined, { seq: 0, metrics: [] });
    const long = (device: number, count: number) =>
      Array.from({ length: count }, (_, i) => born(i, `${device}-${i}-${"x".repeat(2_000)}`));
    let seq = 0;
    const bear = (device: number, count = 100) =>
      take("DBIRTH", `d${device}`, { seq: ++seq % 256, metrics: long(device, count) });
    const unread: (string | undefined)[] = [];
    for (let i = 0; i < 25; i += 1) unread.push(bear(i).unread);
    // 100 names of 2,005 characters, two bytes each, and 150 bytes beside: 416,000 a device.
    expect(unread.findIndex((reason) => reason !== undefined)).toBe(20);
    expect(bear(3, 200).unread).toContain("more than 8388608 bytes");
    const data = take("DDATA", "d3", { seq: ++seq % 256, metrics: [byAlias(3, 1)] });
    expect(data).toMatchObject({ metrics: [], wantsRebirth: true });
  });
});

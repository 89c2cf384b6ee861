import fc from "fast-check";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { LogLayout } from "../../../ingest/partitions/log-layout.ts";
import { partitionOf } from "../../../ingest/partitions/partition-of.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const LOG = "log-1";
/** Time between a raise and its use, and time for which a process that says nothing is waited for, ms. */
const USED_AFTER_MS = 3_000;
const WRITER_MS = 15_000;
/** Layouts are polled by hand. */
const NEVER_MS = 2 ** 30;
const PROJECTS = Array.from({ length: 40 }, (_, i) => `site-${i}` as ProjectId);

let nowMs: number;
let records: MemoryRecords;
let topic: { id: string; partitions: number };
let opened: LogLayout[];

beforeEach(() => {
  nowMs = 1_000;
  records = openMemoryRecords(() => nowMs);
  topic = { id: LOG, partitions: 2 };
  opened = [];
});
afterEach(async () => {
  for (const layout of opened) await layout.close();
});

async function openLayout(writer: string, journal = topic): Promise<LogLayout> {
  const layout = await LogLayout.open({
    journal,
    layouts: records.logLayouts,
    writer,
    log: pino({ level: "silent" }),
    now: () => nowMs,
    pollMs: { settled: NEVER_MS, raising: NEVER_MS },
    usedAfterMs: USED_AFTER_MS,
    steadyMs: 0,
  });
  opened.push(layout);
  return layout;
}

/** A project whose partition is another one after the raise from 2 to 3. */
const MOVING = PROJECTS.find(
  (id) => partitionOf(id, 3, 2) === 2 && partitionOf(id, 4, 2) === 2,
) as ProjectId;
const BEFORE = partitionOf(MOVING, 2);

/** Enters a partition of which so much is committed, of so many records. */
async function enter(layout: LogLayout, partition: number, committed: number, end: number) {
  const lease = await records.leases.seize(`partition/${LOG}-${partition}`, "x");
  const journal = { end: async () => end };
  const prefix = `partition/${partition}/`;
  return await layout.enter({ partition, lease, journal, committed, prefix });
}

const putNow = (layout: LogLayout): number => {
  const { partition, answered } = layout.put(MOVING);
  answered();
  return partition;
};

it("all processes put records into an added partition from one moment on, which is none before all know of it", async () => {
  const a = await openLayout("a");
  const b = await openLayout("b");
  topic.partitions = 3;
  await a.refresh();
  nowMs += 1_000;
  await b.refresh();
  expect([putNow(a), putNow(b)]).toEqual([BEFORE, BEFORE]);
  nowMs += USED_AFTER_MS - 1_001;
  expect([putNow(a), putNow(b)]).toEqual([BEFORE, BEFORE]);
  nowMs += 1;
  expect([putNow(a), putNow(b)]).toEqual([2, 2]);
  // One that starts now does as the others do.
  expect(putNow(await openLayout("c"))).toBe(2);
});

it("a process that starts between a raise and its use changes over with the others", async () => {
  const a = await openLayout("a");
  topic.partitions = 3;
  await a.refresh();
  nowMs += 1_000;
  const b = await openLayout("b");
  expect(putNow(b)).toBe(BEFORE);
  nowMs += USED_AFTER_MS - 1_000;
  expect([putNow(a), putNow(b)]).toEqual([2, 2]);
});

it("a process whose brokers do not know an added partition yet puts nothing there, and is waited for", async () => {
  const a = await openLayout("a");
  const old = { ...topic };
  const b = await openLayout("b", old);
  topic.partitions = 3;
  await a.refresh();
  nowMs += USED_AFTER_MS;
  await b.refresh();
  expect([putNow(a), putNow(b)]).toEqual([2, BEFORE]);
  await b.refresh();
  expect((await enter(a, BEFORE, 7, 7)).version).toBe(1);
  old.partitions = 3;
  await b.refresh();
  expect((await enter(a, BEFORE, 7, 7)).version).toBe(2);
});

describe("a partition of before is handed over", () => {
  let a: LogLayout;
  let b: LogLayout;
  beforeEach(async () => {
    a = await openLayout("a");
    b = await openLayout("b");
  });
  async function raise(): Promise<void> {
    topic.partitions = 3;
    for (const layout of [a, b]) await layout.refresh();
    nowMs += USED_AFTER_MS;
    for (const layout of [a, b]) await layout.refresh();
  }

  it("not before what was put by the old layout is answered for, in any process", async () => {
    const { answered } = b.put(MOVING);
    await raise();
    expect((await enter(a, BEFORE, 7, 7)).version).toBe(1);
    answered();
    await b.refresh();
    expect((await enter(a, BEFORE, 7, 7)).version).toBe(2);
  });

  it("without a process that says nothing for 15 s", async () => {
    b.put(MOVING);
    await raise();
    nowMs += WRITER_MS - 1;
    await a.refresh();
    expect((await enter(a, BEFORE, 7, 7)).version).toBe(1);
    nowMs += 1;
    expect((await enter(a, BEFORE, 7, 7)).version).toBe(2);
  });

  it("when everything up to the end that it had then is committed, and not what came later", async () => {
    await raise();
    const { version, partitionOf: before } = await enter(a, BEFORE, 6, 7);
    expect([version, before(MOVING)]).toEqual([1, BEFORE]);
    let asked = 0;
    const journal = {
      end: async () => {
        asked += 1;
        return 9;
      },
    };
    const isDue = (committed: number) =>
      a.isDue(version, { partition: BEFORE, journal, committed });
    expect([isDue(6), isDue(7)]).toEqual([false, true]);
    const { partitionOf: after } = await enter(a, BEFORE, 7, 9);
    expect([after(MOVING), asked]).toEqual([2, 0]);
  });

  it("with what its stages shared, which the added one inherits once all have handed over", async () => {
    records.rows.shared.set(`partition/${BEFORE}/liveness`, "of the old one");
    await raise();
    expect(a.mayWork(2)).toBe(false);
    await expect(enter(a, 2, 0, 0)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    for (const partition of [0, 1]) await enter(a, partition, 3, 3);
    records.rows.shared.set(`partition/${BEFORE}/liveness`, "of later");
    expect(a.mayWork(2)).toBe(true);
    const { version, inherited } = await enter(a, 2, 0, 0);
    expect(version).toBe(2);
    expect(inherited.flatMap((one) => [...one])).toEqual([["liveness", "of the old one"]]);
    expect((await enter(a, BEFORE, 3, 3)).inherited).toEqual([]);
  });

  it("and after 60 s it is a trouble that one has not been", async () => {
    await raise();
    await enter(a, 0, 3, 3);
    await enter(a, 1, 2, 3);
    nowMs += 55_000;
    await a.refresh();
    expect(a.trouble).toBeUndefined();
    nowMs += 5_000;
    expect(a.trouble).toBe("added partitions are not worked on: partitions 1 have not handed over");
    await enter(a, 1, 3, 3);
    expect(a.trouble).toBeUndefined();
  });

  it("and only then is the number raised again", async () => {
    await raise();
    topic.partitions = 5;
    await a.refresh();
    expect(a.mayWork(3)).toBe(false);
    expect((await records.logLayouts.read(LOG)).partitions).toEqual([2, 3]);
    for (const partition of [0, 1]) await enter(a, partition, 3, 3);
    await a.refresh();
    expect((await records.logLayouts.read(LOG)).partitions).toEqual([2, 3, 5]);
  });
});

it("while the record store is away records go where they went, and nothing is handed over before all could report again", async () => {
  const layout = await LogLayout.open({
    journal: topic,
    layouts: records.logLayouts,
    writer: "a",
    log: pino({ level: "silent" }),
    now: () => nowMs,
    pollMs: { settled: 1, raising: 1 },
    usedAfterMs: 0,
  });
  opened.push(layout);
  records.away = true;
  topic.partitions = 3;
  await expect(layout.refresh()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(putNow(layout)).toBe(BEFORE);
  records.away = false;
  await layout.refresh();
  await layout.refresh();
  expect(putNow(layout)).toBe(2);
  expect((await enter(layout, BEFORE, 7, 7)).version).toBe(1);
  nowMs += 10_000;
  expect((await enter(layout, BEFORE, 7, 7)).version).toBe(2);
});

it("a process that stood still for a raise puts records by it before the next one is used", async () => {
  const a = await openLayout("a");
  const stale = await openLayout("stale");
  topic.partitions = 3;
  await a.refresh();
  nowMs += WRITER_MS;
  await a.refresh();
  for (const partition of [0, 1]) await enter(a, partition, 3, 3);
  topic.partitions = 4;
  await a.refresh();
  expect(putNow(stale)).toBe(BEFORE);
  await stale.refresh();
  expect((await records.logLayouts.read(LOG)).partitions).toEqual([2, 3, 4]);
  expect(putNow(stale)).toBe(2);
});

it("a process that stood still while all others went over is told of the added partitions", async () => {
  const late = await LogLayout.open({
    journal: topic,
    layouts: records.logLayouts,
    writer: "late",
    log: pino({ level: "silent" }),
    now: () => nowMs,
    pollMs: { settled: 50, raising: 50 },
  });
  opened.push(late);
  let told = 0;
  late.onChange(() => {
    told += 1;
  });
  await records.logLayouts.raise(LOG, 2, 3, 0);
  for (const partition of [0, 1]) {
    const lease = await records.leases.seize(`partition/${LOG}-${partition}`, "x");
    const prefix = `partition/${partition}/`;
    await records.logLayouts.handOver({ logId: LOG, version: 2, partition, prefix, lease });
  }
  await until("it is told", () => told > 0, PATIENT_MS);
  expect(late.mayWork(2)).toBe(true);
});

/** What processes may do, one thing after the other. */
const Step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ put: fc.nat(1e6), by: fc.nat(2), answered: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ refresh: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ passMs: fc.integer({ min: 1, max: 2_000 }) }) },
  { weight: 3, arbitrary: fc.record({ evaluate: fc.nat(9), by: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ answer: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 2 }) }) },
);

it("whatever order processes go over in, a project's records are evaluated in the order in which they were put", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 30, maxLength: 120 }), async (steps) => {
      nowMs = 1_000;
      records = openMemoryRecords(() => nowMs);
      topic = { id: LOG, partitions: 2 };
      const run = await openRun();
      for (const step of steps) await run.step(step);
      await run.finish();
      expect(run.evaluated.size).toBeGreaterThan(0);
      for (const numbers of run.evaluated.values()) {
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      }
      expect([...run.evaluated.values()].flat()).toHaveLength(run.count);
    }),
    { numRuns: 150 },
  );
});

type AnyStep = typeof Step extends fc.Arbitrary<infer T> ? T : never;

/** Three processes that put records, and evaluate partitions, whoever is asked. */
async function openRun() {
  const layouts = [await openLayout("a"), await openLayout("b"), await openLayout("c")];
  const log: { readonly projectId: ProjectId; readonly number: number }[][] = [];
  const partitionAt = (partition: number) => {
    log[partition] ??= [];
    return log[partition];
  };
  const committed: number[] = [];
  const open: (() => void)[][] = [[], [], []];
  const evaluated = new Map<ProjectId, number[]>();
  let count = 0;

  function answerAll(by: number): void {
    for (const answered of open[by]?.splice(0) ?? []) answered();
  }
  async function evaluate(partition: number, by: number): Promise<void> {
    const layout = layouts[by] as LogLayout;
    if (!layout.mayWork(partition)) return;
    const records = partitionAt(partition);
    const place = committed[partition] ?? 0;
    const entered = await enter(layout, partition, place, records.length).catch(() => undefined);
    if (entered === undefined) return;
    for (const { projectId, number } of records.slice(place)) {
      const home = entered.partitionOf(projectId);
      if (home === partition) {
        evaluated.set(projectId, [...(evaluated.get(projectId) ?? []), number]);
      } else partitionAt(home).push({ projectId, number });
    }
    committed[partition] = records.length;
  }

  return {
    evaluated,
    get count() {
      return count;
    },
    async step(step: AnyStep): Promise<void> {
      if ("put" in step) {
        const projectId = PROJECTS[step.put % PROJECTS.length] as ProjectId;
        const { partition, answered } = (layouts[step.by] as LogLayout).put(projectId);
        count += 1;
        partitionAt(partition).push({ projectId, number: count });
        if (step.answered) answered();
        else open[step.by]?.push(answered);
      } else if ("refresh" in step) await layouts[step.refresh]?.refresh();
      else if ("passMs" in step) {
        nowMs += step.passMs;
        // As often as they poll: who does not for longer is left out, and its records may come late.
        for (const layout of layouts) await layout.refresh();
      } else if ("evaluate" in step) await evaluate(step.evaluate, step.by);
      else if ("answer" in step) answerAll(step.answer);
      else topic.partitions = Math.min(10, topic.partitions + step.add);
    },
    async finish(): Promise<void> {
      for (const by of [0, 1, 2]) answerAll(by);
      for (let round = 0; round < 12; round += 1) {
        nowMs += USED_AFTER_MS;
        for (const layout of layouts) await layout.refresh();
        for (let partition = 0; partition < 10; partition += 1)
          await evaluate(partition, round % 3);
      }
    },
  };
}

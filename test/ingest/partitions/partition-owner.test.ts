import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import { PartitionOwner } from "../../../ingest/partitions/partition-owner.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "../../support/fixed-directory.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const partitionOf = (projectId: ProjectId): number => Number(projectId.slice(1));

let directory: FixedDirectory;
let steps: string[];
let assign: (partitions: readonly number[]) => void;
let lose: Map<number, () => void>;
let failing: Set<number>;
let due: Set<number>;
/** Partitions that wait for others. */
let waiting: Set<number>;
let changeLayout: () => void;
let owner: PartitionOwner<{
  isDue(): boolean;
  stop(): Promise<void>;
  troubles(): readonly string[];
}>;

beforeEach(() => {
  directory = fixedDirectory([assetEntry("a1", "p1")]);
  steps = [];
  lose = new Map();
  failing = new Set();
  due = new Set();
  waiting = new Set();
  owner = new PartitionOwner({
    journal: {
      join(onAssigned) {
        assign = onAssigned;
        return {
          trouble: undefined,
          async leave() {
            steps.push("leave");
          },
        };
      },
    },
    async startWorker(partition, onLost) {
      if (failing.has(partition)) throw new DomainError("STORE_UNAVAILABLE", "it is away");
      steps.push(`start ${partition}`);
      lose.set(partition, onLost);
      return {
        isDue: () => due.delete(partition),
        troubles: () => [`${partition} is there`],
        async stop() {
          steps.push(`stop ${partition}`);
        },
      };
    },
    layout: {
      homesOf: (projectId) => [partitionOf(projectId)],
      mayWork: (partition) => !waiting.has(partition),
      onChange(listener) {
        changeLayout = listener;
      },
    },
    directory,
    log: pino({ level: "silent" }),
  });
});

afterEach(() => owner.stop());

const seen = (...expected: readonly string[]) =>
  until(
    `steps ${expected.join(", ")}`,
    () => expected.every((step) => steps.includes(step)),
    PATIENT_MS,
  );

it("a process works on what it is assigned, keeps what it keeps, and leaves the group last", async () => {
  assign([1, 2]);
  await seen("start 1", "start 2");
  expect(owner.troubles()).toEqual(["1 is there", "2 is there"]);
  assign([2, 3]);
  await seen("stop 1", "start 3");
  await owner.stop();
  expect(steps.slice(0, 4).sort()).toEqual(["start 1", "start 2", "start 3", "stop 1"]);
  expect(steps.slice(4, 6).sort()).toEqual(["stop 2", "stop 3"]);
  expect(steps.slice(6)).toEqual(["leave"]);
});

it("followers learn which partitions are assigned, also of those that cannot be worked on", async () => {
  failing.add(2);
  assign([1]);
  const followed: (readonly number[])[] = [];
  owner.follow((partitions) => followed.push(partitions));
  assign([1, 2]);
  assign([]);
  expect(followed).toEqual([[1], [1, 2], []]);
});

it("a partition that comes back while it is put in order is started again after that", async () => {
  assign([1]);
  await seen("start 1");
  assign([]);
  assign([1]);
  await until("it works again", () => steps.length >= 1 && owner.workers.length === 1, PATIENT_MS);
  const starts = steps.filter((step) => step === "start 1").length;
  const stops = steps.filter((step) => step === "stop 1").length;
  expect(starts - stops).toBe(1);
});

it("a partition that cannot be started is a trouble until it can", async () => {
  failing.add(1);
  assign([1]);
  await until(
    "the trouble is reported",
    () => owner.troubles().includes("partition 1 cannot be worked on: it is away"),
    PATIENT_MS,
  );
  failing.clear();
  await seen("start 1");
  await until("it works", () => owner.workers.length === 1, PATIENT_MS);
  expect(owner.troubles()).toEqual(["1 is there"]);
});

it("a partition whose commit was refused is worked on anew while it is still assigned, and only then", async () => {
  assign([1, 2]);
  await seen("start 1", "start 2");
  lose.get(1)?.();
  lose.get(2)?.();
  await seen("stop 1", "stop 2");
  assign([1]);
  await until(
    "partition 1 is started again",
    () => steps.filter((step) => step === "start 1").length === 2,
    PATIENT_MS,
  );
  expect(steps.filter((step) => step === "start 2")).toHaveLength(1);
});

it("an asset that moves to another partition has both of them load their assets anew", async () => {
  assign([1, 2, 3]);
  await seen("start 1", "start 2", "start 3");
  directory.change("a1", assetEntry("a1", "p2"));
  await until(
    "both are started again",
    () => ["start 1", "start 2"].every((step) => steps.filter((one) => one === step).length === 2),
    PATIENT_MS,
  );
  expect(steps.filter((step) => step.endsWith("3"))).toEqual(["start 3"]);
});

it("a partition that was added is begun when those before have handed over, and one that is due is begun anew", async () => {
  waiting.add(3);
  assign([1, 2, 3]);
  await seen("start 1", "start 2");
  expect(owner.troubles()).toEqual(["1 is there", "2 is there"]);
  due.add(1);
  changeLayout();
  await until(
    "partition 1 is started again",
    () => steps.filter((step) => step === "start 1").length === 2,
    PATIENT_MS,
  );
  expect(steps).not.toContain("start 3");
  waiting.clear();
  changeLayout();
  await seen("start 3");
  expect(steps.filter((step) => step === "start 2")).toHaveLength(1);
});

import { expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { createPlanTimeline } from "../../../ingest/directories/plan-timeline.ts";
import type { PlanScope, PlanVersion } from "../../../storage/ports/equipment/maintenance.ts";

const subject = { assetId: "a" as AssetId, projectId: "p" as ProjectId, assetType: "van" };
const OWN: PlanScope = { assetId: subject.assetId };
const TYPE: PlanScope = { projectId: subject.projectId, assetType: "van" };

/** A plan with one service of that name; `undefined`: removed. */
const version = (
  scope: PlanScope,
  name: string | undefined,
  validFromMs: number,
  validToMs?: number,
): PlanVersion => ({
  scope,
  plan:
    name === undefined
      ? undefined
      : JSON.stringify({ services: [{ item: "oil", name, every_days: 1 }] }),
  validFromMs,
  validToMs,
  revision: 1,
});

function timelineOf(...versions: readonly PlanVersion[]) {
  const timeline = createPlanTimeline();
  timeline.apply(versions);
  const nameAt = (atMs: number, of = subject) => {
    const held = timeline.at(of, atMs);
    return held && `${held.source} ${held.plan.services?.[0]?.name}`;
  };
  return { timeline, nameAt };
}

it("a version holds from its start up to its end", () => {
  const { nameAt } = timelineOf(version(OWN, "one", 10, 20), version(OWN, "two", 20));
  expect([9, 10, 19, 20, 1e15].map((atMs) => nameAt(atMs))).toEqual([
    undefined,
    "asset one",
    "asset one",
    "asset two",
    "asset two",
  ]);
});

it("the plan of the type holds where and while the asset has none of its own", () => {
  const { nameAt } = timelineOf(
    version(TYPE, "type", 0),
    version(OWN, "own", 10, 20),
    version(OWN, undefined, 20),
  );
  expect([5, 10, 20].map((atMs) => nameAt(atMs))).toEqual([
    "asset_type type",
    "asset own",
    "asset_type type",
  ]);
  expect(nameAt(10, { ...subject, assetId: "b" as AssetId })).toBe("asset_type type");
  expect(nameAt(5, { ...subject, assetType: "truck" })).toBeUndefined();
  expect(nameAt(5, { ...subject, projectId: "q" as ProjectId })).toBeUndefined();
});

it("a version that is applied again, now with its end, replaces itself, in any order", () => {
  const { timeline, nameAt } = timelineOf(version(OWN, "two", 20), version(OWN, "one", 10));
  timeline.apply([version(OWN, "one", 10, 15)]);
  expect([14, 15, 19, 20].map((atMs) => nameAt(atMs))).toEqual([
    "asset one",
    undefined,
    undefined,
    "asset two",
  ]);
});

it("the changes of two plans are every start and end of both, once each, from after the first instant on", () => {
  const { timeline } = timelineOf(
    version(TYPE, "type", 5, 20),
    version(OWN, "one", 10, 20),
    version(OWN, "two", 20),
  );
  expect(timeline.changes(subject, 5, 20)).toEqual([10, 20]);
  expect(timeline.changes(subject, 4, 19)).toEqual([5, 10]);
});

it("a plan that ended long ago is dropped, and one in force is kept", () => {
  const { timeline, nameAt } = timelineOf(version(OWN, "one", 10, 20), version(OWN, "two", 20, 30));
  timeline.forget(20);
  expect([15, 25].map((atMs) => nameAt(atMs))).toEqual([undefined, "asset two"]);
  expect(timeline.isEmpty).toBe(false);
  timeline.forget(30);
  expect(timeline.isEmpty).toBe(true);
});

import { describe, expect, test } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { ASSET, PROJECT, rectangle, siteAt, siteOf } from "./site.ts";

const box = [-50, -50, 50, 50] as const;
const OTHER = "prj_2" as ProjectId;
const held = (timeline: ReturnType<typeof siteOf>, tMs: number, projectId = PROJECT) =>
  timeline
    .fencesHolding(siteAt(0, 0), projectId, tMs)
    .map(({ geofenceId, name }) => [geofenceId, name]);

describe("which fences hold a position", () => {
  test("the fences that hold a position are those in force: from their beginning on, up to but not at their end", () => {
    const timeline = siteOf(rectangle("f", box, { validFromMs: 100, validToMs: 200 }));

    expect([99, 100, 199, 200].map((tMs) => held(timeline, tMs).length)).toEqual([0, 1, 1, 0]);
  });

  test("the fences that hold a position are those of the project asked for", () => {
    const timeline = siteOf(rectangle("a", box), rectangle("b", box, { projectId: OTHER }));

    expect(held(timeline, 0)).toEqual([["a", "a"]]);
    expect(held(timeline, 0, OTHER)).toEqual([["b", "b"]]);
    expect(held(timeline, 0, "prj_3" as ProjectId)).toEqual([]);
  });

  test("a version taken in again replaces the one of the same beginning", () => {
    const timeline = siteOf(rectangle("f", box, { name: "open" }));
    timeline.apply([
      rectangle("f", box, { name: "ended", validToMs: 100 }),
      rectangle("f", box, { name: "next", validFromMs: 100 }),
    ]);

    expect([50, 150].map((tMs) => held(timeline, tMs))).toEqual([
      [["f", "ended"]],
      [["f", "next"]],
    ]);
  });

  test("of two equal versions in one batch the later one counts, once", () => {
    const timeline = siteOf(
      rectangle("f", box, { name: "one" }),
      rectangle("f", box, { name: "two" }),
    );

    expect(held(timeline, 0)).toEqual([["f", "two"]]);
  });

  test("versions that ended are forgotten on request, others are not", () => {
    const timeline = siteOf(
      rectangle("gone", box, { validToMs: 100 }),
      rectangle("kept", box, { validToMs: 101 }),
      rectangle("open", box),
    );
    const before = timeline.epoch;
    timeline.forget(100);

    expect(held(timeline, 50)).toEqual([
      ["kept", "kept"],
      ["open", "open"],
    ]);
    expect(timeline.epoch).toBeGreaterThan(before);
  });
});

describe("when an asset's fences change", () => {
  const assignment = (projectId: ProjectId, validFromMs: number, validToMs?: number) => ({
    ...{ assetId: ASSET, projectId, validFromMs },
    validToMs,
  });

  test("is when a fence of its project begins or ends: after the first instant, up to the last", () => {
    const timeline = siteOf(
      rectangle("a", box, { validFromMs: 100, validToMs: 300 }),
      rectangle("b", box, { validFromMs: 200, validToMs: 300 }),
      rectangle("c", box, { validFromMs: 250, projectId: OTHER }),
    );

    expect(timeline.changes(ASSET, 0, 1_000)).toEqual([100, 200, 300]);
    expect(timeline.changes(ASSET, 100, 300)).toEqual([200, 300]);
    expect(timeline.changes(ASSET, 100, 299)).toEqual([200]);
    expect(timeline.changes(ASSET, 300, Number.POSITIVE_INFINITY)).toEqual([]);
  });

  test("is also when its project changes, with each project's fences in its own time", () => {
    const timeline = new FenceTimeline();
    timeline.apply([
      rectangle("a", box, { validFromMs: 100, validToMs: 600 }),
      rectangle("b", box, { validFromMs: 200, projectId: OTHER }),
      rectangle("c", box, { validFromMs: 700, projectId: OTHER }),
    ]);
    timeline.assign(ASSET, [assignment(PROJECT, 50, 500), assignment(OTHER, 500, 800)]);

    expect(timeline.changes(ASSET, 0, 1_000)).toEqual([100, 500, 700, 800]);
    expect([0, 499, 500, 799, 800].map((tMs) => timeline.projectAt(ASSET, tMs))).toEqual([
      PROJECT,
      PROJECT,
      OTHER,
      OTHER,
      undefined,
    ]);
  });

  test("is never for an asset that nothing is known of", () => {
    const timeline = new FenceTimeline();
    timeline.apply([rectangle("a", box, { validFromMs: 100 })]);

    expect(timeline.changes(ASSET, 0, 1_000)).toEqual([]);
    expect(timeline.projectAt(ASSET, 0)).toBeUndefined();
  });
});

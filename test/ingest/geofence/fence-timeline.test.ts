import { describe, expect, test } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { seededRandom } from "../../support/seeded-random.ts";
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
    const before = timeline.eraOf(ASSET);
    timeline.forget(100);

    expect(held(timeline, 50)).toEqual([
      ["kept", "kept"],
      ["open", "open"],
    ]);
    expect(before.isCurrent).toBe(false);
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

describe("what is learned of fences", () => {
  const open = rectangle("f", box, { validFromMs: 100 });
  const edit = (atMs: number) => [
    { ...open, validToMs: atMs, revision: 2 },
    rectangle("f", box, { name: "larger", validFromMs: atMs }),
  ];

  test("an edit changes fences when it is made, and not when the version that it ends began", () => {
    const timeline = siteOf(open);

    expect(timeline.apply(edit(900))).toEqual([900, 900]);
    expect(timeline.apply([{ ...open, validToMs: 900, revision: 3 }])).toEqual([]);
  });

  test("a version that nobody knew, and one with other ground than was known, change them from their beginning", () => {
    const timeline = siteOf();

    expect(timeline.apply(edit(900))).toEqual([100, 900, 900]);
    const moved = rectangle("f", [0, 0, 80, 80], { validFromMs: 100, validToMs: 900 });
    expect(timeline.apply([moved])).toEqual([100, 900, 900]);
  });

  test("what is derived of an asset's fences holds while those of other projects and assets change", () => {
    const timeline = siteOf(open, rectangle("other", box, { projectId: OTHER, validToMs: 50 }));
    const era = timeline.eraOf(ASSET);
    timeline.apply([rectangle("next", box, { projectId: OTHER })]);
    timeline.forget(60);
    timeline.assign("other asset" as AssetId, [
      {
        assetId: "other asset" as AssetId,
        projectId: PROJECT,
        validFromMs: 0,
        validToMs: undefined,
      },
    ]);

    expect([era.isCurrent, timeline.eraOf(ASSET) === era]).toEqual([true, true]);
  });

  test.each([
    ["a fence is drawn", (site: FenceTimeline) => void site.apply([rectangle("g", box)])],
    ["a fence is deleted", (site: FenceTimeline) => void site.apply([{ ...open, validToMs: 900 }])],
    [
      "a fence goes to another project",
      (site: FenceTimeline) => void site.apply([{ ...open, projectId: OTHER }]),
    ],
    ["its assignments change", (site: FenceTimeline) => site.assign(ASSET, [])],
  ])("what is derived of an asset's fences ends when %s", (_, change) => {
    const timeline = siteOf(open);
    const era = timeline.eraOf(ASSET);
    change(timeline);

    expect([era.isCurrent, timeline.eraOf(ASSET).isCurrent]).toEqual([false, true]);
  });

  test("what is derived of the fences of an asset's earlier projects ends with their changes too", () => {
    const timeline = siteOf();
    timeline.assign(ASSET, [
      { assetId: ASSET, projectId: OTHER, validFromMs: 0, validToMs: 500 },
      { assetId: ASSET, projectId: PROJECT, validFromMs: 500, validToMs: undefined },
    ]);
    const era = timeline.eraOf(ASSET);
    timeline.apply([rectangle("late", box, { projectId: OTHER })]);

    expect(era.isCurrent).toBe(false);
  });

  test("after any history of fences, an instant is one of an asset's changes if the list of them has it", () => {
    const random = seededRandom(7);
    const below = (bound: number) => Math.floor(random() * bound);
    for (let history = 0; history < 60; history += 1) {
      const timeline = new FenceTimeline();
      timeline.assign(ASSET, [
        { assetId: ASSET, projectId: PROJECT, validFromMs: 5, validToMs: 20 },
        { assetId: ASSET, projectId: OTHER, validFromMs: 20 + below(10), validToMs: 45 },
        { assetId: ASSET, projectId: PROJECT, validFromMs: 45, validToMs: undefined },
      ]);
      for (let step = 0; step < 12; step += 1) {
        const many = step === 6 ? 30 : 1 + below(2);
        timeline.apply(
          Array.from({ length: many }, () => {
            const validFromMs = below(50);
            const validToMs = random() < 0.4 ? undefined : validFromMs + 1 + below(20);
            const projectId = random() < 0.5 ? PROJECT : OTHER;
            return rectangle(`f${below(12)}`, box, { validFromMs, validToMs, projectId });
          }),
        );
        timeline.forget(below(12));
        const { length } = timeline.changes(ASSET, -1, 80);
        const each = Array.from({ length: 80 }, (_, tMs) => tMs);
        const changes = each.filter((tMs) => timeline.changesAt(ASSET, tMs));
        expect(changes).toEqual(timeline.changes(ASSET, -1, 79));
        expect(length).toBeGreaterThanOrEqual(2);
        const moves = each.filter(
          (tMs) => timeline.projectAt(ASSET, tMs) !== timeline.projectAt(ASSET, tMs - 1),
        );
        expect([...new Set(timeline.movesFrom(ASSET, 10))]).toEqual(
          moves.filter((tMs) => tMs >= 10),
        );
      }
    }
  });
});

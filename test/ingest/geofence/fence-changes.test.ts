import { describe, expect, test } from "vitest";
import { DEFAULT_CROSSING_RULES } from "../../../domain/geometry/geofence.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import { advanceFencesTo } from "../../../ingest/geofence/advance.ts";
import type { Crossing } from "../../../ingest/geofence/crossing.ts";
import { fencesHeld } from "../../../ingest/geofence/fence-fold.ts";
import type { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import type { GeofenceVersion } from "../../../storage/ports/equipment/geofences.ts";
import { ASSET, PROJECT, rectangle, siteOf } from "./site.ts";
import { fixAt, foldFixes, inShort, START_MS, stay } from "./walk.ts";

const here = [-50, -50, 50, 50] as const;
const elsewhere = [500, -50, 600, 50] as const;
const OTHER = "prj_2" as ProjectId;
const ms = (atS: number): number => START_MS + atS * 1000;
const from = (atS: number): Partial<GeofenceVersion> => ({ validFromMs: ms(atS) });
const until = (atS: number): Partial<GeofenceVersion> => ({ validToMs: ms(atS) });

/** The crossings of an asset that stays at the origin from 0 to 200 s, with fence changes up to `toS`. */
function crossingsOfStay(timeline: FenceTimeline, toS = 200): readonly string[] {
  const { crossings, fold } = foldFixes(timeline, stay(0, 200, 0));
  const all: Crossing[] = [...crossings];
  advanceFencesTo(fold, ms(toS), ASSET, timeline, (crossing) => all.push(crossing));
  return all.map(inShort);
}

describe("a fence that changes while an asset stays there", () => {
  test("a fence that changes while an asset stays there is entered when it is drawn over the asset, and left when it is deleted", () => {
    const timeline = siteOf(rectangle("f", here, { ...from(100.5), ...until(150.5) }));

    expect(crossingsOfStay(timeline)).toEqual([
      "f entered 100.5 fence_changed",
      "f exited 150.5 fence_deleted",
    ]);
  });

  test("a fence that changes while an asset stays there is left when it is moved away, and entered when it is moved back", () => {
    const timeline = siteOf(
      rectangle("f", here, until(50)),
      rectangle("f", elsewhere, { ...from(50), ...until(100) }),
      rectangle("f", here, from(100)),
    );

    expect(crossingsOfStay(timeline)).toEqual([
      "f entered 0 first_fix",
      "f exited 50 fence_changed",
      "f entered 100 fence_changed",
    ]);
  });

  test("a fence that changes while an asset stays there stays entered when it is moved but still holds the asset", () => {
    const timeline = siteOf(
      rectangle("f", here, until(50)),
      rectangle("f", [-20, -20, 90, 90], from(50)),
    );

    expect(crossingsOfStay(timeline)).toEqual(["f entered 0 first_fix"]);
  });

  test("a fence that changes while an asset stays there stays entered when only its name, its alerts or its rules change", () => {
    const timeline = siteOf(
      rectangle("f", here, until(50)),
      rectangle("f", here, {
        ...from(50),
        name: "renamed",
        alertOn: ["exit"],
        rules: { ...DEFAULT_CROSSING_RULES, min_dwell_s: 60 },
      }),
    );

    expect(crossingsOfStay(timeline)).toEqual(["f entered 0 first_fix"]);
  });

  test("a change of its name does not enter a fence where the asset is inside but its entry is not yet reported", () => {
    // 2 m inside: less than the accuracy.
    const edge = [-2, -50, 50, 50] as const;
    const approach = stay(0, 200, -30);
    const timeline = siteOf(
      rectangle("f", edge, until(205)),
      rectangle("f", edge, { ...from(205), name: "renamed" }),
    );
    const { crossings } = foldFixes(timeline, [...approach, fixAt(200, 0), fixAt(210, 0)]);

    expect(crossings).toEqual([]);
  });

  test("a fence that changes while an asset stays there goes to another project: for the asset it has changed", () => {
    const timeline = siteOf(
      rectangle("f", here, until(50)),
      rectangle("f", here, { ...from(50), projectId: OTHER }),
    );

    expect(crossingsOfStay(timeline)).toEqual([
      "f entered 0 first_fix",
      "f exited 50 fence_changed",
    ]);
  });

  test("a crossing carries the fence's version in force, for a deleted fence its last one", () => {
    const timeline = siteOf(
      rectangle("f", here, { ...until(50), name: "first" }),
      rectangle("f", here, { ...from(50), ...until(100), name: "second" }),
    );

    const { crossings } = foldFixes(timeline, stay(0, 200, 0));

    expect(crossings.map(({ type, fence }) => [type, fence.name])).toEqual([
      ["entered", "first"],
      ["exited", "second"],
    ]);
  });

  test("a fence that begins is entered once, at a fix or at a clock tick, whichever comes first", () => {
    const timeline = siteOf(rectangle("f", here, from(300)));

    expect(crossingsOfStay(timeline, 299)).toEqual([]);
    expect(crossingsOfStay(timeline, 300)).toEqual(["f entered 300 fence_changed"]);
    expect(foldFixes(timeline, [...stay(0, 200, 0), fixAt(400, 0)]).crossings.map(inShort)).toEqual(
      ["f entered 300 fence_changed"],
    );
  });

  test("a fence that changes while an asset stays there means nothing before the first fix, which meets the fences of its own time", () => {
    const timeline = siteOf(
      rectangle("gone", here, until(-10)),
      rectangle("here", here, from(-5)),
      rectangle("later", here, from(5)),
    );
    const { crossings, fold } = foldFixes(timeline, []);
    advanceFencesTo(fold, ms(-1), ASSET, timeline, (crossing) => expect(crossing).toBeUndefined());

    expect(crossings).toEqual([]);
    expect(foldFixes(timeline, [fixAt(0, 0)], fold).crossings.map(inShort)).toEqual([
      "here entered 0 first_fix",
    ]);
  });
});

describe("an asset that changes its project", () => {
  const fences = [rectangle("old", here), rectangle("new", here, { projectId: OTHER })];
  const assignment = (projectId: ProjectId, fromS: number, toS: number | undefined) => ({
    assetId: ASSET,
    projectId,
    validFromMs: ms(fromS),
    validToMs: toS === undefined ? undefined : ms(toS),
  });

  test("an asset that changes its project leaves the fences of the old one and enters those of the new", () => {
    const timeline = siteOf(...fences);
    timeline.assign(ASSET, [assignment(PROJECT, -1_000, 55), assignment(OTHER, 55, undefined)]);

    expect(crossingsOfStay(timeline)).toEqual([
      "old entered 0 first_fix",
      "old exited 55 asset_moved",
      "new entered 55 asset_moved",
    ]);
  });

  test("an asset that changes its project leaves all fences when it is deleted, and enters none afterwards", () => {
    const timeline = siteOf(...fences, rectangle("drawn", here, from(100)));
    timeline.assign(ASSET, [assignment(PROJECT, -1_000, 55)]);

    expect(crossingsOfStay(timeline)).toEqual([
      "old entered 0 first_fix",
      "old exited 55 asset_deleted",
    ]);
  });

  test("an asset that changes its project has the first project's fences also before it was assigned", () => {
    const timeline = siteOf(...fences);
    timeline.assign(ASSET, [assignment(PROJECT, 1_000, undefined)]);

    expect(crossingsOfStay(timeline)).toEqual(["old entered 0 first_fix"]);
  });

  test("an asset that changes its project has no fences while its project is not known", () => {
    const timeline = siteOf(...fences);
    timeline.assign(ASSET, []);

    expect(crossingsOfStay(timeline)).toEqual([]);
  });
});

test("a visit ends when its fence was deleted and forgotten before the asset was heard again", () => {
  const timeline = siteOf(rectangle("f", here));
  const { fold } = foldFixes(timeline, stay(0, 200, 0));
  timeline.apply([rectangle("f", here, until(300))]);
  timeline.forget(ms(400));

  const { crossings } = foldFixes(timeline, [fixAt(1_000, 0)], fold);

  expect(crossings.map(inShort)).toEqual(["f exited 1000 fence_deleted"]);
  expect(fencesHeld(fold)).toEqual([]);
});

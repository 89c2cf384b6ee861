import { describe, expect, it } from "vitest";
import {
  assigned,
  NO_ASSIGNMENTS,
  stillUnmatched,
  wbsTree,
  withMatches,
  zoneOfPath,
} from "../../console/pages/progress-setup/matching.ts";
import {
  cornerAt,
  isWhole,
  outlinesOf,
  withOutline,
  zonesOf,
} from "../../console/pages/progress-setup/outline.ts";
import type { ScheduleGroup } from "../../console/pages/progress-setup/requests.ts";
import {
  changeOf,
  formOf,
  isComplete,
  newZone,
  outlineOf,
} from "../../console/pages/progress-setup/zone-form.ts";
import type { WorkZone } from "../../console/state/site-places.ts";

const group = (
  by: "wbs" | "code",
  value: string,
  activities: number,
  unmatched: number,
  zone_ids: string[] = [],
): ScheduleGroup => ({ by, value, activities, unmatched, zone_ids, example: `of ${value}` });

const GROUPS = [
  group("wbs", "SITE", 2, 2),
  group("wbs", "SITE.A.1", 3, 0, ["a"]),
  group("wbs", "SITE.B.1", 4, 4),
  group("wbs", "SITE.B.2", 5, 5),
  group("code", "B", 9, 9),
];
const DRY_RUN = { groups: GROUPS, unmatched_activities: 11 };
const wbs = (value: string) => ({ by: "wbs" as const, value });

describe("the tree of a work breakdown structure", () => {
  it("has every path below the one before its last dot, with sums of all below", () => {
    expect(
      wbsTree(GROUPS).map(({ path, depth, activities, unmatched }) => [
        path,
        depth,
        activities,
        unmatched,
      ]),
    ).toEqual([
      ["SITE", 0, 14, 11],
      ["SITE.A", 1, 3, 0],
      ["SITE.A.1", 2, 3, 0],
      ["SITE.B", 1, 9, 9],
      ["SITE.B.1", 2, 4, 4],
      ["SITE.B.2", 2, 5, 5],
    ]);
  });

  it("keeps a path beside one whose name goes on", () => {
    const paths = wbsTree([group("wbs", "A-1", 1, 1), group("wbs", "A.1", 1, 1)]);
    expect(paths.map(({ path }) => path)).toEqual(["A", "A.1", "A-1"]);
  });
});

describe("what is given to zones", () => {
  it("counts for all below a path", () => {
    const given = assigned(NO_ASSIGNMENTS, wbs("SITE.B"), "b");
    expect(zoneOfPath(given, "SITE.B.2")).toBe("b");
    expect(zoneOfPath(given, "SITE.A.1")).toBeUndefined();
    expect(stillUnmatched(DRY_RUN, given)).toEqual([2, 2]);
    expect(assigned(given, wbs("SITE.B"), "").size).toBe(0);
  });

  it("is counted once where a path and one below it are given, and exactly where only paths are", () => {
    const given = assigned(assigned(NO_ASSIGNMENTS, wbs("SITE.B"), "b"), wbs("site.b.1"), "c");
    expect(stillUnmatched(DRY_RUN, given)).toEqual([2, 2]);
  });

  it("of paths and codes is known within bounds: an activity may be of both", () => {
    const given = assigned(
      assigned(NO_ASSIGNMENTS, wbs("SITE.B.1"), "b"),
      { by: "code", value: "B" },
      "b",
    );
    expect(stillUnmatched(DRY_RUN, given)).toEqual([0, 2]);
  });

  it("is added to the lists of a zone once", () => {
    const before = { codes: ["A"], wbs: ["SITE.A"], names: [] };
    expect(withMatches(before, [wbs("SITE.A")])).toBeUndefined();
    expect(withMatches(before, [wbs("SITE.B"), { by: "name", value: "M-1" }])).toEqual({
      codes: ["A"],
      wbs: ["SITE.A", "SITE.B"],
      names: ["M-1"],
    });
  });
});

const ZONE: WorkZone = {
  ...{ id: "a", project_id: "yard", name: "A", declared_progress: 0 },
  metric: {
    kind: "stages",
    stages: [
      { name: "framing", credit: 20 },
      { name: "paint", credit: 100 },
    ],
  },
  activities: { codes: [], wbs: ["SITE.A"], names: [] },
  ...{ declared_at: "2026-03-01T00:00:00Z", created_at: "2026-03-01T00:00:00Z" },
  updated_at: "2026-03-01T00:00:00Z",
  polygon: [
    [50, 9],
    [50, 9.1],
    [50.1, 9],
  ],
};

describe("the form of a zone", () => {
  it("changes nothing where nothing was changed", () => {
    expect(changeOf(ZONE, formOf(ZONE), outlineOf(ZONE))).toEqual({});
  });

  it("sends what was changed and nothing else", () => {
    const form = { ...formOf(ZONE), name: " B ", weight: "2,5", wbs: "SITE.A\n\nSITE.B \n" };
    expect(changeOf(ZONE, form, outlineOf(ZONE))).toEqual({
      name: "B",
      weight: 2.5,
      activities: { codes: [], wbs: ["SITE.A", "SITE.B"], names: [] },
    });
    expect(changeOf(ZONE, formOf(ZONE), outlineOf({}))).toEqual({ polygon: null });
  });

  it("is complete with a name, a whole metric, and for surfaces an outline", () => {
    const form = { ...formOf(undefined), name: "Pit" };
    expect(isComplete(form, outlineOf({}))).toBe(true);
    expect(isComplete({ ...form, kind: "cut" }, outlineOf({}))).toBe(false);
    expect(isComplete({ ...form, kind: "cut" }, outlineOf(ZONE))).toBe(true);
    expect(isComplete({ ...form, kind: "height" }, outlineOf(ZONE))).toBe(false);
    const levels = [{ name: "Slab", topM: 0.4, weight: "1" }];
    expect(isComplete({ ...form, kind: "height", levels }, outlineOf(ZONE))).toBe(true);
    expect(isComplete({ ...form, declared: "101" }, outlineOf({}))).toBe(false);
    expect(newZone("yard", { ...form, kind: "height", levels }, outlineOf({}))).toMatchObject({
      metric: { kind: "height", levels: [{ name: "Slab", top_m: 0.4, weight: 1 }] },
    });
  });
});

describe("outlines in the view of a camera", () => {
  it("stay within the picture, and a zone without corners is not in it", () => {
    expect(cornerAt(-0.2, 1.4)).toEqual([0, 1]);
    const outlines = withOutline(
      outlinesOf([
        {
          zone_id: "a",
          outline: [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
        },
      ]),
      "b",
      [],
    );
    expect(isWhole(outlines)).toBe(true);
    expect(zonesOf(outlines).map(({ zone_id }) => zone_id)).toEqual(["a"]);
    expect(isWhole(withOutline(outlines, "b", [cornerAt(0, 0)]))).toBe(false);
  });
});

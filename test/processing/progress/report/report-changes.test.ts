import { describe, expect, it } from "vitest";
import type { ReportZone } from "../../../../domain/sites/progress-report.ts";
import { reportChanges } from "../../../../processing/progress/report/report-changes.ts";
import { measuredZone } from "../../../support/report-site.ts";

const [MONDAY, TUESDAY, FRIDAY] = [
  "2026-03-02T12:00:00.000Z",
  "2026-03-03T12:00:00.000Z",
  "2026-03-06T12:00:00.000Z",
];

const zone = (id: string, progress: number, change: Partial<ReportZone> = {}): ReportZone =>
  measuredZone(id, progress, MONDAY, change);

const reportOf = (capture_date: string, zones: readonly ReportZone[], progress = 50, seen = 1) => ({
  capture_date,
  zones,
  progress_percentage: progress,
  seen_share: seen,
});

/** What became of one zone from Monday to Friday. */
function changed(before: ReportZone, after: ReportZone) {
  const { zones } = reportChanges(reportOf(MONDAY, [before]), reportOf(FRIDAY, [after]));
  const [first] = zones;
  if (first === undefined) throw new Error("the zone is not compared");
  return { ...first, ...first.change };
}

describe("what changed between two reports", () => {
  it("of two measured figures is their difference, with both errors as squares, significant where 0 is left out", () => {
    const later = (progress: number, off: number) =>
      zone("a", progress, { as_of: FRIDAY, interval_95: [progress - off, progress + off] });
    expect(changed(zone("a", 40), later(50, 4))).toMatchObject({
      ...{ basis: "compared", before: 40, after: 50, difference: 10 },
      ...{ interval_95: [5, 15], is_significant: true },
      ...{ before_as_of: MONDAY, after_as_of: FRIDAY },
    });
    expect(changed(zone("a", 40), later(44, 4))).toMatchObject({
      ...{ difference: 4, interval_95: [-1, 9], is_significant: false },
    });
    expect(changed(zone("a", 40), later(30, 4))).toMatchObject({
      ...{ difference: -10, interval_95: [-15, -5], is_significant: true },
    });
  });

  it("is not known of a zone that was not seen again: the figure is the same one", () => {
    const carried = zone("a", 40, { interval_95: [37, 100], observed_fraction: 0 });
    expect(changed(zone("a", 40), carried)).toMatchObject({
      ...{ basis: "not_seen_again", before: 40, after: 40 },
      ...{ difference: null, interval_95: null, is_significant: null },
    });
  });

  it("is not known of a zone that was never seen before, or is not yet", () => {
    const declared = zone("a", 0, { method: "declared", interval_95: null });
    expect(changed(declared, zone("a", 40, { as_of: FRIDAY }))).toMatchObject({
      ...{ basis: "first_seen", before: null, after: 40, difference: null },
    });
    expect(changed(declared, declared)).toMatchObject({
      ...{ basis: "never_seen", before: null, after: null, difference: null },
    });
  });

  it("has no interval where a figure has none, but for a person's word, which is exact", () => {
    const unbounded = zone("a", 50, { as_of: FRIDAY, interval_95: null });
    expect(changed(zone("a", 40), unbounded)).toMatchObject({
      ...{ difference: 10, interval_95: null, is_significant: null },
    });
    const said = zone("a", 50, { as_of: FRIDAY, interval_95: null, method: "manual" });
    expect(changed(zone("a", 40), said)).toMatchObject({
      ...{ difference: 10, interval_95: [7, 13], is_significant: true },
    });
  });

  it("may be anything that work since an old figure can have done", () => {
    const old = zone("a", 40, { interval_95: [37, 100] });
    const { zones } = reportChanges(
      reportOf(FRIDAY, [old]),
      reportOf("2026-03-07T12:00:00.000Z", [zone("a", 50, { as_of: "2026-03-07T12:00:00.000Z" })]),
    );
    expect(zones[0]?.change).toMatchObject({
      ...{ difference: 10, interval_95: [-53, 14.3], is_significant: false },
    });
  });

  it("names zones that are new, and those that are gone", () => {
    const { project, zones } = reportChanges(
      reportOf(MONDAY, [zone("a", 40), zone("b", 40)]),
      reportOf(FRIDAY, [zone("a", 50, { as_of: FRIDAY }), zone("c", 10, { as_of: FRIDAY })]),
    );
    expect(zones.map(({ zone_id, basis }) => [zone_id, basis])).toEqual([
      ["a", "compared"],
      ["c", "new_zone"],
      ["b", "removed"],
    ]);
    // Two means of different zones.
    expect(project).toMatchObject({ before: 50, after: 50, difference: null });
  });

  it("of the project is the mean of the zones' intervals by weight, added as they are", () => {
    const before = [zone("a", 40, { weight: 3 }), zone("b", 40, { weight: 1 })];
    const after = [
      zone("a", 50, { weight: 3, as_of: TUESDAY }),
      zone("b", 40, { weight: 1, interval_95: [37, 100] }),
    ];
    const { project } = reportChanges(reportOf(MONDAY, before, 40), reportOf(TUESDAY, after, 47.5));
    // a: 5.7 to 14.3, b: 0 to 60; rounded outward each time.
    expect(project).toEqual({
      ...{ before: 40, after: 47.5, difference: 7.5 },
      ...{ interval_95: [4.2, 25.8], is_significant: true },
    });
  });

  it("of a project of which nothing was seen is not known", () => {
    const { project } = reportChanges(
      reportOf(MONDAY, [zone("a", 0, { method: "declared" })], 0, 0),
      reportOf(FRIDAY, [zone("a", 50, { as_of: FRIDAY })]),
    );
    expect(project).toMatchObject({ before: null, after: 50, difference: null });
  });
});

import { describe, expect, it } from "vitest";
import { assetEntry } from "../../support/fixed-directory.ts";
import { type LivenessRun, openLivenessRun, type RunAsset } from "../../support/liveness-run.ts";

/** `m1`, `m2`, ... with one time-out. */
const machines = (count: number, timeoutS?: number): RunAsset[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `m${i + 1}`,
    ...(timeoutS === undefined ? {} : { timeoutS }),
  }));

interface Reporting {
  /** First message, s. */
  readonly fromS: number;
  readonly everyS: number;
  /** No message after this second; absent: to the end. */
  readonly untilS?: number;
}

/** Lets assets report at their own pace until `toS`; a tick comes before the messages of its second. */
function report(run: LivenessRun, toS: number, plan: Readonly<Record<string, Reporting>>): void {
  const messages = Object.entries(plan).flatMap(([id, { fromS, everyS, untilS = toS }]) => {
    const count = Math.floor((Math.min(untilS, toS) - fromS) / everyS) + 1;
    return Array.from({ length: Math.max(0, count) }, (_, i) => ({ id, atS: fromS + i * everyS }));
  });
  for (const { id, atS } of messages.toSorted((a, b) => a.atS - b.atS)) {
    run.passTo(atS);
    run.message(id, atS);
  }
  run.passTo(toS);
}

/** The same pace for several assets. */
const all = (ids: readonly string[], pace: Reporting): Record<string, Reporting> =>
  Object.fromEntries(ids.map((id) => [id, pace]));

describe("assets that fall away together", () => {
  it("assets that fall away together are one outage of their project; those that stay away are reported after it", () => {
    const run = openLivenessRun(machines(6));
    report(run, 1_600, {
      ...all(["m1", "m2", "m3", "m4"], { fromS: 0, everyS: 10, untilS: 600 }),
      ...all(["m5", "m6"], { fromS: 0, everyS: 10 }),
    });
    expect(run.reported).toEqual(["600 project.outage site"]);
    expect(run.events[0]).toMatchObject({ assetId: undefined, projectId: "site" });
    expect(run.events[0]?.data).toEqual({
      project_name: "site",
      last_message_at: "2026-06-01T08:10:00.000Z",
      assets: ["m1", "m2", "m3", "m4"],
      assets_count: 4,
      reporting_count: 6,
    });
    expect(run.alerts()).toMatchObject([
      {
        assetId: undefined,
        severity: "warning",
        message: "4 of 6 assets of site fell away together",
      },
    ]);
    expect(run.status("m1")).toBe("unknown silent");

    report(run, 1_640, all(["m1", "m5", "m6"], { fromS: 1_610, everyS: 10 }));
    expect(run.reported).toHaveLength(1);
    report(run, 1_710, all(["m1", "m2", "m5", "m6"], { fromS: 1_650, everyS: 10 }));
    expect(run.reported.slice(1)).toEqual(["1660 project.recovered site"]);
    expect(run.events[1]?.data).toMatchObject({ assets_away: ["m3", "m4"], duration_s: 1_060 });
    expect(run.alerts()).toMatchObject([{ resolution: "recovered" }]);

    report(run, 1_720, all(["m1", "m2", "m5", "m6"], { fromS: 1_720, everyS: 10 }));
    expect(run.reported.slice(2)).toEqual(["1500 asset.silent m3", "1500 asset.silent m4"]);
    run.message("m3", 1_725);
    expect(run.reported.at(-1)).toBe("1725 asset.reporting m3");
  });

  it.each([
    ["two of two", 2, 2],
    ["three of seven", 3, 7],
    ["one of three", 1, 3],
  ])("assets that fall away together are reported one by one when they are few: %s", (_name, gone, count) => {
    const run = openLivenessRun(machines(count));
    const ids = machines(count).map(({ id }) => id);
    report(run, 1_700, {
      ...all(ids.slice(0, gone), { fromS: 0, everyS: 10, untilS: 600 }),
      ...all(ids.slice(gone), { fromS: 0, everyS: 10 }),
    });
    expect(run.reported).toEqual(ids.slice(0, gone).map((id) => `1500 asset.silent ${id}`));
  });

  it("assets that fall away together are an outage from three on, when they are half", () => {
    const run = openLivenessRun(machines(6));
    report(run, 1_700, {
      ...all(["m1", "m2", "m3"], { fromS: 0, everyS: 10, untilS: 600 }),
      ...all(["m4", "m5", "m6"], { fromS: 0, everyS: 10 }),
    });
    expect(run.reported).toEqual(["600 project.outage site"]);
  });

  it("assets that fall away together are found by their links, long before any time-out", () => {
    const run = openLivenessRun(machines(4));
    for (const { id } of machines(4)) {
      run.up(id, 0);
      run.message(id, 5);
    }
    run.passTo(100);
    // Keep-alives of 60 to 90 s end the sessions one after the other.
    for (const [i, atS] of [100, 115, 130, 145].entries()) {
      run.passTo(atS);
      run.down(`m${i + 1}`, atS, "keep_alive");
    }
    run.passTo(900);
    expect(run.reported).toEqual(["5 project.outage site"]);
    expect(run.events[0]?.data).toMatchObject({ assets: ["m1", "m2", "m3", "m4"] });
    for (const [i, atS] of [900, 902, 904].entries()) run.up(`m${i + 1}`, atS);
    // They are silent too by then, and back when they report.
    run.passTo(1_000);
    expect(run.reported).toHaveLength(1);
    for (const id of ["m1", "m2"]) run.message(id, 1_001);
    run.passTo(1_010);
    expect(run.reported.slice(1)).toEqual(["1010 project.recovered site"]);
  });
});

describe("assets that report seldom, or have time-outs of their own", () => {
  it("assets that report seldom, or have time-outs of their own are one outage although five minutes lie between their last messages", () => {
    const run = openLivenessRun(machines(12));
    const plan = Object.fromEntries(
      machines(12).map(({ id }, i) => [id, { fromS: i * 25, everyS: 300, untilS: 3_600 }]),
    );
    report(run, 6_000, plan);
    // Last heard: m1 at 3,600, m2 at 3,325, ..., m12 at 3,575; found silent 900 s later each.
    expect(run.reported).toEqual(["3450 project.outage site"]);
    expect(run.events[0]?.data).toMatchObject({ assets_count: 6, reporting_count: 12 });
    expect(run.status("m12")).toBe("unknown silent");
  });

  it("assets that report seldom, or have time-outs of their own are one outage although a time-out of 5 min runs out long before one of 15 min", () => {
    const short = machines(2, 300);
    const long = Array.from({ length: 8 }, (_, i) => ({ id: `t${i}` }));
    const run = openLivenessRun([...short, ...long]);
    const ids = [...short, ...long].map(({ id }) => id);
    report(run, 2_500, all(ids, { fromS: 0, everyS: 10, untilS: 1_000 }));
    expect(run.reported).toEqual(["1000 project.outage site"]);
    expect(run.events[0]?.data).toMatchObject({ assets_count: 10 });
  });

  it("assets that report seldom, or have time-outs of their own are held no longer than until the others report: then it is one asset's own silence", () => {
    const short = machines(2, 300);
    const long = Array.from({ length: 8 }, (_, i) => ({ id: `t${i}` }));
    const run = openLivenessRun([...short, ...long]);
    report(run, 700, {
      ...all(["m1", "m2"], { fromS: 0, everyS: 10, untilS: 300 }),
      // Alive, but not heard for 500 s when the checks begin.
      ...all(
        long.map(({ id }) => id),
        { fromS: 100, everyS: 600 },
      ),
    });
    expect(run.reported).toEqual([]);
    run.passTo(710);
    expect(run.reported).toEqual(["600 asset.silent m1", "600 asset.silent m2"]);
  });

  it("do not vote when they report less than once an hour", () => {
    // Three machines that are heard daily say nothing about the three that report every 10 s.
    const daily = Array.from({ length: 7 }, (_, i) => ({ id: `d${i}`, timeoutS: 100_000 }));
    const run = openLivenessRun([...machines(3), ...daily]);
    report(run, 9_000, {
      ...all(
        daily.map(({ id }) => id),
        { fromS: 0, everyS: 86_400 },
      ),
      ...all(["m1", "m2", "m3"], { fromS: 4_000, everyS: 10, untilS: 8_000 }),
    });
    expect(run.reported).toEqual(["8000 project.outage site"]);
    expect(run.events[0]?.data).toMatchObject({ assets_count: 3, reporting_count: 3 });
  });

  it("assets that report seldom make no outage when they fall silent: they are reported one by one", () => {
    const daily = ["d1", "d2", "d3"];
    const run = openLivenessRun([...machines(2), ...daily.map((id) => ({ id, timeoutS: 7_200 }))]);
    report(run, 7_300, {
      ...all(daily, { fromS: 0, everyS: 86_400 }),
      ...all(["m1", "m2"], { fromS: 0, everyS: 10 }),
    });
    expect(run.reported).toEqual(daily.map((id) => `7200 asset.silent ${id}`));
  });
});

describe("during an outage", () => {
  /** Six machines of which four are gone since second 600, reported at 1,500. */
  function openOutage(more: readonly RunAsset[] = []): LivenessRun {
    const run = openLivenessRun([...machines(6), ...more]);
    report(run, 1_600, {
      ...all(["m1", "m2", "m3", "m4"], { fromS: 0, everyS: 10, untilS: 600 }),
      ...all(["m5", "m6"], { fromS: 0, everyS: 10 }),
      ...all(
        more.map(({ id }) => id),
        { fromS: 0, everyS: 10, untilS: 550 },
      ),
    });
    expect(run.reported).toEqual(["600 project.outage site"]);
    return run;
  }

  it("an asset that was alive and falls away during an outage has an event of its own", () => {
    const run = openOutage();
    report(run, 3_100, {
      m5: { fromS: 1_610, everyS: 10, untilS: 2_000 },
      m6: { fromS: 1_610, everyS: 10 },
    });
    expect(run.reported.slice(1)).toEqual(["2900 asset.silent m5"]);
  });

  it("an asset whose long time-out runs out only now belongs to it", () => {
    const run = openOutage([{ id: "slow", timeoutS: 3_000 }]);
    report(run, 4_000, all(["m5", "m6"], { fromS: 1_610, everyS: 10 }));
    expect(run.status("slow")).toBe("unknown silent");
    expect(run.reported).toHaveLength(1);
  });

  it("an outage ends with half of its members back, and the other half makes no new one", () => {
    const run = openLivenessRun(machines(6));
    const ids = machines(6).map(({ id }) => id);
    report(run, 1_600, all(ids, { fromS: 0, everyS: 10, untilS: 600 }));
    report(run, 1_900, all(["m1", "m2", "m3"], { fromS: 1_605, everyS: 10 }));
    expect(run.reported).toEqual([
      "600 project.outage site",
      "1610 project.recovered site",
      "1500 asset.silent m4",
      "1500 asset.silent m5",
      "1500 asset.silent m6",
    ]);
  });

  it("an outage no longer waits for members that were deleted or moved to another project", () => {
    const run = openOutage();
    run.directory.change("m1", undefined);
    run.directory.change("m2", assetEntry("m2", "elsewhere"));
    report(run, 1_620, all(["m5", "m6"], { fromS: 1_610, everyS: 10 }));
    expect(run.reported.slice(1)).toEqual(["1610 project.recovered site"]);
    report(run, 1_700, all(["m5", "m6"], { fromS: 1_630, everyS: 10 }));
    expect(run.reported.slice(2)).toEqual([
      "1500 asset.silent m2",
      "1500 asset.silent m3",
      "1500 asset.silent m4",
    ]);
    expect(run.events.at(-3)).toMatchObject({ assetId: "m2", projectId: "elsewhere" });
  });
});

describe("assets that are away one after the other", () => {
  it("assets that fall away one after the other are each reported, and one already reported does not count for an outage", () => {
    const run = openLivenessRun(machines(6, 60));
    report(run, 900, {
      m1: { fromS: 0, everyS: 10, untilS: 100 },
      m2: { fromS: 0, everyS: 10, untilS: 300 },
      ...all(["m3", "m4"], { fromS: 0, everyS: 10, untilS: 500 }),
      ...all(["m5", "m6"], { fromS: 0, everyS: 10 }),
    });
    expect(run.reported).toEqual([
      "160 asset.silent m1",
      "360 asset.silent m2",
      "560 asset.silent m3",
      "560 asset.silent m4",
    ]);
  });

  it("assets that are away one after the other have no vote for their silence when they are known to be offline", () => {
    const run = openLivenessRun(machines(6));
    run.up("m1", 0);
    const gone = ["m1", "m2", "m3"];
    report(run, 100, all(gone, { fromS: 0, everyS: 10, untilS: 90 }));
    run.down("m1", 100);
    report(run, 1_100, all(["m4", "m5", "m6"], { fromS: 100, everyS: 10 }));
    expect(run.reported).toEqual([
      "100 asset.offline m1",
      ...gone.map((id) => `990 asset.silent ${id}`),
    ]);
  });
});

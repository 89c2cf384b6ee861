import { describe, expect, it } from "vitest";
import { pilesCsv } from "../../console/pages/stockpiles/piles-csv.ts";
import {
  findPiles,
  pileFilterOf,
  pileParameters,
  sortPiles,
} from "../../console/pages/stockpiles/sort.ts";
import {
  axisTop,
  comparedWith,
  historyOf,
} from "../../console/pages/stockpiles/stockpile/history.ts";
import type { ListedMeasurement } from "../../console/pages/stockpiles/stockpile/requests.ts";
import type { Stockpile } from "../../console/state/site-places.ts";

const measured = (day: number, change: Partial<ListedMeasurement> = {}): ListedMeasurement =>
  ({
    measurement_id: `m${day}`,
    previous_measurement_id: `m${day - 1}`,
    measured_at: `2026-03-0${day}T08:00:00Z`,
    current_volume_m3: 100 * day,
    uncertainty_95_m3: 10,
    change_basis: "measured",
    change_uncertainty_95_m3: 14,
    ...change,
  }) as ListedMeasurement;

const pile = (id: string, change: Partial<Stockpile> = {}): Stockpile =>
  ({
    ...{ id, project_id: "p1", material: id, location: "Bay", max_capacity_m3: 100 },
    ...{ current_volume_m3: 50, volume_basis: "measured", status: "adequate" },
    last_measured: "2026-03-05T08:00:00Z",
    ...change,
  }) as Stockpile;

describe("the history of a stockpile", () => {
  it("joins measurements that can be compared, oldest first, and no others", () => {
    const points = historyOf(pile("a"), [
      measured(4, { change_uncertainty_95_m3: undefined } as never),
      measured(3),
      measured(2, { change_basis: "declared" }),
      measured(1, { change_basis: "none" }),
    ]);
    expect(points.map(({ m3, isJoined }) => [m3, isJoined])).toEqual([
      [100, false],
      [200, false],
      [300, true],
      [400, false],
    ]);
  });

  it("does not join over a measurement that was compared with another one", () => {
    const [, second] = historyOf(pile("a"), [measured(1), measured(3)]);
    expect(second?.isJoined).toBe(false);
  });

  it("has the current volume without an interval where a person declared it", () => {
    const points = historyOf(pile("a", { volume_basis: "declared" }), [measured(1)]);
    expect(points.at(-1)).toEqual({
      ms: Date.parse("2026-03-05T08:00:00Z"),
      m3: 50,
      isJoined: false,
    });
    expect(historyOf(pile("a", { volume_basis: "none" }), [])).toEqual([]);
  });

  it("says what a measurement was compared with", () => {
    expect(comparedWith(measured(2))).toBe("measured");
    expect(comparedWith(measured(2, { change_uncertainty_95_m3: undefined } as never))).toBe(
      "other",
    );
    expect(comparedWith(measured(2, { change_basis: "declared" }))).toBe("declared");
  });

  it.each([
    [0, 1],
    [90, 100],
    [100, 200],
    [480, 500],
    [610, 1_000],
  ])("an axis for %d m³ ± 10 goes to %d", (m3, top) => {
    expect(
      axisTop(m3 === 0 ? [] : historyOf(pile("a"), [{ ...measured(1), current_volume_m3: m3 }])),
    ).toBe(top);
  });
});

describe("the list of stockpiles", () => {
  const piles = [
    pile("b", { current_volume_m3: 80 }),
    pile("none", { volume_basis: "none", current_volume_m3: 0 }),
    pile("a", { volume_basis: "declared", current_volume_m3: 20 }),
  ];
  const ids = (list: readonly Stockpile[]) => list.map(({ id }) => id);

  it("has what nobody knows last, whichever way it is sorted", () => {
    expect(ids(sortPiles(piles, "volume", false))).toEqual(["a", "b", "none"]);
    expect(ids(sortPiles(piles, "volume", true))).toEqual(["b", "a", "none"]);
    expect(ids(sortPiles(piles, "fill", true))).toEqual(["b", "a", "none"]);
  });

  it("is searched by words and filtered by basis", () => {
    expect(ids(findPiles(piles, pileFilterOf("?q=%20NON")))).toEqual(["none"]);
    expect(ids(findPiles(piles, pileFilterOf("?basis=declared&status=dreadful")))).toEqual(["a"]);
  });

  it("is filtered by how full it is; one without a volume is not empty, and the address keeps it", () => {
    const empty = [
      pile("never", { volume_basis: "none", status: "empty" }),
      pile("swept", { status: "empty" }),
      pile("some"),
    ];
    const filter = pileFilterOf("?status=empty");
    expect(ids(findPiles(empty, filter))).toEqual(["swept"]);
    expect(pileParameters(filter)).toEqual({ q: undefined, basis: undefined, status: "empty" });
    expect(ids(findPiles(empty, pileFilterOf("")))).toEqual(["never", "swept", "some"]);
  });

  it("is CSV without a volume where none is known", () => {
    const [, , row] = pilesCsv(piles).split("\r\n");
    expect(row).toBe("none,p1,none,Bay,,,,100,,none,,,");
  });
});

import { describe, expect, it } from "vitest";
import { groundOf } from "../../console/state/ground-choice.ts";

type Bounds = NonNullable<Parameters<typeof groundOf>[0][number]["bounds"]>;

const at = (west: number, width = 1): Bounds => ({ west, south: 0, east: west + width, north: 1 });
const survey = (id: string, bounds: Bounds | null, url: string | null = "https://a/b.tif") => ({
  ...{ id, bounds },
  products: { orthomosaic_url: url },
});
const idsOf = (surveys: readonly ReturnType<typeof survey>[]) =>
  groundOf(surveys).map(({ id }) => id);

describe("orthophotos under the maps of a site", () => {
  it("are the newest of each place: flights of each week have edges a little apart", () => {
    const flights = [survey("today", at(0)), survey("last week", at(0.1)), survey("yard", at(5))];
    expect(idsOf(flights)).toEqual(["today", "yard"]);
    // Much of it is on no newer one.
    expect(idsOf([survey("today", at(0)), survey("wide", at(0, 3))])).toEqual(["today", "wide"]);
  });

  it("leave out what has no orthophoto or no place", () => {
    expect(
      idsOf([survey("heights", at(0), null), survey("gone", null), survey("old", at(0))]),
    ).toEqual(["old"]);
    expect(idsOf([survey("point", at(0, 0)), survey("old", at(0))])).toEqual(["point", "old"]);
  });

  it("are eight at most", () => {
    const many = Array.from({ length: 20 }, (_, i) => survey(`${i}`, at(2 * i)));
    expect(idsOf(many)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
  });
});

import { describe, expect, it } from "vitest";
import { draftOf } from "../../console/map/drawing/draft.ts";
import { flawsOf, wrongCorners } from "../../console/pages/fences/flaws.ts";
import { changeOf, formOf, newFence, previewOf } from "../../console/pages/fences/form.ts";
import { type Visit, visitsCsv } from "../../console/pages/fences/visits-csv.ts";
import type { Geofence } from "../../console/state/fences.ts";

const FENCE: Geofence = {
  id: "yard",
  name: "Yard",
  status: "active",
  area_sqm: 1_000,
  project_id: "site-a",
  kind: "zone",
  shape: "polygon",
  polygon: [
    [50, 9],
    [50, 9.1],
    [50.1, 9],
  ],
  alert_on: ["both"],
  exit_buffer_m: 30,
  confirm_fixes: 2,
  min_dwell_s: 0,
  created_at: "2026-11-28T00:00:00Z",
  updated_at: "2026-11-28T00:00:00Z",
};
const DRAFT = draftOf(FENCE);

describe("a change of a fence", () => {
  it("is empty where nothing was changed: edges that are sent again would end visits", () => {
    expect(changeOf(FENCE, formOf(FENCE, "site-a"), DRAFT)).toEqual({});
  });

  it("has what was changed and nothing else", () => {
    const form = { ...formOf(FENCE, "site-a"), name: " Depot ", isOnExit: false, minDwellS: "60" };
    expect(changeOf(FENCE, form, DRAFT)).toEqual({
      name: "Depot",
      alert_on: ["enter"],
      min_dwell_s: 60,
    });
  });

  it("has the whole new shape where the edges moved", () => {
    const circle = { shape: "circle" as const, points: [[50, 9] as const], sizeM: 40 };
    expect(changeOf(FENCE, formOf(FENCE, "site-a"), circle)).toEqual({
      circle: { centre: [50, 9], radius_m: 40 },
    });
  });
});

describe("a new fence", () => {
  it("has the service's own rules unless a person says others, and no alerts if none are wanted", () => {
    const form = { ...formOf(undefined, "site-a"), name: "Pit", isOnEnter: false, isOnExit: false };
    expect(newFence(form, DRAFT)).toEqual({
      name: "Pit",
      project_id: "site-a",
      kind: "zone",
      alert_on: [],
      min_dwell_s: 0,
      exit_buffer_m: 30,
      confirm_fixes: 2,
      polygon: FENCE.polygon,
    });
  });

  it("is previewed over the last 24 hours", () => {
    const nowMs = Date.parse("2026-11-28T12:00:00Z");
    expect(previewOf(formOf(undefined, "site-a"), DRAFT, nowMs)).toMatchObject({
      from: "2026-11-27T12:00:00.000Z",
      to: "2026-11-28T12:00:00.000Z",
    });
  });
});

describe("what the service refuses of a fence", () => {
  const failure = {
    status: 400,
    message: "polygon[2] crosses polygon[0]",
    details: [
      { parameter: "polygon[2]", message: "crosses the edge from polygon[0]" },
      { parameter: "circle.radius_m", message: "must be >= 1" },
      { parameter: "valid_from", message: "must not lie in the future" },
    ],
  };

  it("is told at the corner, at the size, or below the form", () => {
    const { corners, rest } = flawsOf(failure);
    expect([...corners]).toEqual([
      [2, "crosses the edge from polygon[0]"],
      ["size", "must be >= 1"],
    ]);
    expect(rest).toBe("valid_from must not lie in the future");
    expect(wrongCorners(failure)).toEqual([2]);
  });

  it("is never empty", () => {
    expect(flawsOf({ status: 400, message: "no" }).rest).toBe("no");
    const [first] = failure.details;
    const details = first === undefined ? [] : [first];
    expect(flawsOf({ ...failure, details }).rest).toBe("crosses the edge from polygon[0]");
  });
});

it("visits as CSV have seconds and ISO times, and no cell that a spreadsheet runs", () => {
  const visit: Visit = {
    id: "v1",
    project_id: "site-a",
    asset_id: "digger",
    geofence_id: "yard",
    entered_at: "2026-11-28T06:00:00.000Z",
    duration_s: 90,
    inferred: false,
    entry: { cause: "crossing", location: { latitude: 50, longitude: 9 }, accuracy_meters: 5 },
  };
  const csv = visitsCsv([visit], '=HYPERLINK("x")', new Map([["digger", 'The "big" one, red']]));
  expect(csv.split("\r\n")[1]).toBe(
    'digger,"The ""big"" one, red",yard,"\'=HYPERLINK(""x"")",2026-11-28T06:00:00.000Z,,90,true,false,crossing,5,,',
  );
});

import { describe, expect, it } from "vitest";
import {
  changeOf,
  formOf,
  isWrong,
  type PileForm,
  problemsOf,
} from "../../console/pages/stockpiles/stockpile/facts/facts-form.ts";

const STORED: Parameters<typeof formOf>[0] = {
  material: "Gravel 8/16",
  location: "Bay 1",
  max_capacity_m3: 1_000,
  density_t_per_m3: 1.6,
  thresholds: { empty_percent: 2, low_percent: 20, full_percent: 95 },
  base: { method: "plane" },
};
const form = (part: Partial<PileForm>): PileForm => ({ ...formOf(STORED), ...part });

describe("the form of a stockpile", () => {
  it("sends only what differs from what is stored", () => {
    expect(changeOf(STORED, form({}))).toEqual({});
    expect(changeOf(STORED, form({ location: " Bay 2 ", capacityM3: 764.5548579 }))).toEqual({
      location: "Bay 2",
      max_capacity_m3: 764.555,
    });
    expect(changeOf(STORED, form({ density: undefined, fenceId: "f-1" }))).toEqual({
      density_t_per_m3: null,
      geofence_id: "f-1",
    });
    expect(changeOf({ ...STORED, geofence_id: "f-1" }, form({ fenceId: "" }))).toEqual({
      geofence_id: null,
    });
  });

  it("sends the three shares together, and the base with what it needs", () => {
    expect(changeOf(STORED, form({ low: "12,5" }))).toEqual({
      thresholds: { empty_percent: 2, low_percent: 12.5, full_percent: 95 },
    });
    expect(changeOf(STORED, form({ method: "level", levelM: 41.23456 }))).toEqual({
      base: { method: "level", height_m: 41.235 },
    });
    expect(changeOf(STORED, form({ method: "survey", surfaceUrl: "https://a/b.tif" }))).toEqual({
      base: { method: "survey", surface_url: "https://a/b.tif" },
    });
    // The stored surface stays where no other one is chosen.
    const surveyed = {
      ...STORED,
      base: { method: "survey", surface_url: "https://a/b.tif" } as const,
    };
    expect(changeOf(surveyed, formOf(surveyed))).toEqual({});
  });

  it.each<[keyof ReturnType<typeof problemsOf>, Partial<PileForm>]>([
    ["empty", { empty: "x" }],
    ["low", { low: "2" }],
    ["full", { full: "101" }],
    ["full", { low: "96" }],
    ["capacity", { capacityM3: undefined }],
    ["capacity", { capacityM3: 0 }],
    ["density", { density: Number.NaN }],
    ["level", { method: "level", levelM: undefined }],
    ["surface", { method: "survey" }],
  ])("says of %s what is wrong with it", (field, part) => {
    expect(isWrong(problemsOf(form({}), STORED))).toBe(false);
    const problems = problemsOf(form(part), STORED);
    expect(problems[field]).toBeTruthy();
    expect(isWrong(problems)).toBe(true);
  });
});

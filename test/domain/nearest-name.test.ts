import { describe, expect, it } from "vitest";
import { nearestName } from "../../domain/nearest-name.ts";

const KNOWN = ["latitude", "longitude", "speed_kmh", "heading", "hdop", "pdop", "engine_hours"];

describe("the nearest known name", () => {
  it.each([
    ["another case", "Latitude", "latitude"],
    ["camel case", "speedKmh", "speed_kmh"],
    ["another separator", "speed-kmh", "speed_kmh"],
    ["a letter twice", "lattitude", "latitude"],
    ["a letter left out", "headng", "heading"],
    ["two letters swapped", "haeding", "heading"],
    ["another letter", "heafing", "heading"],
    ["two edits of a long name", "lattitudee", "latitude"],
    ["two edits where long names are nine letters", "longtitudes", "longitude"],
  ])("the nearest known name is found for %s: %s", (_, name, nearest) => {
    expect(nearestName(name, KNOWN)).toBe(nearest);
  });

  it.each([
    ["a second counter", "engine_hours_2"],
    ["two edits of a short name", "haedxng"],
    ["one as near to two", "xdop"],
    ["three letters", "hdo"],
    ["another word", "boom_angle_deg"],
    ["nothing", ""],
    ["65 characters", "latitude".padEnd(65, "e")],
  ])("the nearest known name is none for %s: %s", (_, name) => {
    expect(nearestName(name, KNOWN)).toBeUndefined();
  });
});

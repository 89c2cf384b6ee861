import { describe, expect, it } from "vitest";
import {
  type PileProfile,
  pileProfile,
} from "../../../../processing/measurement/profile/pile-profile.ts";
import { profileSvg } from "../../../../processing/measurement/profile/profile-svg.ts";
import { levelBase } from "../../../../processing/volume/base/base-surface.ts";
import { elementsOf } from "../../../support/well-formed.ts";
import { circle, FRUSTUM, surfaceOf } from "../../volume/solids.ts";

const footprint = circle(FRUSTUM.radiusM, 360);
const surface = surfaceOf(0.1, (x, y) => 100 + FRUSTUM.height(x, y));
const profile = pileProfile(surface, levelBase(100), footprint);

/** Points of a path. */
function pointsOf(path: string | undefined): number[][] {
  return (path ?? "")
    .replace(/[MZ]/g, "")
    .split("L")
    .map((point) => point.split(" ").map(Number));
}

function pathsWith(svg: string, attribute: string, value: string): number[][][] {
  return elementsOf(svg).flatMap(({ name, attributes }) =>
    name === "path" && attributes.get(attribute) === value ? [pointsOf(attributes.get("d"))] : [],
  );
}

describe("profileSvg", () => {
  const svg = profileSvg(profile);

  it("profileSvg is well-formed and self-contained and fetches nothing", () => {
    const elements = elementsOf(svg);
    expect(elements[0]?.attributes.get("xmlns")).toBe("http://www.w3.org/2000/svg");
    expect(new Set(elements.map(({ name }) => name))).toEqual(
      new Set(["svg", "rect", "text", "g", "line", "path"]),
    );
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/href|url\(|http|style|NaN/);
  });

  it("profileSvg draws the surface to scale: a frustum 3 m high with a top 5.5 m wide", () => {
    const [along = [], across = []] = pathsWith(svg, "stroke-width", "2");
    expect(across.length).toBeGreaterThan(100);
    const ys = along.map(([, y = 0]) => y);
    const xs = along.map(([x = 0]) => x);
    // 920 units for the footprint of 13.76 m and a tenth on either side.
    const scale = 920 / (1.2 * 2 * FRUSTUM.radiusM);
    expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(920, 0);
    // 3 m and room of a tenth are 201 units; half as much again does not fit into 300.
    expect(svg).toContain("heights and distances at the same scale");
    expect(Math.max(...ys) - Math.min(...ys)).toBeCloseTo(3 * scale, 0);
    const top = along.filter(([, y = 0]) => y < Math.min(...ys) + 0.02 * scale);
    const width = ((top.at(-1)?.[0] ?? 0) - (top[0]?.[0] ?? 0)) / scale;
    expect(width).toBeGreaterThan(2 * (2 / Math.tan((36 * Math.PI) / 180)) - 0.25);
    expect(width).toBeLessThan(2 * (2 / Math.tan((36 * Math.PI) / 180)) + 0.25);
  });

  it("profileSvg counts heights from the base and says how much larger they are drawn", () => {
    const flat = pileProfile(
      surfaceOf(0.1, (x, y) => 100 + FRUSTUM.height(x, y) / 6),
      levelBase(100),
      footprint,
    );
    const texts = [...profileSvg(flat).matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text);
    // 0.6 m with its room on 16.5 m: 33 units at 1, 267 at 8, 334 at 10.
    expect(texts).toContain("heights drawn 8 times larger");
    expect(texts.filter((text) => text === "0.4")).toHaveLength(2);
    expect(texts.filter((text) => text?.startsWith("100"))).toEqual([]);
  });

  it("profileSvg fills the pile only between gaps, and dashes the previous surface", () => {
    const holed = surfaceOf(0.1, (x, y) =>
      Math.abs(x) < 0.5 ? Number.NaN : 100 + FRUSTUM.height(x, y),
    );
    const two = profileSvg(
      pileProfile(
        holed,
        levelBase(100),
        footprint,
        surfaceOf(0.1, () => 101),
      ),
    );
    elementsOf(two);
    // Along: two parts. Across, through the highest place with data: beside the hole, whole.
    const filled = pathsWith(two, "fill", "#d9b26f");
    expect(filled).toHaveLength(3);
    const previous = pathsWith(two, "stroke-dasharray", "6 4");
    expect(previous).toHaveLength(2);
    expect(new Set(previous[0]?.map(([, y]) => y)).size).toBe(1);
    expect(pathsWith(svg, "stroke-dasharray", "6 4")).toEqual([]);
  });

  it("profileSvg survives a profile without any data", () => {
    const nothing = pileProfile(
      surfaceOf(0.5, () => Number.NaN),
      levelBase(Number.NaN),
      footprint,
    );
    const empty = profileSvg(nothing);
    elementsOf(empty);
    expect(empty).not.toContain("NaN");
    expect(pathsWith(empty, "fill", "none")).toEqual([]);
  });

  it("profileSvg draws what was stored as JSON just the same", () => {
    expect(profileSvg(JSON.parse(JSON.stringify(profile)) as PileProfile)).toBe(svg);
  });
});

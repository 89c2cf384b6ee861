import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDegrees, parsePair } from "../../console/map/drawing/degrees.ts";
import {
  cornerOf,
  type Draft,
  draftOf,
  emptyDraft,
  groundOf,
  isDrawn,
  isSameGround,
  type LatLng,
  movedPoint,
  rectangleOf,
  withMiddle,
  withoutPoint,
  withPoint,
} from "../../console/map/drawing/draft.ts";
import { afterDrawing, drawnFeature } from "../../console/map/drawing/features.ts";
import { distanceM, figuresOf } from "../../console/map/drawing/figures.ts";
import { afterStep, beginHistory, redone, undone } from "../../console/map/drawing/history.ts";

const square: Draft = rectangleOf([50, 9], [50.001, 9.001]);
/** Metres of a degree of latitude on turf's sphere. */
const DEGREE_M = (2 * Math.PI * 6_371_008.8) / 360;

describe("a draft of a fence", () => {
  it("is drawn with three corners, a centre with a radius, or a line with a width", () => {
    const polygon = withPoint(withPoint(emptyDraft("polygon"), [50, 9]), [50, 9.1]);
    expect(isDrawn(polygon)).toBe(false);
    expect(isDrawn(withPoint(polygon, [50.1, 9]))).toBe(true);
    const circle = withPoint(emptyDraft("circle"), [50, 9]);
    expect(isDrawn(circle)).toBe(false);
    expect(isDrawn({ ...circle, sizeM: 40 })).toBe(true);
    const corridor = withPoint(emptyDraft("corridor"), [50, 9]);
    expect(isDrawn(corridor)).toBe(false);
    expect(isDrawn(withPoint(corridor, [50, 9.1]))).toBe(true);
  });

  it("replaces the centre of a circle instead of adding another", () => {
    const circle = withPoint(withPoint(emptyDraft("circle"), [50, 9]), [51, 10]);
    expect(circle.points).toEqual([[51, 10]]);
  });

  it("gets a corner in the middle of an edge, also of the edge that closes a polygon", () => {
    expect(withMiddle(square, 0).points[1]).toEqual([50, 9.0005]);
    expect(withMiddle(square, 3).points[4]).toEqual([50.0005, 9]);
    const line = { ...emptyDraft("corridor"), points: square.points };
    expect(withMiddle(line, 3)).toBe(line);
  });

  it("is sent in the API's order, latitude first, under the name of its shape", () => {
    expect(groundOf(square)).toEqual({ polygon: square.points });
    const circle: Draft = { shape: "circle", points: [[50, 9]], sizeM: 40 };
    expect(groundOf(circle)).toEqual({ circle: { centre: [50, 9], radius_m: 40 } });
    const corridor: Draft = { shape: "corridor", points: [[50, 9] as LatLng], sizeM: 12 };
    expect(groundOf(corridor)).toEqual({ corridor: { line: [[50, 9]], width_m: 12 } });
  });

  it("of a stored circle is its centre, not its outline, and comes back the same", () => {
    const stored = {
      shape: "circle" as const,
      polygon: [[50.1, 9]],
      circle: { centre: [50, 9], radius_m: 40 },
    };
    const draft = draftOf(stored);
    expect(draft).toEqual({ shape: "circle", points: [[50, 9]], sizeM: 40 });
    expect(isSameGround(draft, draftOf(stored))).toBe(true);
    expect(isSameGround(draft, movedPoint(draft, 0, [50, 9.1]))).toBe(false);
  });

  it("knows which corner a name of an error means", () => {
    expect(cornerOf("polygon[3]")).toBe(3);
    expect(cornerOf("corridor.line[12]")).toBe(12);
    expect(cornerOf("circle.centre")).toBe(0);
    expect(cornerOf("polygon")).toBeUndefined();
    expect(cornerOf("name")).toBeUndefined();
  });
});

describe("steps of drawing", () => {
  it("are taken back and made again, and a new step forgets those that were taken back", () => {
    const [one, two, three] = [square, withoutPoint(square, 0), withMiddle(square, 1)];
    const after = afterStep(afterStep(beginHistory(one), two), three);
    expect(undone(after).present).toBe(two);
    expect(undone(undone(undone(after))).present).toBe(one);
    expect(redone(undone(after)).present).toBe(three);
    expect(redone(afterStep(undone(after), one)).present).toBe(one);
  });
});

describe("figures of a draft", () => {
  it("are the area and the edge of a polygon", () => {
    const height = 0.001 * DEGREE_M;
    const width = height * Math.cos((50 * Math.PI) / 180);
    const { areaM2, lengthM, crossings } = figuresOf(square) ?? never();
    expect(areaM2 / (width * height)).toBeCloseTo(1, 3);
    expect(lengthM / (2 * (width + height))).toBeCloseTo(1, 3);
    expect(crossings).toEqual([]);
  });

  it("of a circle and a corridor follow radius, line and width", () => {
    const circle = figuresOf({ shape: "circle", points: [[50, 9]], sizeM: 10 });
    expect(circle?.areaM2).toBeCloseTo(314.159, 2);
    const line: LatLng[] = [
      [50, 9],
      [50.001, 9],
    ];
    const corridor = figuresOf({ shape: "corridor", points: line, sizeM: 10 });
    expect(corridor?.lengthM).toBeCloseTo(0.001 * DEGREE_M, 2);
    expect(corridor?.areaM2).toBeCloseTo(0.001 * DEGREE_M * 10 + 78.54, 1);
  });

  it("name the place where edges cross", () => {
    const points: LatLng[] = [
      [50, 9],
      [50.002, 9.002],
      [50, 9.002],
      [50.002, 9],
    ];
    const [crossing] = figuresOf({ shape: "polygon", points, sizeM: undefined })?.crossings ?? [];
    expect(crossing?.[0]).toBeCloseTo(50.001, 5);
    expect(crossing?.[1]).toBeCloseTo(9.001, 5);
  });

  it("are not there before there is something to measure", () => {
    expect(figuresOf(emptyDraft("polygon"))).toBeUndefined();
    expect(figuresOf(withPoint(emptyDraft("circle"), [50, 9]))).toBeUndefined();
    expect(figuresOf(emptyDraft("corridor"))).toBeUndefined();
  });
});

describe("what the drawing tool is given", () => {
  it("comes back as the same draft, with all decimals of corners that were not moved", () => {
    const points: LatLng[] = [
      [50.123456789012, 9.987654321098],
      [50.2, 9.9],
      [50.3, 9.8],
    ];
    const draft: Draft = { shape: "polygon", points, sizeM: undefined };
    const feature = drawnFeature(draft) ?? never();
    expect(afterDrawing(draft, feature)).toEqual(draft);
  });

  it("of a circle of any size and place comes back within a decimetre of its radius and 1 m of its centre", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -60, max: 60, noNaN: true }),
        fc.double({ min: -170, max: 170, noNaN: true }),
        fc.integer({ min: 5, max: 2_000 }),
        (lat, lng, sizeM) => {
          const nowhere: Draft = { shape: "circle", points: [], sizeM: undefined };
          const draft: Draft = { shape: "circle", points: [[lat, lng]], sizeM };
          const back = afterDrawing(nowhere, drawnFeature(draft) ?? never());
          expect(Math.abs((back.sizeM ?? 0) - sizeM)).toBeLessThan(0.1 + sizeM / 1_000);
          const [centre] = back.points;
          expect(distanceM(centre ?? never(), [lat, lng])).toBeLessThan(1);
        },
      ),
    );
  });

  it("keeps the centre of a circle whose radius was dragged", () => {
    const centre: LatLng = [50.123456789, 9.123456789];
    const before: Draft = { shape: "circle", points: [centre], sizeM: 100 };
    const dragged = drawnFeature({ ...before, sizeM: 150 }) ?? never();
    const after = afterDrawing(before, dragged);
    expect(after.points).toEqual([centre]);
    expect(after.sizeM).toBeCloseTo(150, 0);
  });
});

describe("degrees that a person types", () => {
  it.each([
    ["52.5", 52.5],
    ["52,5", 52.5],
    [" -7 ", -7],
    ["−7", -7],
    ["90", 90],
  ])("%s is %f", (text, degrees) => {
    expect(parseDegrees(text, 90)).toBe(degrees);
  });

  it.each(["", "x", "90.1", "1e1", "52.5.1", "12°"])("%s is no latitude", (text) => {
    expect(parseDegrees(text, 90)).toBeUndefined();
  });

  it.each([
    "52.5, 13.4",
    "52.5 13.4",
    "52.5;13.4",
    "52.5\t13.4",
    "52,5 13,4",
    "52.5,13.4",
  ])("%s is a pair", (text) => {
    expect(parsePair(text)).toEqual([52.5, 13.4]);
  });

  it.each(["52.5", "52,5", "52.5, 13.4, 7", "91, 0", ""])("%s is no pair", (text) => {
    expect(parsePair(text)).toBeUndefined();
  });
});

function never(): never {
  throw new Error("is not there");
}

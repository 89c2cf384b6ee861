import { describe, expect, it } from "vitest";
import {
  type Archive,
  attributionOf,
  baseLayers,
  baseSources,
} from "../../console/map/base-map.ts";
import {
  accuracyCircle,
  changesOf,
  fenceFeatures,
  type MachineFeature,
} from "../../console/map/features.ts";
import { graticule } from "../../console/map/graticule.ts";
import { placeFeatures } from "../../console/map/place-layers.ts";
import { liveStyle } from "../../console/map/style.ts";
import { placeText, viewOf } from "../../console/pages/map/address.ts";
import { latenessOf } from "../../console/pages/map/lateness.ts";
import { isSameList, listedOf, type MachineRow } from "../../console/pages/map/listed.ts";
import { scrollBy } from "../../console/parts/reveal.ts";
import { withParameter } from "../../console/state/address.ts";
import type { Machine } from "../../console/state/machine.ts";

const feature = (id: string, longitude: number): MachineFeature => ({
  type: "Feature",
  id,
  properties: { id, name: id, look: "idle", turn: 0 },
  geometry: { type: "Point", coordinates: [longitude, 52] },
});

describe("what the map is told of machines", () => {
  it("is only what has changed, by value, and who has gone", () => {
    const known = new Map(["a", "b", "c"].map((id) => [id, feature(id, 10)]));
    const changes = changesOf(known, [feature("a", 10), feature("b", 11), feature("d", 10)]);
    expect(changes.add.map(({ properties }) => properties.id)).toEqual(["b", "d"]);
    expect(changes.remove).toEqual(["c"]);
  });

  it.each([
    ["its place", { geometry: { type: "Point", coordinates: [10, 52.1] } }],
    ["its name", { properties: { id: "a", name: "A", look: "idle", turn: 0 } }],
    ["its look", { properties: { id: "a", name: "a", look: "stale", turn: 0 } }],
    ["its heading", { properties: { id: "a", name: "a", look: "idle", turn: 1 } }],
  ] as const)("is a machine again that changed %s", (_, part) => {
    const changed = { ...feature("a", 10), ...part } as MachineFeature;
    expect(changesOf(new Map([["a", feature("a", 10)]]), [changed]).add).toEqual([changed]);
  });

  it("has circles of accuracy in metres on the ground, and none where no accuracy is known", () => {
    const machine = { latitude: 60, longitude: 10, accuracyM: 100 } as Machine;
    const [circle] = accuracyCircle(machine).features;
    const ring = circle?.geometry.coordinates[0] ?? [];
    const east = Math.max(...ring.map(([lng = 0]) => lng)) - 10;
    // Half as many metres to a degree of longitude as at the equator.
    expect(east * 111_195 * 0.5).toBeCloseTo(100, 0);
    expect(ring[0]).toEqual(ring.at(-1));
    expect(accuracyCircle({ latitude: 60, longitude: 10 } as Machine).features).toEqual([]);
  });

  it("has fences as closed rings of longitude and latitude", () => {
    const polygon = [
      [52, 13],
      [52, 14],
      [53, 14],
    ];
    const [fence] = fenceFeatures([{ id: "pit", name: "Pit", kind: "zone", polygon }]).features;
    expect(fence?.geometry.coordinates).toEqual([
      [
        [13, 52],
        [14, 52],
        [14, 53],
        [13, 52],
      ],
    ]);
  });
});

describe("the list beside the map", () => {
  const machines = Array.from({ length: 6 }, (_, i) => ({ id: `m${i}` }) as Machine);
  const idsOf = (list: readonly MachineRow[]) => list.map(({ id }) => id);
  const choice = { count: 2, chosenId: undefined, isLive: true, nowMs: 100_000 };

  it("has the chosen machine where it comes after the first rows, and says how many it leaves out", () => {
    const { first, chosen, between, rest } = listedOf(machines, { ...choice, chosenId: "m4" });
    expect([idsOf(first), chosen?.id, between, rest]).toEqual([["m0", "m1"], "m4", 2, 3]);
  });

  it.each(["m1", "gone", undefined])("has the first rows alone where %s is chosen", (id) => {
    const { first, chosen, between, rest } = listedOf(machines, { ...choice, chosenId: id });
    expect([idsOf(first), chosen, between, rest]).toEqual([["m0", "m1"], undefined, 0, 4]);
  });

  it("is the same while machines move, and has new rows for those alone that say something else", () => {
    const at = (fixMs: number, status = "active") =>
      machines.map((one, i) => ({ ...one, fixMs, status: i === 1 ? status : "idle" }) as Machine);
    const before = listedOf(at(99_000), choice);
    const moved = listedOf(at(100_000), { ...choice, nowMs: 101_000 }, before);
    expect(isSameList(before, moved)).toBe(true);
    const changed = listedOf(at(101_000, "maintenance"), choice, before);
    expect(isSameList(before, changed)).toBe(false);
    expect(changed.first[0]).toBe(before.first[0]);
    expect(changed.first[1]).not.toBe(before.first[1]);
  });

  it("says when a machine was seen that is not heard of, or where nothing is live", () => {
    const [machine] = machines.map((one) => ({ ...one, fixMs: 40_000 }) as Machine);
    const seen = (part: Partial<typeof choice>) =>
      listedOf(machine === undefined ? [] : [machine], { ...choice, ...part }).first[0]?.seenMs;
    expect(seen({ nowMs: 100_000 })).toBeUndefined();
    expect(seen({ nowMs: 100_001 })).toBe(40_000);
    expect(seen({ nowMs: 50_000, isLive: false })).toBe(40_000);
  });

  it("is scrolled to a row that is not wholly in sight, and else stays", () => {
    const box = { top: 100, bottom: 300 };
    expect(scrollBy({ top: 120, bottom: 160 }, box)).toBe(0);
    expect(scrollBy({ top: 280, bottom: 320 }, box)).toBe(100);
    expect(scrollBy({ top: -60, bottom: -20 }, box)).toBe(-240);
  });
});

describe("the grid of degrees", () => {
  it.each([
    0.0004, 0.01, 0.3, 8, 150,
  ])("has some lines and not too many in a view of %f°", (span) => {
    const lines = graticule({ west: 9, south: 50, east: 9 + span, north: 50 + span / 2 }).features;
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.length).toBeLessThan(60);
  });

  it("says which half of the world a line is in", () => {
    const lines = graticule({ west: -2, south: -2, east: 2, north: 2 }).features;
    const labels = lines.map(({ properties }) => properties?.["label"]);
    expect(labels).toContain("1° W");
    expect(labels).toContain("1° S");
    expect(labels).toContain("2° N");
  });
});

describe("an address of the map", () => {
  it("keeps place and selection, and what else it says", () => {
    const view = { latitude: 52.5, longitude: 13.4, zoom: 15 };
    const address = withParameter("https://plumbline.example/map?project=a", "at", placeText(view));
    expect(address).toBe("https://plumbline.example/map?project=a&at=52.50000,13.40000,15.0");
    expect(viewOf(new URL(address).search)).toEqual(view);
    expect(withParameter(address, "asset", "digger-1")).toBe(`${address}&asset=digger-1`);
    expect(withParameter(`${address}&asset=x`, "asset", undefined)).toBe(address);
  });

  it.each([
    "",
    "?at=",
    "?at=1,2",
    "?at=x,y,z",
    "?at=91,0,3",
    "?at=0,181,3",
    "?at=0,0,99",
  ])("%s is no place", (search) => {
    expect(viewOf(search)).toBeUndefined();
  });
});

it("the map asks no other server than that of the tiles, and loads no fonts", () => {
  const tiles = {
    kind: "tiles" as const,
    url: "https://tiles.example/{z}/{x}/{y}.png",
    attribution: "©",
    maxZoom: 19,
  };
  const hosts = (style: unknown) => JSON.stringify(style).match(/https?:\/\/[^/"]+/g) ?? [];
  expect(hosts(liveStyle("light", undefined, false))).toEqual([]);
  expect(hosts(liveStyle("dark", tiles, true))).toEqual(["https://tiles.example"]);
  expect(liveStyle("light", tiles, true)).not.toHaveProperty("glyphs");
});

it.each([
  "light",
  "dark",
] as const)("in %s a line of the site has a wider one of the other brightness below it", (theme) => {
  const { layers } = liveStyle(theme, undefined, false);
  for (const source of ["fences", "zones", "piles"]) {
    const lines = layers.filter((layer) => layer.type === "line" && layer.source === source);
    const [casing, line] = lines.map(({ paint = {} }) => paint as Record<string, unknown>);
    expect(lines.map(({ id }) => id)).toEqual([`${source}-casing`, source]);
    expect(Number(casing?.["line-width"])).toBeGreaterThan(Number(line?.["line-width"]));
    expect(casing?.["line-color"]).toBe(theme === "light" ? "#ffffff" : "#0b1116");
  }
});

describe("a map file under the map", () => {
  const archive = (isVector: boolean): Archive => ({
    tiles: "pmtiles://https://plumbline.example/maps/a.pmtiles/{z}/{x}/{y}",
    ...{ isVector, minZoom: 3, maxZoom: 14, bounds: [9, 50, 10, 51], attribution: "© Survey" },
  });
  const base = { kind: "archives" as const, archives: [archive(true), archive(false)] };

  it("is a source with the zooms, the bounds and the attribution of its file", () => {
    const { "base-0": vector, "base-1": raster } = baseSources(base);
    const said = { minzoom: 3, maxzoom: 14, bounds: [9, 50, 10, 51], attribution: "© Survey" };
    expect(vector).toMatchObject({ type: "vector", ...said });
    expect(raster).toMatchObject({ type: "raster", ...said });
  });

  it("is drawn below the grid, the fences and the machines, with fonts of this machine", () => {
    const layers = liveStyle("dark", base, false).layers.map(({ id }) => id);
    const of = (prefix: string) => layers.filter((id) => id.startsWith(prefix));
    expect(of("base-0").length).toBeGreaterThan(5);
    expect(of("base-1")).toEqual(["base-1"]);
    const last = layers.findLastIndex((id) => id.startsWith("base-"));
    expect(last).toBeLessThan(layers.indexOf("graticule"));
    expect(JSON.stringify(baseLayers(base, "dark", ["serif"]))).not.toContain("Noto");
  });

  it("has its attribution as text, whatever markup its metadata have", () => {
    const attribution =
      '<a href="https://x.example">© A</a> &amp; <img src=x onerror=alert(1)>B <b';
    expect(attributionOf({ attribution })).toBe("© A &amp; B &lt;b");
    expect([attributionOf({}), attributionOf(null), attributionOf({ attribution: 7 })]).toEqual(
      Array(3).fill(""),
    );
  });
});

it("zones and stockpiles are drawn where they have an outline, and nowhere else", () => {
  const corners = [
    [52, 13],
    [52, 14],
    [53, 14],
  ];
  const { features } = placeFeatures([
    { id: "a", name: "A", corners },
    { id: "b", name: "B", corners: undefined },
  ]);
  expect(features.map(({ properties }) => properties)).toEqual([{ id: "a", name: "A" }]);
  expect(features[0]?.geometry.coordinates[0]).toEqual([
    [13, 52],
    [14, 52],
    [14, 53],
    [13, 52],
  ]);
});

describe("a position that came late", () => {
  const fixMs = Date.parse("2026-03-05T12:00:00.000Z");
  const message = (outcome: "stored" | "duplicate", receivedS: number, fixS = 0) => ({
    outcome,
    received_at: new Date(fixMs + receivedS * 1_000).toISOString(),
    newest_fix_at: new Date(fixMs + fixS * 1_000).toISOString(),
  });

  it("says when it was received and how long after it was taken", () => {
    expect(latenessOf(fixMs, [message("stored", 600)])).toEqual({
      receivedMs: fixMs + 600_000,
      delayMs: 600_000,
    });
  });

  it("is not one that was in time and sent a second time", () => {
    expect(latenessOf(fixMs, [message("duplicate", 600), message("stored", 2)])).toBe(undefined);
  });

  it("is not known without the message that brought it", () => {
    expect(latenessOf(fixMs, [message("stored", 900, 300)])).toBe(undefined);
    expect(latenessOf(undefined, [message("stored", 600)])).toBe(undefined);
  });
});

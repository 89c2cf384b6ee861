import { NodeIO as GlbReader, type NodeIO } from "@gltf-transform/core";
import { validateBytes } from "gltf-validator";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { LonLat, Ring } from "../../../../domain/geometry/geofence.ts";
import { isInside } from "../../../../processing/grid/inside-polygon.ts";
import type { PlanPolygon } from "../../../../processing/grid/polygon-weights.ts";
import { INK } from "../../../../processing/pictures/ink.ts";
import { ThreadPool } from "../../../../processing/pool/pool.ts";
import { cutEars } from "../../../../processing/progress/report/zone-plan/cut-ears.ts";
import { drawZonePlan } from "../../../../processing/progress/report/zone-plan/draw-zone-plan.ts";
import { labelPlace } from "../../../../processing/progress/report/zone-plan/label-place.ts";
import { layOut } from "../../../../processing/progress/report/zone-plan/lay-out.ts";
import { DRAW_ZONE_PLAN } from "../../../../processing/progress/report/zone-plan/tasks.ts";
import { zoneColour } from "../../../../processing/progress/report/zone-plan/zone-colour.ts";
import { zoneModel } from "../../../../processing/progress/report/zone-plan/zone-model.ts";
import type { PlannedZone } from "../../../../processing/progress/report/zone-plan/zone-plan.ts";

/** A place so many metres east and north of 52.5 N, 13.4 E, good to a millimetre a 100 m. */
const at = (east: number, north: number): LonLat => [
  13.4 + east / (111_320 * 0.6095),
  52.5 + north / 111_270,
];
const ring = (...corners: readonly (readonly [number, number])[]): Ring => {
  const [first = [0, 0]] = corners;
  return [...corners, first].map(([x, y]) => at(x, y));
};
/** Anticlockwise, with a corner that points inward. */
const BENT = ring([120, 0], [200, 0], [200, 30], [150, 30], [150, 90], [120, 90]);
const zone = (change: Partial<PlannedZone>): PlannedZone => ({
  name: "Zone",
  polygon: ring([0, 0], [60, 0], [60, 40], [0, 40]),
  progress: 40,
  status: "in_progress",
  heightM: 10,
  ...change,
});

async function pixelsOf(png: Uint8Array) {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    /** How many pixels have exactly that colour. */
    count: ([r, g, b]: readonly [number, number, number]) => {
      let count = 0;
      for (let i = 0; i < data.length; i += info.channels) {
        if (data[i] === r && data[i + 1] === g && data[i + 2] === b) count += 1;
      }
      return count;
    },
  };
}

describe("the map of zones", () => {
  it("fills each zone with the colour of its progress, to scale", async () => {
    const half = zone({ progress: 50 });
    const done = zone({
      progress: 100,
      status: "complete",
      polygon: ring([100, 0], [130, 0], [130, 40], [100, 40]),
    });
    const { map } = await drawZonePlan({ zones: [half, done], ground: undefined });
    const pixels = await pixelsOf(map);
    // 60 m x 40 m beside 30 m x 40 m: twice the pixels, but for outlines and labels.
    const ratio = pixels.count(zoneColour(half)) / pixels.count(zoneColour(done));
    expect(ratio).toBeGreaterThan(1.9);
    expect(ratio).toBeLessThan(2.3);
    expect(Math.max(pixels.width, pixels.height)).toBeLessThanOrEqual(1_400);
  });

  it("the map of zones shows the ground below where there is a picture of it, at its place", async () => {
    const flat = async (colour: string) =>
      new Uint8Array(
        await sharp({ create: { width: 40, height: 40, channels: 3, background: colour } })
          .png()
          .toBuffer(),
      );
    const zones = [zone({}), zone({ polygon: BENT })];
    const red: readonly [number, number, number] = [200, 30, 30];
    const over = await drawZonePlan({
      zones,
      ground: {
        bytes: await flat("rgb(200, 30, 30)"),
        corners: [at(-100, 200), at(300, 200), at(300, -100), at(-100, -100)],
      },
    });
    const beside = await drawZonePlan({
      zones,
      ground: {
        bytes: await flat("rgb(200, 30, 30)"),
        corners: [at(1_000, 200), at(1_300, 200), at(1_300, -100), at(1_000, -100)],
      },
    });
    const covered = await pixelsOf(over.map);
    expect(covered.count(red)).toBeGreaterThan(50_000);
    expect(covered.count(zoneColour(zone({})))).toBeLessThan(5_000);
    expect((await pixelsOf(beside.map)).count(red)).toBe(0);
  });

  it("the map of zones does without a picture of the ground that is damaged", async () => {
    const corners = [at(-100, 200), at(300, 200), at(300, -100), at(-100, -100)] as const;
    const zones = [zone({})];
    const ground = { bytes: Uint8Array.of(0xff, 0xd8, 1, 2, 3), corners };
    const { map } = await drawZonePlan({ zones, ground });
    const bare = await drawZonePlan({ zones, ground: undefined });
    expect(Buffer.from(map).equals(bare.map)).toBe(true);
  });

  it("is drawn of zones without outlines, of 40 zones, and of names in any script", async () => {
    const many = Array.from({ length: 40 }, (_, i) =>
      zone({ name: `東京 ${i} <b>&`, polygon: undefined }),
    );
    const { map, model } = await drawZonePlan({ zones: many, ground: undefined });
    expect((await pixelsOf(map)).width).toBeGreaterThan(800);
    expect((await validateBytes(model)).issues.numErrors).toBe(0);
  });

  it("the map of zones has a colour of its own for a zone that was never seen, and no 0 %", async () => {
    const unseen = zone({ progress: undefined, status: "not_started" });
    const none = zone({ progress: 0, status: "not_started" });
    const [unknown, begun] = [
      await pixelsOf((await drawZonePlan({ zones: [unseen], ground: undefined })).map),
      await pixelsOf((await drawZonePlan({ zones: [none], ground: undefined })).map),
    ];
    expect(zoneColour(unseen)).not.toEqual(zoneColour(none));
    expect(unknown.count(zoneColour(unseen))).toBeGreaterThan(100_000);
    // Both colours are in the legend of each.
    expect(unknown.count(zoneColour(none))).toBeLessThan(1_000);
    expect(begun.count(zoneColour(unseen))).toBeLessThan(1_000);
    // The letters: "0" is drawn where 0 is known.
    expect(unknown.count(INK)).not.toBe(begun.count(INK));
  });

  it("the map of zones has its whole legend, also where it is narrow", async () => {
    const south = zone({ polygon: ring([0, 0], [15, 0], [15, 12], [0, 12]) });
    const north = zone({ polygon: ring([0, 50], [15, 50], [15, 62], [0, 62]) });
    const { map } = await drawZonePlan({ zones: [south, north], ground: undefined });
    const { width, height } = await sharp(map).metadata();
    expect(width).toBeLessThan(900);
    // Paper between the end of the legend and the edge of the picture.
    const edge = { left: width - 10, top: height - 80, width: 10, height: 80 };
    const { channels } = await sharp(await sharp(map).extract(edge).png().toBuffer()).stats();
    expect(channels.every(({ stdev }) => stdev === 0)).toBe(true);
  });

  it("the map of zones is the same, byte for byte, each time", async () => {
    const input = { zones: [zone({}), zone({ polygon: BENT })], ground: undefined };
    const [first, second] = [await drawZonePlan(input), await drawZonePlan(input)];
    expect(Buffer.from(first.map).equals(second.map)).toBe(true);
    expect(Buffer.from(first.model).equals(second.model)).toBe(true);
  });
});

describe("the task draw-zone-plan", () => {
  it("the task draw-zone-plan draws in a thread what is drawn here", async () => {
    const pool = new ThreadPool({ threads: 1, memoryBytes: 512 * 1024 ** 2 });
    try {
      const input = { zones: [zone({}), zone({ polygon: BENT })], ground: undefined };
      const drawn = await pool.run(DRAW_ZONE_PLAN, input);
      const { map, model } = await drawZonePlan(input);
      expect(Buffer.from(drawn.map).equals(map)).toBe(true);
      expect(Buffer.from(drawn.model).equals(model)).toBe(true);
    } finally {
      await pool.close();
    }
  });
});

describe("the model of zones", () => {
  const zones = [
    zone({ name: "Slab" }),
    zone({ name: "Tower", polygon: BENT, progress: 100, status: "complete", heightM: 24 }),
    zone({ name: "Yard", polygon: ring([70, 0], [70, 50], [110, 50]), progress: 0, heightM: 3 }),
    zone({ name: "Inside", polygon: undefined, heightM: 3 }),
  ];

  it("the model of zones is valid glTF without a warning", async () => {
    const { issues } = await validateBytes(await zoneModel(layOut(zones)));
    expect(issues.messages).toEqual([]);
  });

  it("the model of zones has blocks in metres, y up: solid as high as the work has come, the rest above it", async () => {
    const io: NodeIO = new GlbReader();
    const document = await io.readBinary(await zoneModel(layOut(zones)));
    const nodes = document.getRoot().listNodes();
    expect(nodes.map((node) => node.getName())).toEqual(["Slab", "Tower", "Yard", "Inside"]);
    const parts = nodes.map((node) =>
      (node.getMesh()?.listPrimitives() ?? []).map((primitive) => {
        const place = primitive.getAttribute("POSITION");
        const [low, high] = [place?.getMin([]) ?? [], place?.getMax([]) ?? []];
        return [low[1], high[1]].map((metres) => Math.round(Number(metres) * 100) / 100);
      }),
    );
    expect(parts).toEqual([
      [
        [0, 4],
        [4, 10],
      ],
      [[0, 24]],
      [[0, 3]],
      [
        [0, 1.2],
        [1.2, 3],
      ],
    ]);
    const slab = nodes[0]?.getMesh()?.listPrimitives()[0]?.getAttribute("POSITION");
    const [low, high] = [slab?.getMin([]) ?? [], slab?.getMax([]) ?? []];
    expect((high[0] ?? 0) - (low[0] ?? 0)).toBeCloseTo(60, 0);
    expect((high[2] ?? 0) - (low[2] ?? 0)).toBeCloseTo(40, 0);
  });

  it("the model of zones has nothing solid of a zone that was never seen, and null for its percent", async () => {
    const io: NodeIO = new GlbReader();
    const unseen = zone({ progress: undefined, status: "not_started" });
    const root = (await io.readBinary(await zoneModel(layOut([unseen])))).getRoot();
    expect(root.listMaterials().map((material) => material.getAlphaMode())).toEqual(["BLEND"]);
    expect(root.listNodes()[0]?.getExtras()["progress"]).toBeNull();
  });

  it("the model of zones has closed blocks whose volume is that of the outline times the height", async () => {
    const io: NodeIO = new GlbReader();
    const document = await io.readBinary(await zoneModel(layOut(zones)));
    const tower = document.getRoot().listMeshes()[1]?.listPrimitives()[0];
    const places = tower?.getAttribute("POSITION")?.getArray() ?? [];
    const indices = tower?.getIndices()?.getArray() ?? [];
    const point = (i: number) => [0, 1, 2].map((k) => places[(indices[i] ?? 0) * 3 + k] ?? 0);
    // Divergence theorem: a sixth of the sum of a . (b x c) over triangles that all face outward.
    let volume = 0;
    for (let i = 0; i < indices.length; i += 3) {
      const [[ax = 0, ay = 0, az = 0], [bx = 0, by = 0, bz = 0], [cx = 0, cy = 0, cz = 0]] = [
        point(i),
        point(i + 1),
        point(i + 2),
      ] as [number[], number[], number[]];
      volume +=
        (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    }
    // 80 m x 30 m + 30 m x 60 m = 4,200 m2, 24 m high.
    expect(volume / 24 / 4_200).toBeCloseTo(1, 2);
  });
});

describe("triangles of an outline", () => {
  const areaOf = (polygon: PlanPolygon, triangles: readonly number[]) => {
    let area = 0;
    for (let i = 0; i < triangles.length; i += 3) {
      const [[ax, ay] = [0, 0], [bx, by] = [0, 0], [cx, cy] = [0, 0]] = [0, 1, 2].map(
        (k) => polygon[triangles[i + k] ?? 0] ?? ([0, 0] as const),
      );
      area += ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
    }
    return area;
  };
  const COMB: PlanPolygon = [
    [0, 0],
    [10, 0],
    [10, 5],
    [8, 5],
    [8, 1],
    [6, 1],
    [6, 5],
    [4, 5],
    [4, 1],
    [2, 1],
    [2, 5],
    [0, 5],
  ];

  it("triangles fill a comb of either direction, anticlockwise", () => {
    // 10 x 1 and three teeth of 2 x 4.
    expect(areaOf(COMB, cutEars(COMB))).toBeCloseTo(34, 9);
    const reversed = COMB.toReversed();
    expect(areaOf(reversed, cutEars(reversed))).toBeCloseTo(34, 9);
  });

  it("triangles of an outline are none of a line, and leave out corners on a straight edge", () => {
    expect(
      cutEars([
        [0, 0],
        [1, 0],
        [2, 0],
      ]),
    ).toEqual([]);
    const square: PlanPolygon = [
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ];
    expect(areaOf(square, cutEars(square))).toBeCloseTo(4, 9);
  });

  it("triangles of an outline fill a zone of 1,000 corners, all of them hollow or sharp", () => {
    const star: PlanPolygon = Array.from({ length: 1000 }, (_, i) => {
      const radius = i % 2 === 0 ? 100 : 60;
      const angle = (2 * Math.PI * i) / 1000;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    expect(areaOf(star, cutEars(star))).toBeCloseTo(500 * 100 * 60 * Math.sin(Math.PI / 500), 6);
  });

  it("triangles of an outline have a label inside, also where the centroid is not", () => {
    const [x, y] = labelPlace(COMB);
    expect(isInside(COMB, x, y)).toBe(true);
  });
});

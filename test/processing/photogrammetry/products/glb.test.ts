import { type Primitive, WebIO } from "@gltf-transform/core";
import { describe, expect, it } from "vitest";
import type { HeightField } from "../../../../processing/grid/elevation-grid.ts";
import { writeGlb } from "../../../../processing/photogrammetry/products/write-glb.ts";

const origin = { latDeg: 51.5, lonDeg: -0.12, heightM: 30 };
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);

/** 6 x 5 m at 1 m, rising 0.5 m a metre to the north; one cell without data. */
function slope(): HeightField {
  const elevationM = Float32Array.from({ length: 30 }, (_, i) => 10 - 0.5 * Math.floor(i / 6));
  elevationM[8] = Number.NaN;
  return { westM: -3, northM: 2.5, cellM: 1, width: 6, height: 5, elevationM };
}

async function read(glb: Uint8Array) {
  const root = (await new WebIO().readBinary(glb)).getRoot();
  const primitive = root.listMeshes()[0]?.listPrimitives()[0];
  if (primitive === undefined) throw new Error("no mesh");
  return { root, primitive };
}

function numbers(primitive: Primitive, name: string): number[] {
  return Array.from(primitive.getAttribute(name)?.getArray() ?? []);
}

describe("GLB of a surface", () => {
  it("the GLB of a surface is read again as a net of metres, y up, without the cell that has no data", async () => {
    const { root, primitive } = await read(
      await writeGlb(slope(), origin, { jpeg, frame: slope() }),
    );
    const positions = numbers(primitive, "POSITION");
    const normals = numbers(primitive, "NORMAL");
    const texcoords = numbers(primitive, "TEXCOORD_0");
    expect(positions).toHaveLength(29 * 3);
    // 5 x 4 squares; those about the missing cell keep one triangle each: 16 x 2 + 4.
    expect(primitive.getIndices()?.getCount()).toBe(36 * 3);
    for (let i = 0; i < 29; i += 1) {
      const [x = 0, up = 0, south = 0] = positions.slice(i * 3, i * 3 + 3);
      // Row 0 lies at y = 2 and 10 m; half a metre less each metre to the south.
      expect(up).toBeCloseTo(10 - 0.5 * (south + 2), 5);
      expect(texcoords[i * 2]).toBeCloseTo((x + 3) / 6, 6);
      expect(texcoords[i * 2 + 1]).toBeCloseTo((south + 2.5) / 5, 6);
      // The vertex at the edge above the missing cell has no neighbour to give its slope.
      if (x === -0.5 && south === -2) continue;
      // Normal of a slope 1 in 2 that faces south: (0, 2, 1) / sqrt 5.
      expect(normals[i * 3 + 1]).toBeCloseTo(2 / Math.sqrt(5), 5);
      expect(normals[i * 3 + 2]).toBeCloseTo(1 / Math.sqrt(5), 5);
    }
    expect(root.listScenes()[0]?.getExtras()).toMatchObject({
      origin: { lat_deg: 51.5, lon_deg: -0.12, height_m: 30 },
      unit: "m",
    });
    expect(Array.from(root.listTextures()[0]?.getImage() ?? [])).toEqual([...jpeg]);
  });

  it("the GLB of a surface turns every triangle's front to the sky", async () => {
    const { primitive } = await read(await writeGlb(slope(), origin, undefined));
    const positions = numbers(primitive, "POSITION");
    const indices = Array.from(primitive.getIndices()?.getArray() ?? [], Number);
    const plan = (vertex = 0) =>
      [positions[vertex * 3] ?? 0, positions[vertex * 3 + 2] ?? 0] as const;
    let fronts = 0;
    for (let i = 0; i < indices.length; i += 3) {
      const [[ax, az], [bx, bz], [cx, cz]] = [
        plan(indices[i]),
        plan(indices[i + 1]),
        plan(indices[i + 2]),
      ];
      // The y of (b - a) x (c - a).
      if ((bz - az) * (cx - ax) - (bx - ax) * (cz - az) > 0) fronts += 1;
    }
    expect(fronts).toBe(indices.length / 3);
  });

  it("thins a large surface to the nodes allowed, and writes the same bytes again", async () => {
    const elevationM = new Float32Array(100 * 80).fill(3);
    const large = { westM: 0, northM: 0, cellM: 0.1, width: 100, height: 80, elevationM };
    const glb = await writeGlb(large, origin, undefined, 32);
    const { primitive } = await read(glb);
    // Every fourth cell: 25 x 20 nodes over the same ground.
    const positions = numbers(primitive, "POSITION");
    expect(positions).toHaveLength(25 * 20 * 3);
    expect(Math.max(...positions.filter((_, i) => i % 3 === 0))).toBeCloseTo(9.8, 5);
    expect(Buffer.compare(await writeGlb(large, origin, undefined, 32), glb)).toBe(0);
  });
});

import { Document, type Material, WebIO } from "@gltf-transform/core";
import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import type { Colour } from "../../../pictures/picture.ts";
import { cutEars } from "./cut-ears.ts";
import type { ZoneLayout } from "./lay-out.ts";
import { zoneColour } from "./zone-colour.ts";

/** What is yet to be done: pale and seen through. */
const TO_DO: Colour = [120, 128, 138];
const TO_DO_OPACITY = 0.22;

/**
 * Blocks of the zones as a GLB (glTF 2.0), y up, x east, z south, metres: a solid part as high as the work
 * has come, and a part that is seen through for the rest, which is all of a zone that was never seen. Nodes carry
 * the zones' names, and their percents as extras; null: not known.
 */
export async function zoneModel({ zones, toPlan }: ZoneLayout): Promise<Uint8Array> {
  const document = new Document();
  document.getRoot().getAsset().generator = "Plumbline";
  const buffer = document.createBuffer();
  const materials = new Map<string, Material>();
  const scene = document.createScene("zones").setExtras({
    axes: toPlan === undefined ? "schematic" : "x east, y up, z south",
    unit: "m",
  });

  function material(colour: Colour, opacity: number): Material {
    const key = `${colour.join(" ")} ${opacity}`;
    const known = materials.get(key);
    if (known !== undefined) return known;
    const [r, g, b] = colour.map(linear) as [number, number, number];
    const made = document
      .createMaterial(key)
      .setBaseColorFactor([r, g, b, opacity])
      .setRoughnessFactor(1)
      .setMetallicFactor(0)
      .setAlphaMode(opacity < 1 ? "BLEND" : "OPAQUE");
    materials.set(key, made);
    return made;
  }

  for (const { zone, number, polygon, isSchematic } of zones) {
    const doneM = (zone.heightM * (zone.progress ?? 0)) / 100;
    const parts = [
      { fromM: 0, toM: doneM, colour: zoneColour(zone), opacity: 1 },
      { fromM: doneM, toM: zone.heightM, colour: TO_DO, opacity: TO_DO_OPACITY },
    ].filter(({ fromM, toM }) => toM - fromM > 1e-6 * zone.heightM);
    const mesh = document.createMesh(zone.name);
    for (const part of parts) {
      const block = blockOf(polygon, part.fromM, part.toM);
      // An outline without area has no block.
      if (block.indices.length === 0) continue;
      const accessor = (type: "VEC3" | "SCALAR", array: Float32Array | Uint32Array) =>
        document
          .createAccessor()
          .setType(type)
          .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)
          .setBuffer(buffer);
      mesh.addPrimitive(
        document
          .createPrimitive()
          .setAttribute("POSITION", accessor("VEC3", block.positions))
          .setAttribute("NORMAL", accessor("VEC3", block.normals))
          .setIndices(accessor("SCALAR", block.indices))
          .setMaterial(material(part.colour, part.opacity)),
      );
    }
    const node = document.createNode(zone.name).setExtras({
      number,
      progress: zone.progress ?? null,
      status: zone.status,
      height_m: zone.heightM,
      schematic: isSchematic,
    });
    if (mesh.listPrimitives().length > 0) node.setMesh(mesh);
    else mesh.dispose();
    scene.addChild(node);
  }
  return new WebIO().writeBinary(document);
}

/** Of one channel: colour factors of glTF are linear, colours of screens are not (IEC 61966-2-1). */
function linear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

interface Block {
  /** Three numbers a vertex: east, up, south, metres. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}

/** A prism over a polygon: bottom, top and walls, each wall with corners of its own so that edges are sharp. */
function blockOf(polygon: PlanPolygon, fromM: number, toM: number): Block {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  const vertex = (x: number, y: number, up: number, normal: readonly [number, number, number]) => {
    positions.push(x, up, -y);
    normals.push(...normal);
    return positions.length / 3 - 1;
  };
  const ears = cutEars(polygon);
  for (const [up, direction] of [[toM, 1] as const, [fromM, -1] as const]) {
    const first = positions.length / 3;
    for (const [x, y] of polygon) vertex(x, y, up, [0, direction, 0]);
    for (let i = 0; i < ears.length; i += 3) {
      const [a, b, c] = [ears[i] ?? 0, ears[i + 1] ?? 0, ears[i + 2] ?? 0];
      // Anticlockwise seen from above faces up; the bottom faces down.
      const [second, third] = direction === 1 ? [b, c] : [c, b];
      indices.push(first + a, first + second, first + third);
    }
  }
  if (ears.length > 0) walls(isAnticlockwise(polygon) ? polygon : polygon.toReversed());
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };

  function walls(ring: PlanPolygon): void {
    for (const [i, [x, y]] of ring.entries()) {
      const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y];
      const length = Math.hypot(nextX - x, nextY - y);
      if (length === 0) continue;
      // Outward of an anticlockwise ring, as east, up, south.
      const normal = [(nextY - y) / length, 0, (nextX - x) / length] as const;
      const [a, b] = [vertex(x, y, fromM, normal), vertex(nextX, nextY, fromM, normal)];
      const [c, d] = [vertex(nextX, nextY, toM, normal), vertex(x, y, toM, normal)];
      indices.push(a, b, c, a, c, d);
    }
  }
}

function isAnticlockwise(polygon: PlanPolygon): boolean {
  let sum = 0;
  for (const [i, [x, y]] of polygon.entries()) {
    const [nextX, nextY] = polygon[(i + 1) % polygon.length] ?? [x, y];
    sum += x * nextY - nextX * y;
  }
  return sum > 0;
}

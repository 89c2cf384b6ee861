import { type Accessor, Document, WebIO } from "@gltf-transform/core";
import { DomainError } from "../../domain/errors.ts";
import type { Ring } from "../../domain/geometry/geofence.ts";
import { decodeEpoch } from "../epoch/epoch-file.ts";
import { planOfRing } from "../epoch/plan-ring.ts";
import type { ElevationGrid, GridFrame } from "../grid/elevation-grid.ts";
import { gatherCells } from "../grid/gather-cells.ts";
import { isInside } from "../grid/inside-polygon.ts";
import type { PlanPolygon } from "../grid/polygon-weights.ts";
import type { StockpileDatum } from "../measurement/surface/datum.ts";
import type { GroundSurvey } from "../measurement/surface/ground-survey.ts";
import { keptBase } from "../measurement/surface/measurement-base.ts";
import { type SurfaceMesh, surfaceMesh } from "../photogrammetry/products/surface-mesh.ts";
import { frameExtras } from "../photogrammetry/products/write-glb.ts";
import type { BaseSurface } from "../volume/base/base-surface.ts";

/** A measured pile as it is stored. */
export interface PileInput {
  /** File of the epoch: the surface on the grid of the datum. */
  readonly epoch: Uint8Array;
  readonly datum: StockpileDatum;
  readonly footprint: Ring;
  /** The surface that the base names; `undefined`: the base is no survey. */
  readonly ground: GroundSurvey | undefined;
}

/** Nodes along the longer edge at most: 384 make a file of some 7 MB. Fewer round the toe of small piles. */
const MAX_NODES = 384;
/** Ground that is shown around a footprint, as a share of its longer edge, and at least, metres. */
const AROUND = 0.25;
const LEAST_AROUND_M = 3;
/** Attribute of a vertex: its height above the base, metres. glTF lets names of programs begin with a line. */
const ABOVE_BASE = "_ABOVE_BASE_M";

/**
 * A measured pile and the ground around it as a GLB, y up, x east, z south, metres from the datum's origin. The mesh
 * `pile` is the surface within the footprint where its base is known, with `_ABOVE_BASE_M` at each vertex; the mesh
 * `ground` is all else that was measured. Holes are holes: what the volume interpolates is not drawn. For tasks only.
 * @throws DomainError `STORE_DAMAGED` for an epoch that cannot be read; Error where a base that is a survey was not
 *   loaded
 */
export async function pileGlb({ epoch, datum, footprint, ground }: PileInput): Promise<Uint8Array> {
  const { origin, grid, georeferencing } = datum;
  const surface = decodeEpoch(epoch)?.surface;
  if (surface === undefined) throw new DomainError("STORE_DAMAGED", "the epoch of a measurement");
  const polygon = planOfRing(footprint, origin);
  const { surface: base } = keptBase(datum.base, { grid, origin }, georeferencing, ground);
  const shown = around(surface, polygon);
  const mesh = surfaceMesh(shown, shown, MAX_NODES);
  const parts = split(mesh, polygon, base);
  return await written(mesh, parts, {
    ...frameExtras(origin),
    base: { method: base.kind, nmad_m: base.nmadM },
  });
}

/** The cells around a polygon. */
function around(surface: ElevationGrid, polygon: PlanPolygon): ElevationGrid {
  const { westM, northM, cellM, width, height } = surface;
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [south, north] = [Math.min(...ys), Math.max(...ys)];
  const margin = Math.max(LEAST_AROUND_M, AROUND * Math.max(east - west, north - south));
  const cellOf = (metres: number, last: number) =>
    Math.min(last, Math.max(0, Math.floor(metres / cellM)));
  const left = cellOf(west - margin - westM, width - 1);
  const right = cellOf(east + margin - westM, width - 1);
  const top = cellOf(northM - north - margin, height - 1);
  const bottom = cellOf(northM - south + margin, height - 1);
  const frame: GridFrame = {
    ...{ westM: westM + left * cellM, northM: northM - top * cellM, cellM },
    ...{ width: right - left + 1, height: bottom - top + 1 },
  };
  return gatherCells(surface, frame);
}

interface PileParts {
  /** Vertices of the mesh by those of the pile. */
  readonly vertices: readonly number[];
  /** Height of each above the base, metres. */
  readonly aboveM: Float32Array<ArrayBuffer>;
  /** Triangles by vertices of the pile. */
  readonly pile: Uint32Array<ArrayBuffer>;
  /** Triangles by vertices of the mesh. */
  readonly ground: Uint32Array<ArrayBuffer>;
}

/** Triangles of the pile are those with all corners inside and a base below each. */
function split({ positions, indices }: SurfaceMesh, polygon: PlanPolygon, base: BaseSurface) {
  const aboveOf = Float32Array.from({ length: positions.length / 3 }, (_, vertex) => {
    const [x = 0, z = 0, south = 0] = positions.subarray(vertex * 3, vertex * 3 + 3);
    return isInside(polygon, x, -south) ? z - base.heightAt(x, -south) : Number.NaN;
  });
  const numbers = new Map<number, number>();
  const [pile, ground]: [number[], number[]] = [[], []];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [indices[i] ?? 0, indices[i + 1] ?? 0, indices[i + 2] ?? 0];
    if (corners.some((corner) => Number.isNaN(aboveOf[corner] ?? Number.NaN))) {
      ground.push(...corners);
      continue;
    }
    for (const corner of corners) {
      const number = numbers.get(corner) ?? numbers.size;
      numbers.set(corner, number);
      pile.push(number);
    }
  }
  const vertices = [...numbers.keys()];
  const parts: PileParts = {
    vertices,
    aboveM: Float32Array.from(vertices, (vertex) => aboveOf[vertex] ?? Number.NaN),
    pile: Uint32Array.from(pile),
    ground: Uint32Array.from(ground),
  };
  return parts;
}

async function written(
  { positions, normals }: SurfaceMesh,
  { vertices, aboveM, pile, ground }: PileParts,
  extras: Record<string, unknown>,
): Promise<Uint8Array> {
  const document = new Document();
  document.getRoot().getAsset().generator = "Plumbline";
  const buffer = document.createBuffer();
  const accessor = (type: "VEC3" | "SCALAR", array: Float32Array | Uint32Array): Accessor =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const material = document.createMaterial("ground").setRoughnessFactor(1).setMetallicFactor(0);
  const scene = document.createScene("pile").setExtras(extras);
  const add = (name: string, indices: Uint32Array, of: Readonly<Record<string, Accessor>>) => {
    // A mesh without triangles is none: glTF has no empty lists.
    if (indices.length === 0) return;
    const primitive = document.createPrimitive().setMaterial(material);
    for (const [attribute, values] of Object.entries(of)) primitive.setAttribute(attribute, values);
    primitive.setIndices(accessor("SCALAR", indices));
    scene.addChild(
      document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive)),
    );
  };
  const picked = (values: Float32Array) =>
    Float32Array.from({ length: vertices.length * 3 }, (_, i) => {
      const vertex = vertices[Math.floor(i / 3)] ?? 0;
      return values[vertex * 3 + (i % 3)] ?? 0;
    });
  add("pile", pile, {
    POSITION: accessor("VEC3", picked(positions)),
    NORMAL: accessor("VEC3", picked(normals)),
    [ABOVE_BASE]: accessor("SCALAR", aboveM),
  });
  add("ground", ground, {
    POSITION: accessor("VEC3", positions),
    NORMAL: accessor("VEC3", normals),
  });
  return await new WebIO().writeBinary(document);
}

import { Document, WebIO } from "@gltf-transform/core";
import type { SurveyOrigin } from "../../geometry/enu.ts";
import type { GridFrame, HeightField } from "../../grid/elevation-grid.ts";
import { surfaceMesh } from "./surface-mesh.ts";

/**
 * Nodes along the longer edge at most: 512 make a model of some 13 MB, which phones still show. More is too large
 * for them, fewer loses the shape of small piles.
 */
const MAX_NODES = 512;
/** Recommended largest edge of a texture, pixels: what old devices take. */
export const MAX_TEXTURE_PX = 4096;

/** The orthophoto as a picture file, and the ground that it covers. */
export interface ModelTexture {
  readonly jpeg: Uint8Array;
  readonly frame: GridFrame;
}

/**
 * The surface as a GLB (glTF 2.0): a net of triangles with normals, y up, x east, z south, metres from the
 * survey's origin, which is in the scene's extras. Cells without data are left out, not closed. Walls lean by
 * one cell: the surface has one height a place.
 */
export async function writeGlb(
  surface: HeightField,
  origin: SurveyOrigin,
  texture: ModelTexture | undefined,
  maxNodes = MAX_NODES,
): Promise<Uint8Array> {
  const mesh = surfaceMesh(surface, texture?.frame ?? surface, maxNodes);
  const document = new Document();
  document.getRoot().getAsset().generator = "Plumbline";
  const buffer = document.createBuffer();
  const accessor = (type: "VEC2" | "VEC3" | "SCALAR", array: Float32Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const material = document.createMaterial("ground").setRoughnessFactor(1).setMetallicFactor(0);
  if (texture !== undefined) {
    material.setBaseColorTexture(
      document
        .createTexture("orthophoto")
        .setImage(texture.jpeg as Uint8Array<ArrayBuffer>)
        .setMimeType("image/jpeg"),
    );
  }
  const primitive = document
    .createPrimitive()
    .setAttribute("POSITION", accessor("VEC3", mesh.positions))
    .setAttribute("NORMAL", accessor("VEC3", mesh.normals))
    .setAttribute("TEXCOORD_0", accessor("VEC2", mesh.texcoords))
    .setIndices(accessor("SCALAR", mesh.indices))
    .setMaterial(material);
  const node = document
    .createNode("surface")
    .setMesh(document.createMesh("surface").addPrimitive(primitive));
  document.createScene("survey").addChild(node).setExtras(frameExtras(origin));
  return new WebIO().writeBinary(document);
}

/** What a scene says of its frame. */
export const frameExtras = ({ latDeg, lonDeg, heightM }: SurveyOrigin) => ({
  origin: { lat_deg: latDeg, lon_deg: lonDeg, height_m: heightM },
  axes: "x east, y up, z south of the tangent plane at the origin (WGS 84)",
  unit: "m",
});

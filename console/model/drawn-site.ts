import {
  Box3,
  BufferAttribute,
  type BufferGeometry,
  Color,
  DoubleSide,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Object3D,
  Points,
  PointsMaterial,
  SRGBColorSpace,
  TextureLoader,
  Vector3,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { SitePlace } from "./measure.ts";
import { rampColour } from "./ramp.ts";

/** Name that three gives the attribute `_ABOVE_BASE_M` of a pile: height of each vertex above its base, metres. */
const ABOVE_BASE = "_above_base_m";
/** What has no colour of its own: a middle grey, in light and in dark. */
const GREY = 0x9a9a96;
/** Angle that the camera sees from top to bottom, degrees: wider bends the edges, narrower flattens heights. */
export const VIEW_DEG = 40;
/** A point is drawn a little wider than the points are apart, so that there are no gaps where ground is level. */
const POINT_WIDTH = 1.4;
/** Sizes of points count for a view of 90 degrees: three leaves the angle of the camera out. */
const POINT_SCALE = 1 / Math.tan(((VIEW_DEG / 2) * Math.PI) / 180);
/** Vertices that the spacing is taken of: neighbours in a row follow one another. */
const SPACING_SAMPLE = 2_000;

/** What is known of a site that was read, metres. */
export interface SiteFacts {
  readonly widthM: number;
  readonly depthM: number;
  readonly reliefM: number;
  /** Corners of triangles, or points. */
  readonly vertices: number;
  readonly kind: "surface" | "points";
  /** About how far neighbours lie apart, metres; `undefined`: not known. */
  readonly spacingM: number | undefined;
  /** Whether it has the colours of photographs. */
  readonly isColoured: boolean;
  /** The first of the highest places. */
  readonly highest: SitePlace;
  /** Heights above the base, metres; `undefined`: it is no pile, or nothing of it is known. */
  readonly aboveBase: { readonly lowestM: number; readonly highestM: number } | undefined;
}

/** A site in its own frame: x east, y up, z south, metres from its south-western corner and lowest point. */
export interface DrawnSite {
  /** To be scaled along y alone. */
  readonly group: Group;
  readonly facts: SiteFacts;
  /** Meshes and points that can be pointed at. */
  readonly parts: readonly (Mesh | Points)[];
  /** Frees what it holds in the memory of the graphics card. */
  dispose(): void;
}

/**
 * Reads a GLB of the service: a surface with its orthophoto, points, or a pile with heights above its base.
 * @throws Error for a file that is none, or that has nothing to draw
 */
export async function readSite(glb: ArrayBuffer): Promise<DrawnSite> {
  const loader = new GLTFLoader();
  // The usual loader of pictures fetches a blob: address, which the policy of the pages does not allow; an element may.
  loader.register((parser) => {
    parser.textureLoader = new TextureLoader(loader.manager);
    return { name: "PLUMBLINE_pictures" };
  });
  const { scene } = await loader.parseAsync(glb, "");
  const parts: (Mesh | Points)[] = [];
  scene.traverse((one) => {
    if (one instanceof Mesh || one instanceof Points) parts.push(one);
  });
  const box = new Box3().setFromObject(scene);
  if (box.isEmpty()) throw new Error("the file has nothing to draw");
  const size = box.getSize(new Vector3());
  const aboveBase = rangeAbove(parts);
  const spacingM = spacingOf(parts);
  const isColoured = parts.some(hasColours);
  for (const part of parts) dress(part, aboveBase?.highestM ?? 0, spacingM);
  scene.position.set(-box.min.x, -box.min.y, -box.max.z);
  const group = new Group();
  group.add(scene);
  return {
    group,
    parts,
    facts: {
      highest: highestOf(parts, box),
      ...{ widthM: size.x, depthM: size.z, reliefM: size.y, spacingM, isColoured, aboveBase },
      vertices: parts.reduce((sum, { geometry }) => sum + positionsOf(geometry).count, 0),
      kind: parts.some((part) => part instanceof Points) ? "points" : "surface",
    },
    dispose: () => disposeOf(group),
  };
}

const positionsOf = (geometry: BufferGeometry) => geometry.getAttribute("position");

const materialsOf = (part: Mesh | Points): readonly Material[] =>
  Array.isArray(part.material) ? part.material : [part.material];

function hasColours(part: Mesh | Points): boolean {
  const isPictured = materialsOf(part).some(
    (one) => one instanceof MeshStandardMaterial && one.map !== null,
  );
  return isPictured || part.geometry.hasAttribute("color");
}

/** Gives a part the material that it is drawn with; that of the file goes. */
function dress(part: Mesh | Points, highestM: number, spacingM: number | undefined): void {
  const before = materialsOf(part);
  const [first] = before;
  const map = first instanceof MeshStandardMaterial ? first.map : null;
  const above = part.geometry.getAttribute(ABOVE_BASE);
  if (part instanceof Points) {
    part.material = new PointsMaterial({
      size: (spacingM ?? 0.1) * POINT_WIDTH * POINT_SCALE,
      vertexColors: part.geometry.hasAttribute("color"),
      color: part.geometry.hasAttribute("color") ? 0xffffff : GREY,
    });
  } else if (above !== undefined) {
    part.geometry.setAttribute("color", coloursOf(above, highestM));
    part.material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide });
  } else if (map !== null) {
    map.colorSpace = SRGBColorSpace;
    // Photographs have their light in them: any more would change their colours.
    part.material = new MeshBasicMaterial({ map, side: DoubleSide });
  } else {
    part.material = new MeshLambertMaterial({ color: GREY, side: DoubleSide });
  }
  for (const one of before) one.dispose();
}

/** Values of a file lie side by side with others: an attribute is read by its own methods. */
type Values = ReturnType<BufferGeometry["getAttribute"]>;

function coloursOf(aboveM: Values, highestM: number): BufferAttribute {
  const colours = new Float32Array(aboveM.count * 3);
  const colour = new Color();
  for (let i = 0; i < aboveM.count; i += 1) {
    const [red, green, blue] = rampColour(aboveM.getX(i) / highestM);
    colour.setRGB(red, green, blue, SRGBColorSpace).toArray(colours, i * 3);
  }
  return new BufferAttribute(colours, 3);
}

function rangeAbove(parts: readonly (Mesh | Points)[]): SiteFacts["aboveBase"] {
  let [lowestM, highestM] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { geometry } of parts) {
    if (!geometry.hasAttribute(ABOVE_BASE)) continue;
    const values = geometry.getAttribute(ABOVE_BASE);
    for (let i = 0; i < values.count; i += 1) {
      lowestM = Math.min(lowestM, values.getX(i));
      highestM = Math.max(highestM, values.getX(i));
    }
  }
  return lowestM > highestM ? undefined : { lowestM, highestM };
}

/** Nodes of the service's scenes have no turn and no place of their own. */
function highestOf(parts: readonly (Mesh | Points)[], { min, max }: Box3): SitePlace {
  let place = { eastM: 0, northM: 0, upM: Number.NEGATIVE_INFINITY };
  for (const { geometry } of parts) {
    const positions = positionsOf(geometry);
    for (let i = 0; i < positions.count; i += 1) {
      const upM = positions.getY(i) - min.y;
      if (upM <= place.upM) continue;
      place = { eastM: positions.getX(i) - min.x, northM: max.z - positions.getZ(i), upM };
    }
  }
  return place;
}

/** Least distance along x of vertices that follow one another. */
function spacingOf(parts: readonly (Mesh | Points)[]): number | undefined {
  let least = Number.POSITIVE_INFINITY;
  for (const { geometry } of parts) {
    const positions = positionsOf(geometry);
    const last = Math.min(SPACING_SAMPLE, positions.count);
    for (let i = 1; i < last; i += 1) {
      const step = positions.getX(i) - positions.getX(i - 1);
      // Of one row: the next one begins in the west again.
      if (step > 0) least = Math.min(least, step);
    }
  }
  return Number.isFinite(least) ? least : undefined;
}

/** Frees geometries, materials and their pictures. */
export function disposeOf(root: Object3D): void {
  root.traverse((one) => {
    const { geometry, material } = one as Partial<Mesh>;
    geometry?.dispose();
    for (const each of material === undefined ? [] : [material].flat()) {
      if ("map" in each) (each as MeshBasicMaterial).map?.dispose();
      each.dispose();
    }
  });
}

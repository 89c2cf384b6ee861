import { type BufferGeometry, Texture, Vector3 } from "three";
import { GLTFLoader, type GLTFLoaderPlugin } from "three/addons/loaders/GLTFLoader.js";
import { createEnuFrame } from "../../processing/geometry/enu.ts";

/** Where the vertices of a scene lie. */
export interface SceneExtent {
  /** Degrees, WGS 84. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** Along the scene's own y axis, metres. */
  readonly lowestM: number;
  readonly highestM: number;
  readonly vertices: number;
}

/** Node has nothing that decodes pictures: a texture stays empty. */
const WITHOUT_PICTURES = (): GLTFLoaderPlugin => ({
  name: "without-pictures",
  loadTexture: () => Promise.resolve(new Texture()),
});

/** Reads a GLB of a survey as three does in a browser. @throws what GLTFLoader refuses it with; where no vertex is */
export async function readScene(bytes: Uint8Array): Promise<SceneExtent> {
  const loader = new GLTFLoader().register(WITHOUT_PICTURES);
  const { scene } = await loader.parseAsync(new Uint8Array(bytes).buffer, "");
  const { origin } = scene.userData as {
    readonly origin: {
      readonly lat_deg: number;
      readonly lon_deg: number;
      readonly height_m: number;
    };
  };
  const frame = createEnuFrame({
    latDeg: origin.lat_deg,
    lonDeg: origin.lon_deg,
    heightM: origin.height_m,
  });
  const lats: [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const lngs: [number, number] = [...lats];
  const heights: [number, number] = [...lats];
  const extend = (range: [number, number], value: number) => {
    range[0] = Math.min(range[0], value);
    range[1] = Math.max(range[1], value);
  };
  let vertices = 0;
  const at = new Vector3();
  scene.updateMatrixWorld(true);
  scene.traverse((thing) => {
    const { geometry } = thing as { geometry?: BufferGeometry };
    const positions = geometry?.getAttribute("position");
    if (positions === undefined) return;
    vertices += positions.count;
    for (let i = 0; i < positions.count; i += 1) {
      at.fromBufferAttribute(positions, i).applyMatrix4(thing.matrixWorld);
      const { latDeg, lonDeg } = frame.toGeodetic([at.x, -at.z, at.y]);
      extend(lats, latDeg);
      extend(lngs, lonDeg);
      extend(heights, at.y);
    }
  });
  if (vertices === 0) throw new Error("the scene has no vertex");
  return {
    ...{ west: lngs[0], south: lats[0], east: lngs[1], north: lats[1] },
    ...{ lowestM: heights[0], highestM: heights[1], vertices },
  };
}

/** A raster of heights that a cloth is laid against from below, square cells, no gaps. */
export interface ClothGround {
  readonly heightM: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** A cloth at rest: heights of its nodes, and which of them lie on the ground. */
export interface RestingCloth {
  readonly heightM: Float32Array;
  /** 1: the node touches the ground. */
  readonly touches: Uint8Array;
}

/**
 * What the load bends a node away from the mean of its neighbours by, metres: between two walls the cloth
 * sags by half of it times the square of their distance in nodes, so a hall 35 m wide and 2.5 m high is
 * spanned at nodes of 0.5 m. Ten times as much drapes the cloth over sheds; a tenth leaves out yards that
 * lie above their surroundings behind walls.
 */
const LOAD_M = 0.001;
/** Over-relaxation: near the best for cloths of some hundred nodes. */
const OVER = 1.85;
/** Rounds at most, and the movement below which the cloth is at rest, metres. */
const MOST_ROUNDS = 500;
const AT_REST_M = 0.001;
/** A node this near to the ground lies on it, metres. */
const CONTACT_M = 0.02;

/**
 * Lays a hard cloth against the surface turned upside down (Zhang et al. 2016, "An easy-to-use airborne LiDAR
 * data filtering method based on cloth simulation", Remote Sensing 8(6), 501): it spans what stands on the
 * ground and rests on what lies low. The load points up here instead. The paper lets the cloth fall and fixes
 * what it touches; a cloth that arrives fast swings up to roofs and stays there. Here its place at rest is
 * solved for: a membrane under an obstacle, by projected over-relaxation (Cryer 1971).
 */
export function layCloth({ heightM, width, height }: ClothGround): RestingCloth {
  const now = Float64Array.from(heightM);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let most = 0;
    for (let row = 0; row < height; row += 1) {
      for (let col = 0; col < width; col += 1) {
        const i = row * width + col;
        const z = now[i] ?? 0;
        // At an edge the cloth is free: the node itself replaces a missing neighbour.
        const left = col > 0 ? (now[i - 1] ?? 0) : z;
        const right = col + 1 < width ? (now[i + 1] ?? 0) : z;
        const above = row > 0 ? (now[i - width] ?? 0) : z;
        const below = row + 1 < height ? (now[i + width] ?? 0) : z;
        const free = z + OVER * ((left + right + above + below) / 4 + LOAD_M - z);
        const next = Math.min(heightM[i] ?? 0, free);
        most = Math.max(most, Math.abs(next - z));
        now[i] = next;
      }
    }
    if (most < AT_REST_M) break;
  }
  const touches = Uint8Array.from(now, (z, i) => Number((heightM[i] ?? 0) - z <= CONTACT_M));
  return { heightM: Float32Array.from(now), touches };
}

/**
 * Lets the cloth climb from where it rests to every neighbour that rises or falls by at most `stepM`
 * (slope post-processing, section 3.5 of the paper): a hard cloth hangs below steep terrain, and this
 * brings it up. Walls stop it.
 */
export function climbSlopes(cloth: RestingCloth, ground: ClothGround, stepM: number): void {
  const { heightM, width, height } = ground;
  const waiting: number[] = [];
  for (let i = 0; i < cloth.touches.length; i += 1) if (cloth.touches[i] !== 0) waiting.push(i);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const col = next % width;
    const row = (next - col) / width;
    const z = heightM[next] ?? 0;
    const reach = (other: number) => {
      if (cloth.touches[other] !== 0) return;
      const there = heightM[other] ?? 0;
      if (Math.abs(there - z) > stepM) return;
      cloth.touches[other] = 1;
      cloth.heightM[other] = there;
      waiting.push(other);
    };
    if (col > 0) reach(next - 1);
    if (col + 1 < width) reach(next + 1);
    if (row > 0) reach(next - width);
    if (row + 1 < height) reach(next + width);
  }
}

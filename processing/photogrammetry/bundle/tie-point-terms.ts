import { type BundleProblem, CAMERA_UNKNOWNS, LENS_UNKNOWNS } from "./bundle-problem.ts";
import { cauchyWeight, PIXEL_LOSS_WIDTH } from "./cauchy.ts";
import { addObservation, type NormalEquations, TILE } from "./normal-equations.ts";
import { JACOBIAN_LENGTH, linearise } from "./observation-jacobian.ts";
import { CAMERA_LINK, LENS_LINK, type TiePoints } from "./tie-points.ts";

/** Keeps a point that only one weak ray sees from making its 3x3 block singular; 1 / m2. */
const POINT_RIDGE = 1e-9;

/**
 * Adds all tie points and takes each out again at once (Schur complement; Triggs et al. 2000,
 * section 6.1). `damping` is Levenberg-Marquardt's share of each point's diagonal.
 */
export function addTiePoints(
  normal: NormalEquations,
  problem: BundleProblem,
  ties: TiePoints,
  sigmaPx: number,
  damping: number,
): void {
  const { state, observations, cameraLens } = problem;
  const { rotations, centres, lenses, points } = state;
  const { start, slotStart, slotOfObservation, cameraLinks, lensLinks } = ties;
  // Imported constants as locals: test runners make getters of imports, at 3x the time of this loop.
  const cameraSize = CAMERA_UNKNOWNS;
  const lensSize = LENS_UNKNOWNS;
  const cameraLink = CAMERA_LINK;
  const lensLink = LENS_LINK;
  const width = PIXEL_LOSS_WIDTH;
  const jacobian = new Float64Array(JACOBIAN_LENGTH);
  const information = 1 / (sigmaPx * sigmaPx);
  lensLinks.fill(0);
  for (let p = 0; p < points.length / 3; p += 1) {
    const px = points[p * 3] ?? 0;
    const py = points[p * 3 + 1] ?? 0;
    const pz = points[p * 3 + 2] ?? 0;
    let v00 = POINT_RIDGE;
    let v01 = 0;
    let v02 = 0;
    let v11 = POINT_RIDGE;
    let v12 = 0;
    let v22 = POINT_RIDGE;
    let b0 = 0;
    let b1 = 0;
    let b2 = 0;
    const from = start[p] ?? 0;
    const to = start[p + 1] ?? 0;
    for (let k = from; k < to; k += 1) {
      const camera = observations.camera[k] ?? 0;
      const lens = cameraLens[camera] ?? 0;
      const link = k * cameraLink;
      const u = observations.u[k] ?? 0;
      const v = observations.v[k] ?? 0;
      if (!linearise(rotations, centres, camera, lenses, lens, px, py, pz, u, v, jacobian)) {
        cameraLinks.fill(0, link, link + cameraLink);
        continue;
      }
      const ru = jacobian[26] ?? 0;
      const rv = jacobian[27] ?? 0;
      const squared = (ru * ru + rv * rv) * information;
      const weight = information * cauchyWeight(squared, width);
      addObservation(normal, camera, lens, jacobian, weight);
      // The point's derivatives, weighted and unweighted.
      const g0 = -(jacobian[3] ?? 0);
      const g1 = -(jacobian[4] ?? 0);
      const g2 = -(jacobian[5] ?? 0);
      const h0 = -(jacobian[9] ?? 0);
      const h1 = -(jacobian[10] ?? 0);
      const h2 = -(jacobian[11] ?? 0);
      const wg0 = weight * g0;
      const wg1 = weight * g1;
      const wg2 = weight * g2;
      const wh0 = weight * h0;
      const wh1 = weight * h1;
      const wh2 = weight * h2;
      v00 += wg0 * g0 + wh0 * h0;
      v01 += wg0 * g1 + wh0 * h1;
      v02 += wg0 * g2 + wh0 * h2;
      v11 += wg1 * g1 + wh1 * h1;
      v12 += wg1 * g2 + wh1 * h2;
      v22 += wg2 * g2 + wh2 * h2;
      b0 -= wg0 * ru + wh0 * rv;
      b1 -= wg1 * ru + wh1 * rv;
      b2 -= wg2 * ru + wh2 * rv;
      for (let i = 0; i < cameraSize; i += 1) {
        const ju = jacobian[i] ?? 0;
        const jv = jacobian[6 + i] ?? 0;
        cameraLinks[link + i * 3] = ju * wg0 + jv * wh0;
        cameraLinks[link + i * 3 + 1] = ju * wg1 + jv * wh1;
        cameraLinks[link + i * 3 + 2] = ju * wg2 + jv * wh2;
      }
      const slot = (slotOfObservation[k] ?? 0) * lensLink;
      for (let i = 0; i < lensSize; i += 1) {
        const ju = jacobian[12 + i] ?? 0;
        const jv = jacobian[19 + i] ?? 0;
        const at = slot + i * 3;
        lensLinks[at] = (lensLinks[at] ?? 0) + ju * wg0 + jv * wh0;
        lensLinks[at + 1] = (lensLinks[at + 1] ?? 0) + ju * wg1 + jv * wh1;
        lensLinks[at + 2] = (lensLinks[at + 2] ?? 0) + ju * wg2 + jv * wh2;
      }
    }
    v00 *= 1 + damping;
    v11 *= 1 + damping;
    v22 *= 1 + damping;
    const c00 = v11 * v22 - v12 * v12;
    const c01 = v02 * v12 - v01 * v22;
    const c02 = v01 * v12 - v02 * v11;
    const scale = 1 / (v00 * c00 + v01 * c01 + v02 * c02);
    const at = p * 6;
    ties.inverses[at] = c00 * scale;
    ties.inverses[at + 1] = c01 * scale;
    ties.inverses[at + 2] = c02 * scale;
    ties.inverses[at + 3] = (v00 * v22 - v02 * v02) * scale;
    ties.inverses[at + 4] = (v01 * v02 - v00 * v12) * scale;
    ties.inverses[at + 5] = (v00 * v11 - v01 * v01) * scale;
    ties.rhs[p * 3] = b0;
    ties.rhs[p * 3 + 1] = b1;
    ties.rhs[p * 3 + 2] = b2;
    eliminate(
      normal,
      observations.camera,
      ties,
      p,
      from,
      to,
      slotStart[p] ?? 0,
      slotStart[p + 1] ?? 0,
    );
  }
}

/** Takes point p out: S -= W V^-1 W', rhs -= W V^-1 b. */
function eliminate(
  { layout, tiles, tileRow: tileRows, border, rhs }: NormalEquations,
  cameraOf: Int32Array,
  { inverses, rhs: pointRhs, cameraLinks, lensLinks, lens }: TiePoints,
  p: number,
  from: number,
  to: number,
  slotFrom: number,
  slotTo: number,
): void {
  const cameraSize = CAMERA_UNKNOWNS;
  const lensSize = LENS_UNKNOWNS;
  const cameraLink = CAMERA_LINK;
  const lensLink = LENS_LINK;
  const tileSize = TILE;
  const i00 = inverses[p * 6] ?? 0;
  const i01 = inverses[p * 6 + 1] ?? 0;
  const i02 = inverses[p * 6 + 2] ?? 0;
  const i11 = inverses[p * 6 + 3] ?? 0;
  const i12 = inverses[p * 6 + 4] ?? 0;
  const i22 = inverses[p * 6 + 5] ?? 0;
  const b0 = pointRhs[p * 3] ?? 0;
  const b1 = pointRhs[p * 3 + 1] ?? 0;
  const b2 = pointRhs[p * 3 + 2] ?? 0;
  for (let a = from; a < to; a += 1) {
    const cameraA = cameraOf[a] ?? 0;
    const tileRow = tileRows[cameraA] ?? 0;
    // Three rows of six at a time: each number of the other camera is loaded once for three products.
    for (let i = 0; i < cameraSize; i += 3) {
      const wa = a * cameraLink + i * 3;
      const u0 = cameraLinks[wa] ?? 0;
      const u1 = cameraLinks[wa + 1] ?? 0;
      const u2 = cameraLinks[wa + 2] ?? 0;
      const v0 = cameraLinks[wa + 3] ?? 0;
      const v1 = cameraLinks[wa + 4] ?? 0;
      const v2 = cameraLinks[wa + 5] ?? 0;
      const w0 = cameraLinks[wa + 6] ?? 0;
      const w1 = cameraLinks[wa + 7] ?? 0;
      const w2 = cameraLinks[wa + 8] ?? 0;
      const p0 = u0 * i00 + u1 * i01 + u2 * i02;
      const p1 = u0 * i01 + u1 * i11 + u2 * i12;
      const p2 = u0 * i02 + u1 * i12 + u2 * i22;
      const q0 = v0 * i00 + v1 * i01 + v2 * i02;
      const q1 = v0 * i01 + v1 * i11 + v2 * i12;
      const q2 = v0 * i02 + v1 * i12 + v2 * i22;
      const r0 = w0 * i00 + w1 * i01 + w2 * i02;
      const r1 = w0 * i01 + w1 * i11 + w2 * i12;
      const r2 = w0 * i02 + w1 * i12 + w2 * i22;
      const row = cameraA * cameraSize + i;
      rhs[row] = (rhs[row] ?? 0) - p0 * b0 - p1 * b1 - p2 * b2;
      rhs[row + 1] = (rhs[row + 1] ?? 0) - q0 * b0 - q1 * b1 - q2 * b2;
      rhs[row + 2] = (rhs[row + 2] ?? 0) - r0 * b0 - r1 * b1 - r2 * b2;
      // Observations are sorted by camera, so b <= a stays in the lower triangle.
      for (let b = from; b <= a; b += 1) {
        let at = (tileRow + (cameraOf[b] ?? 0)) * tileSize + i * cameraSize;
        const end = at + cameraSize;
        for (let wb = b * cameraLink; at < end; at += 1, wb += 3) {
          const x = cameraLinks[wb] ?? 0;
          const y = cameraLinks[wb + 1] ?? 0;
          const z = cameraLinks[wb + 2] ?? 0;
          tiles[at] = (tiles[at] ?? 0) - p0 * x - p1 * y - p2 * z;
          tiles[at + 6] = (tiles[at + 6] ?? 0) - q0 * x - q1 * y - q2 * z;
          tiles[at + 12] = (tiles[at + 12] ?? 0) - r0 * x - r1 * y - r2 * z;
        }
      }
    }
  }
  for (let s = slotFrom; s < slotTo; s += 1) {
    for (let i = 0; i < lensSize; i += 1) {
      const ws = s * lensLink + i * 3;
      const w0 = lensLinks[ws] ?? 0;
      const w1 = lensLinks[ws + 1] ?? 0;
      const w2 = lensLinks[ws + 2] ?? 0;
      const y0 = w0 * i00 + w1 * i01 + w2 * i02;
      const y1 = w0 * i01 + w1 * i11 + w2 * i12;
      const y2 = w0 * i02 + w1 * i12 + w2 * i22;
      const unknown = (lens[s] ?? 0) * lensSize + i;
      const row = layout.lensOffset + unknown;
      rhs[row] = (rhs[row] ?? 0) - y0 * b0 - y1 * b1 - y2 * b2;
      const line = unknown * layout.size;
      for (let b = from; b < to; b += 1) {
        let at = line + (cameraOf[b] ?? 0) * cameraSize;
        const end = at + cameraSize;
        for (let wb = b * cameraLink; at < end; at += 1, wb += 3) {
          border[at] =
            (border[at] ?? 0) -
            y0 * (cameraLinks[wb] ?? 0) -
            y1 * (cameraLinks[wb + 1] ?? 0) -
            y2 * (cameraLinks[wb + 2] ?? 0);
        }
      }
      // Above the diagonal nothing is read, so writing there does no harm.
      for (let t = slotFrom; t < slotTo; t += 1) {
        let at = line + layout.lensOffset + (lens[t] ?? 0) * lensSize;
        const end = at + lensSize;
        for (let wt = t * lensLink; at < end; at += 1, wt += 3) {
          border[at] =
            (border[at] ?? 0) -
            y0 * (lensLinks[wt] ?? 0) -
            y1 * (lensLinks[wt + 1] ?? 0) -
            y2 * (lensLinks[wt + 2] ?? 0);
        }
      }
    }
  }
}

import type { Block, Crown, Solid } from "../site/solid.ts";

/** A ray: from (fe, fn, fu) along (te, tn, tu), ENU, metres; depths count in lengths of its direction. */
export interface Ray {
  fe: number;
  fn: number;
  fu: number;
  te: number;
  tn: number;
  tu: number;
}

/** Where a ray meets a solid. Filled in place: there are millions of them in a picture. */
export interface Hit {
  /** Distance along the view, metres. */
  depthM: number;
  /** Outward normal, unit length, ENU. */
  ne: number;
  nn: number;
  nu: number;
  /** Coordinates on the face, metres; on sides across and up. */
  across: number;
  up: number;
  /** Face of a block: 0 and 1 sides, 2 top or bottom; 3 = a crown. */
  face: number;
}

/** A ray and a hit to fill. */
export function createRay(): Ray {
  return { fe: 0, fn: 0, fu: 0, te: 0, tn: 0, tu: 0 };
}
export function createHit(): Hit {
  return { depthM: 0, ne: 0, nn: 0, nu: 0, across: 0, up: 0, face: 0 };
}

/** Whether a ray meets a solid from outside; where, is written to `hit`. */
export function meet(solid: Solid, ray: Ray, hit: Hit): boolean {
  return solid.kind === "block" ? meetBlock(solid, ray, hit) : meetCrown(solid, ray, hit);
}

/** Slabs of a cuboid (Kay and Kajiya 1986), in its own axes: along, across, up. */
function meetBlock(block: Block, ray: Ray, hit: Hit): boolean {
  const s = Math.sin(block.azimuthRad);
  const c = Math.cos(block.azimuthRad);
  const e = ray.fe - block.centre.eastM;
  const n = ray.fn - block.centre.northM;
  const along = e * s + n * c;
  const across = e * c - n * s;
  const alongStep = ray.te * s + ray.tn * c;
  const acrossStep = ray.te * c - ray.tn * s;
  const a0 = (-block.halfLengthM - along) / alongStep;
  const a1 = (block.halfLengthM - along) / alongStep;
  const b0 = (-block.halfWidthM - across) / acrossStep;
  const b1 = (block.halfWidthM - across) / acrossStep;
  const c0 = (block.bottomM - ray.fu) / ray.tu;
  const c1 = (block.topM - ray.fu) / ray.tu;
  const enterAlong = a0 < a1 ? a0 : a1;
  const enterAcross = b0 < b1 ? b0 : b1;
  const enterUp = c0 < c1 ? c0 : c1;
  const leave = Math.min(a0 < a1 ? a1 : a0, b0 < b1 ? b1 : b0, c0 < c1 ? c1 : c0);
  const enter = Math.max(enterAlong, enterAcross, enterUp);
  if (!(enter > 0 && enter < leave)) return false;
  hit.depthM = enter;
  hit.ne = 0;
  hit.nn = 0;
  hit.nu = 0;
  if (enter === enterUp) {
    hit.face = 2;
    hit.nu = ray.tu > 0 ? -1 : 1;
    hit.across = along + enter * alongStep;
    hit.up = across + enter * acrossStep;
    return true;
  }
  hit.up = ray.fu + enter * ray.tu - block.bottomM;
  if (enter === enterAlong) {
    const sign = alongStep > 0 ? -1 : 1;
    hit.face = 0;
    hit.ne = sign * s;
    hit.nn = sign * c;
    hit.across = across + enter * acrossStep;
  } else {
    const sign = acrossStep > 0 ? -1 : 1;
    hit.face = 1;
    hit.ne = sign * c;
    hit.nn = -sign * s;
    hit.across = along + enter * alongStep;
  }
  return true;
}

/** An ellipsoid is a unit sphere in axes divided by its radii. */
function meetCrown(crown: Crown, ray: Ray, hit: Hit): boolean {
  const r = crown.radiusM;
  const h = crown.halfHeightM;
  const px = (ray.fe - crown.centre.eastM) / r;
  const py = (ray.fn - crown.centre.northM) / r;
  const pz = (ray.fu - crown.upM) / h;
  const dx = ray.te / r;
  const dy = ray.tn / r;
  const dz = ray.tu / h;
  const a = dx * dx + dy * dy + dz * dz;
  const b = px * dx + py * dy + pz * dz;
  const discriminant = b * b - a * (px * px + py * py + pz * pz - 1);
  if (discriminant <= 0) return false;
  const depthM = (-b - Math.sqrt(discriminant)) / a;
  if (depthM <= 0) return false;
  const x = px + depthM * dx;
  const y = py + depthM * dy;
  const z = pz + depthM * dz;
  const length = Math.sqrt((x * x + y * y) / (r * r) + (z * z) / (h * h));
  hit.depthM = depthM;
  hit.ne = x / r / length;
  hit.nn = y / r / length;
  hit.nu = z / h / length;
  hit.face = 3;
  // Slanted, so that no side of the crown shows stretched leaves.
  hit.across = x * r + 0.7 * z * h;
  hit.up = y * r + 0.4 * z * h;
  return true;
}

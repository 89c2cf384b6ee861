import RBush from "rbush";
import type { FenceShape } from "./fence-shape.ts";
import { Instants } from "./instants.ts";
import { type LonLatBox, shifted } from "./lon-lat-box.ts";

interface IndexItem extends LonLatBox {
  readonly shape: FenceShape;
  /** Of the version; here, because a search reads it of every item that it finds. */
  readonly validFromMs: number;
  readonly validToMs: number;
}

/** All kept versions of one project's fences: where they are, and when they begin and end. */
export interface ProjectFences {
  add(shapes: readonly FenceShape[]): void;
  remove(shapes: readonly FenceShape[]): void;
  /** Versions in force at `tMs` whose box touches the given one, each once, in no particular order. */
  search(box: LonLatBox, tMs: number): readonly FenceShape[];
  /** When versions begin and end. */
  readonly instants: Pick<Instants, "has" | "sorted">;
}

export function createProjectFences(): ProjectFences {
  const tree = new RBush<IndexItem>();
  const itemsByShape = new Map<FenceShape, readonly IndexItem[]>();
  const instants = new Instants();

  return {
    instants,
    add(shapes) {
      const items = shapes.flatMap((shape) => {
        const copies = itemsOf(shape);
        itemsByShape.set(shape, copies);
        return copies;
      });
      tree.load(items);
      instants.add(shapes.flatMap(boundsOf));
    },
    remove(shapes) {
      for (const shape of shapes) {
        for (const item of itemsByShape.get(shape) ?? []) tree.remove(item);
        itemsByShape.delete(shape);
      }
      instants.remove(shapes.flatMap(boundsOf));
    },
    search(box, tMs) {
      const items = tree.search(box);
      // A box over the antimeridian is looked up on both sides of the map.
      if (box.maxX > 180) items.push(...tree.search(shifted(box, -360)));
      if (box.minX < -180) items.push(...tree.search(shifted(box, 360)));
      const found: FenceShape[] = [];
      for (const { shape, validFromMs, validToMs } of items) {
        if (tMs < validFromMs || tMs >= validToMs) continue;
        if (isTwice(shape, box) && found.includes(shape)) continue;
        found.push(shape);
      }
      return found;
    },
  };
}

/** A shape that reaches the antimeridian has a copy on the other side of the map. */
function itemsOf(shape: FenceShape): readonly IndexItem[] {
  const { minX, minY, maxX, maxY } = shape;
  const { validFromMs, validToMs = Number.POSITIVE_INFINITY } = shape.version;
  const own = { minX, minY, maxX, maxY, shape, validFromMs, validToMs };
  if (maxX >= 180) return [own, { ...own, ...shifted(own, -360) }];
  if (minX <= -180) return [own, { ...own, ...shifted(own, 360) }];
  return [own];
}

/** Whether a search may meet the shape more than once. */
const isTwice = (shape: FenceShape, box: LonLatBox): boolean =>
  shape.wraps || box.maxX > 180 || box.minX < -180;

function boundsOf({ version }: FenceShape): readonly number[] {
  const { validFromMs, validToMs } = version;
  return validToMs === undefined ? [validFromMs] : [validFromMs, validToMs];
}

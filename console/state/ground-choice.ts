import type { components } from "../../client/index.ts";

type Listed = components["schemas"]["ListedSurvey"];
type Bounds = NonNullable<Listed["bounds"]>;

/** What of a survey decides whether it is ground of a map. */
interface Candidate extends Pick<Listed, "bounds"> {
  readonly products: Pick<Listed["products"], "orthomosaic_url">;
}

/** Pictures of a map at most: each asks for tiles of its own. */
const MOST = 8;
/** A survey that a newer one covers so far is left out: flights of each week have edges a few metres apart. */
const COVERED = 0.8;

/** Surveys whose orthophotos are the ground of a map, newest first: those that no newer one covers. */
export function groundOf<T extends Candidate>(newestFirst: readonly T[]): readonly T[] {
  const chosen: T[] = [];
  for (const survey of newestFirst) {
    const { bounds, products } = survey;
    if (bounds === null || products.orthomosaic_url === null) continue;
    if (chosen.some((newer) => coveredBy(bounds, newer.bounds) >= COVERED)) continue;
    chosen.push(survey);
    if (chosen.length === MOST) break;
  }
  return chosen;
}

/** Share of a rectangle of degrees that another one covers, 0 to 1. */
function coveredBy({ west, south, east, north }: Bounds, other: Bounds | null): number {
  if (other === null) return 0;
  const width = Math.min(east, other.east) - Math.max(west, other.west);
  const height = Math.min(north, other.north) - Math.max(south, other.south);
  const area = (east - west) * (north - south);
  return width <= 0 || height <= 0 || area <= 0 ? 0 : (width * height) / area;
}

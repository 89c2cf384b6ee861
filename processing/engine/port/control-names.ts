import { DomainError } from "../../../domain/errors.ts";
import type { SurveyInput } from "./engine.ts";

type ControlInput = Pick<SurveyInput, "images" | "controlPoints" | "scaleBars"> &
  Partial<Pick<SurveyInput, "isControlSubset">>;
type Marked = { readonly marks: readonly { readonly image: string }[] };

/** Names that an error lists. */
const MOST_NAMES = 8;

/**
 * The input with marks under the names of its images. A name counts without folders, and in any case where that
 * leaves one image only. Of control points for a larger flight (`isControlSubset`) only those in its images are kept.
 * @throws DomainError `PARAMETER_INVALID` naming the marks' images that are not in the survey, or points that
 *   share a name; a scale bar with an end that fewer than two images show; where of a larger flight's control
 *   points none is marked in an image of the survey
 */
export function withKnownNames<T extends ControlInput>(input: T): T {
  const names = input.images.map(({ name }) => name);
  const nameOf = nameFinder(names);
  const isSubset = input.isControlSubset === true;
  const points = isSubset ? marksWithin(input.controlPoints, names) : input.controlPoints;
  if (points.length === 0 && input.controlPoints.some(({ marks }) => marks.length > 0)) {
    throw new DomainError(
      "PARAMETER_INVALID",
      "no control point is marked in an image of the survey",
    );
  }
  const all: readonly Marked[] = [...points, ...input.scaleBars.flatMap(({ ends }) => [...ends])];
  const asked = new Set(all.flatMap(({ marks }) => marks.map(({ image }) => image)));
  const unknown = [...asked].filter((name) => nameOf(name) === undefined);
  if (unknown.length > 0) {
    const listed = unknown.slice(0, MOST_NAMES).map((name) => `"${name}"`);
    const more = unknown.length > MOST_NAMES ? ` and ${unknown.length - MOST_NAMES} more` : "";
    throw new DomainError(
      "PARAMETER_INVALID",
      `control points are marked in images that are not part of the survey: ${listed.join(", ")}${more}`,
    );
  }
  requireOwnNames(points.map(({ name }) => name));
  requireTwoImages(input.scaleBars, nameOf);
  const named = <M extends Marked>(marked: M): M => ({
    ...marked,
    marks: marked.marks.map((mark) => ({ ...mark, image: nameOf(mark.image) ?? mark.image })),
  });
  return {
    ...input,
    controlPoints: points.map(named),
    scaleBars: input.scaleBars.map((bar) => {
      const [from, to] = bar.ends;
      return { ...bar, ends: [named(from), named(to)] as const };
    }),
  };
}

/** Points with the marks that lie in images of these names; points without any such mark are left out. */
export function marksWithin<T extends Marked>(
  points: readonly T[],
  names: readonly string[],
): readonly T[] {
  const nameOf = nameFinder(names);
  return points.flatMap((point) => {
    const marks = point.marks.filter(({ image }) => nameOf(image) !== undefined);
    return marks.length === 0 ? [] : [{ ...point, marks }];
  });
}

function requireOwnNames(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  throw new DomainError("PARAMETER_INVALID", `two control points have the name "${twice}"`);
}

/** One image gives a direction; two give the position of the end of a bar. */
function requireTwoImages(
  bars: ControlInput["scaleBars"],
  nameOf: (name: string) => string | undefined,
): void {
  for (const [i, { ends, lengthM }] of bars.entries()) {
    for (const [k, { marks }] of ends.entries()) {
      const count = new Set(marks.map(({ image }) => nameOf(image))).size;
      if (count >= 2) continue;
      throw new DomainError(
        "PARAMETER_INVALID",
        `scale bar ${i + 1} (${lengthM} m) has end ${k + 1} marked in ${count} images: mark it in two or more`,
      );
    }
  }
}

function nameFinder(names: readonly string[]): (name: string) => string | undefined {
  const exact = new Set(names);
  const byPlain = new Map<string, string | undefined>();
  // Of two names that differ in case alone neither is meant by a third.
  for (const name of names) byPlain.set(plain(name), byPlain.has(plain(name)) ? undefined : name);
  return (name) => (exact.has(name) ? name : byPlain.get(plain(name)));
}

function plain(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? name).toLowerCase();
}

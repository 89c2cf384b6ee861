/** A package that is part of the pages. */
export interface Licence {
  readonly name: string;
  readonly version: string;
  /** As its package names it, such as `MIT` (SPDX). */
  readonly licence: string;
}

/** Heading of a package in the file that the build writes: `## preact - 10.29.8 (MIT)`. */
const HEADING = /^## (\S+) - (\S+) \(([^)]+)\)$/;

/** Packages of the list that the build of the pages wrote, in its order. */
export function licencesOf(text: string): readonly Licence[] {
  return text.split("\n").flatMap((line) => {
    const [, name, version, licence] = HEADING.exec(line.trim()) ?? [];
    if (name === undefined || version === undefined || licence === undefined) return [];
    return [{ name, version, licence }];
  });
}

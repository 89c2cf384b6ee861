import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { anchorsOf } from "./anchors.ts";

const ROOT = new URL("../../", import.meta.url);

const NOT_OURS: readonly string[] = ["node_modules", "dist", "data", "coverage"];

/** Every source file of the repository, tests included. */
const SOURCES = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_OURS.includes(entry.name))
  .flatMap(({ name }) =>
    readdirSync(new URL(name, ROOT), { recursive: true, encoding: "utf8" }).map(
      (file) => `${name}/${file}`,
    ),
  )
  .concat(readdirSync(ROOT))
  .filter((file) => /\.(ts|mjs|sh)$/.test(file));

/** Without this file, which names pages that are not there. */
const OTHERS = SOURCES.filter((file) => !file.endsWith("architecture/comments.test.ts"));

/** The pages that a line of a file names and that are not there, or have no such heading. */
function dangling(line: string, file = ""): readonly string[] {
  const pages = [...line.matchAll(/(?<![\w./-])((?:[\w-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g)];
  return pages
    .filter(([, page = "", anchor]) => {
      // A page beside the file may go by its name alone.
      const places = [new URL(page, ROOT), new URL(page, new URL(file, ROOT))];
      const found = places.find((place) => existsSync(place));
      if (found === undefined) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(found, "utf8")).has(anchor);
    })
    .map(([name]) => name);
}

const isComment = (line: string) => /^\s*(\/\/|\/?\*|#)|\/\*\*|\s\/\/ /.test(line);

it("sees the sources of every room", () => {
  expect(SOURCES.length).toBeGreaterThan(2000);
});

it("a comment names only pages and headings that are in the repository", () => {
  const wrong = OTHERS.flatMap((file) =>
    readFileSync(new URL(file, ROOT), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        isComment(line) ? dangling(line, file).map((name) => `${file}:${index + 1}: ${name}`) : [],
      ),
  );
  expect(wrong).toEqual([]);
});

it("finds a page that is not there, and a heading that is not", () => {
  expect(dangling("// see DESIGN.md 4")).toEqual(["DESIGN.md"]);
  expect(dangling("/** docs/rules.md#no-such-heading */")).toEqual([
    "docs/rules.md#no-such-heading",
  ]);
  expect(dangling("/** docs/rules.md#clocks */")).toEqual([]);
});

/** Notes that were written before the code and are not part of it. */
const NOTES_OF_ELSEWHERE =
  /\b(DESIGN|LAB|FIELD|PHOTOGRAMMETRY|API_AND_SECURITY)( section)? [0-9A-C]|spec\/interface/;

it("no comment refers to notes outside the repository", () => {
  const wrong = OTHERS.filter((file) =>
    NOTES_OF_ELSEWHERE.test(readFileSync(new URL(file, ROOT), "utf8")),
  );
  expect(wrong).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  crowdedFolders,
  folderCircles,
  type Imports,
  importsOf,
  unnamedFolders,
} from "./folders.ts";

const ROOMS = [
  "client",
  "cli",
  "domain",
  "config",
  "storage",
  "outbound",
  "tls",
  "ingest",
  "processing",
  "api",
  "roles",
  "simulators",
  "scripts",
] as const;
const MOST_FILES = 25;

const root = new URL("../../", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), "utf8");

const sources = new Set(
  ROOMS.flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .map((file) => `${room}/${file.replaceAll("\\", "/")}`),
  ),
);

describe("folders", () => {
  it("no folders import each other in a circle", () => {
    const imports = new Map(
      [...sources].map((file) => [file, importsOf(file, read(file), sources)]),
    );
    // Without imports, no circle would be found.
    expect([...imports.values()].flat().length).toBeGreaterThan(sources.size);
    expect(folderCircles(imports).join("\n\n")).toBe("");
  });

  it(`no folder has more than ${MOST_FILES} source files`, () => {
    expect(sources.size).toBeGreaterThan(1_000);
    expect(crowdedFolders(sources, MOST_FILES)).toEqual([]);
  });

  it("docs/architecture.md names every folder of the rooms' first level", () => {
    expect(unnamedFolders(sources, read("docs/architecture.md"))).toEqual([]);
  });
});

describe("the check of folders", () => {
  const graph = (imports: Record<string, readonly string[]>): Imports =>
    new Map(Object.entries(imports));

  it("finds two folders that import each other, and names the importing pairs", () => {
    const circles = folderCircles(
      graph({ "a/one.ts": ["b/two.ts"], "b/two.ts": [], "b/three.ts": ["a/four.ts"] }),
    );
    expect(circles).toEqual(["a <-> b\n  a/one.ts > b/two.ts\n  b/three.ts > a/four.ts"]);
  });

  it("finds a folder that composes its subfolder, whose files use the folder's own", () => {
    const circles = folderCircles(
      graph({ "a/list.ts": ["a/one/one.ts"], "a/one/one.ts": ["a/basics.ts"] }),
    );
    expect(circles).toEqual([
      "a <-> a/one\n  a/list.ts > a/one/one.ts\n  a/one/one.ts > a/basics.ts",
    ]);
  });

  it("finds a circle of three folders once, without the folders that only lead to it", () => {
    const circles = folderCircles(
      graph({
        "top/t.ts": ["a/a.ts"],
        "a/a.ts": ["b/b.ts"],
        "b/b.ts": ["c/c.ts", "end/e.ts"],
        "c/c.ts": ["a/a.ts"],
      }),
    );
    expect(circles).toEqual([
      "a <-> b <-> c\n  a/a.ts > b/b.ts\n  b/b.ts > c/c.ts\n  c/c.ts > a/a.ts",
    ]);
  });

  it("finds no circle in folders that import in one direction, nor among files of one folder", () => {
    const circles = folderCircles(
      graph({ "a/one.ts": ["a/two.ts", "b/b.ts"], "a/two.ts": ["b/b.ts", "a/one.ts"] }),
    );
    expect(circles).toEqual([]);
  });

  it("reads imports of types, of values over several lines, and those that are loaded later", () => {
    const files = new Set(["a/type.ts", "b/value.ts", "b/later.ts", "b/bare.ts", "a/unused.ts"]);
    const text = [
      'import type { A } from "./type.ts";',
      'import {\n  b,\n} from "../b/value.ts";',
      'import "../b/bare.ts";',
      'const later = await import("../b/later.ts");',
      'import { readFile } from "node:fs";',
    ].join("\n");
    expect(importsOf("a/one.ts", text, files)).toEqual([
      "a/type.ts",
      "b/value.ts",
      "b/bare.ts",
      "b/later.ts",
    ]);
  });

  it("finds a folder of 26 files, whatever its subfolders hold", () => {
    const files = Array.from({ length: 26 }, (_, i) => `a/${i}.ts`);
    expect(crowdedFolders([...files, "a/b/1.ts"], MOST_FILES)).toEqual(["a: 26"]);
    expect(crowdedFolders([...files.slice(1), "a/b/1.ts"], MOST_FILES)).toEqual([]);
  });

  it("takes a folder for named by its path, in its room's row, or in its room's table", () => {
    const page = [
      "| room | may hold |",
      "| `a/` | behind `ports/` |",
      "",
      "Within `b/`:",
      "",
      "| folder | may hold |",
      "| `here/`, `too/` | words |",
      "",
      "Then `c/path/file.ts`, `c/path/` and `loose/`.",
    ].join("\n");
    const files = ["a/ports/1.ts", "b/here/1.ts", "b/too/deep/1.ts", "c/path/1.ts", "b/top.ts"];
    expect(unnamedFolders(files, page)).toEqual([]);
    const others = ["a/here/1.ts", "b/ports/1.ts", "c/loose/1.ts"];
    expect(unnamedFolders([...files, ...others], page)).toEqual(others.map((f) => f.slice(0, -5)));
  });
});

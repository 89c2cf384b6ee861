import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BUNDLED_WITH_SERVICE } from "../../scripts/bundle.mjs";

const ROOMS = ["api", "config", "domain", "ingest", "outbound", "processing", "roles", "storage"];
const root = new URL("../../", import.meta.url).pathname;
/** `import name from "package"`, with or without other names beside it. */
const DEFAULT_IMPORT = /^import (?!type )\w+(?:, \{[^}]*\})? from "([^.":][^":]*)";/gm;

/** Whether a package is a module in every form, so that `require` has what it exports by default in a field. */
function isModuleAlone(name: string): boolean {
  const text = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
  const about = JSON.parse(text) as { readonly type?: string; readonly exports?: unknown };
  return about.type === "module" && !JSON.stringify(about.exports ?? "").includes('"require"');
}

it("a package that is a module alone and imported by its default is part of the service's bundle, which requires the others", () => {
  const imported = new Set<string>();
  for (const room of ROOMS) {
    for (const name of readdirSync(join(root, room), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const source = readFileSync(join(root, room, name), "utf8");
      for (const [, named = ""] of source.matchAll(DEFAULT_IMPORT)) imported.add(named);
    }
  }
  expect(imported).toContain("polylabel");
  const alone = [...imported].filter(isModuleAlone);
  expect(alone).toContain("earcut");
  expect(alone.filter((name) => !BUNDLED_WITH_SERVICE.includes(name))).toEqual([]);
});

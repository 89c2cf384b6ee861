import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("every story of the web console has its day in .ci/run, and every story there is one", () => {
  const stories = readdirSync("test/browser").flatMap((file) =>
    file.endsWith(".test.ts") ? [file.slice(0, -".test.ts".length)] : [],
  );
  const named = [...readFileSync(".ci/run", "utf8").matchAll(/stories\+?="([a-z -]+)"/g)];
  expect(named.flatMap(([, names = ""]) => names.trim().split(" ")).sort()).toEqual(stories.sort());
});

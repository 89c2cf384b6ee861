import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compileKernel, kernelNames, modulePath } from "../../../scripts/compile-kernel.ts";

it("every kernel is built as its source compiles today", async () => {
  const names = kernelNames();
  expect(names).toContain("match");

  for (const name of names) {
    expect(readFileSync(modulePath(name), "utf8"), name).toBe(await compileKernel(name));
  }
});

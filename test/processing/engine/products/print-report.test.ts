import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { printReport } from "../../../../processing/engine/products/print-report.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-chromium-"));
});
afterAll(() => rm(dir, { recursive: true }));
const { signal } = new AbortController();

/** A program in the place of Chromium: what it does with the last two of its arguments. */
async function standIn(script: string): Promise<string> {
  const file = join(dir, `chromium-${script.length}`);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

it("a report without Chromium is not a failure", async () => {
  expect(await printReport("<p>", join(dir, "none"), signal)).toBeUndefined();
});

it("yields what Chromium printed of the page", async () => {
  const program = await standIn(
    'for a; do case "$a" in --print-to-pdf=*) out=$(echo "$a" | cut -d= -f2);; esac; page="$a"; done; cat "$page" > "$out"',
  );
  const pdf = await printReport("<p>a page</p>", program, signal);
  expect(Buffer.from(pdf ?? []).toString()).toBe("<p>a page</p>");
});

it("names the program that does not print", async () => {
  const program = await standIn("exit 3");
  await expect(printReport("<p>", program, signal)).rejects.toThrow(/did not print the report/);
});

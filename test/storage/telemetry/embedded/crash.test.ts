import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openEmbeddedTelemetryStore } from "../../../../storage/telemetry/embedded/open.ts";
import { all, NOON_MS } from "../../../support/telemetry-points.ts";

const writer = fileURLToPath(new URL("./crash-writer.ts", import.meta.url));

it("the embedded store has every point up to the durable position after kill -9 in the middle of seals and merges", async () => {
  const dir = await mkdtemp(join(tmpdir(), "plumbline crash-"));
  const child = spawn(process.execPath, ["--import", "tsx", writer, dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let reported = 0;
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    reported = Math.max(reported, Number(line));
    lines += 1;
    if (lines === 30) child.kill("SIGKILL");
  }
  await exited;
  const store = await openEmbeddedTelemetryStore({ dir });
  const { timesMs, columns } = await store.read(all());
  const sequence = store.durablePosition?.sequence ?? 0;
  await store.close();
  await rm(dir, { recursive: true });
  expect(reported).toBeGreaterThanOrEqual(15_000 - 500);
  expect(sequence).toBeGreaterThanOrEqual(reported);
  // Blocks are on disk before the position is, so there may be more points than it says.
  expect(timesMs.length).toBeGreaterThanOrEqual(sequence);
  expect(timesMs).toEqual(Float64Array.from(timesMs, (_, n) => NOON_MS + n * 1000));
  expect(columns.get("a")).toEqual(Float64Array.from(timesMs, (_, n) => n));
});

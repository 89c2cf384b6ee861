import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bodyOf, openSmall, range, readAll, sequencesOf } from "../../support/journal.ts";
import { countOf } from "../../support/some-of.ts";

const ROUNDS = countOf({ all: 6, some: 2 });
const SEGMENT_BYTES = 256 * 1024;

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "journal-kill-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** A process that appends with 200 records outstanding and prints every acknowledged sequence. */
const WRITER = `
  import { openSmall, bodyOf, TIME_MS } from "${new URL("../../support/journal.ts", import.meta.url).href}";
  const journal = await openSmall(process.argv[1], { segmentBytes: ${SEGMENT_BYTES} });
  let nextSequence = journal.syncedSequence + 1;
  const next = () => {
    const sequence = journal.append(1, TIME_MS, bodyOf(nextSequence++, 100), (error) => {
      if (error) throw error;
      process.stdout.write(sequence + "\\n");
      next();
    });
  };
  for (let i = 0; i < 200; i++) next();
`;

/** Runs the writer, kills it after `acknowledgements`, and returns the last acknowledged sequence. */
async function writeAndKill(acknowledgements: number): Promise<number> {
  const args = ["--import", "tsx", "--input-type=module", "-e", WRITER, dir];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  let lines = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    lines += chunk.split("\n").length - 1;
    if (lines >= acknowledgements) child.kill("SIGKILL");
  });
  await once(child, "close");
  return Number(text.slice(0, text.lastIndexOf("\n")).split("\n").at(-1));
}

it(`the journal has every acknowledged record after each of ${ROUNDS} kills, in order and without gap`, async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const acknowledged = await writeAndKill(1_500 * round);
    const journal = await openSmall(dir, { segmentBytes: SEGMENT_BYTES });
    const records = await readAll(journal);
    expect(acknowledged).toBeGreaterThanOrEqual(1_500 * round);
    expect(records.length).toBeGreaterThanOrEqual(acknowledged);
    expect(sequencesOf(records)).toEqual(range(1, records.length));
    expect(records.every((r) => Buffer.from(r.body).equals(bodyOf(r.sequence, 100)))).toBe(true);
    expect(journal.recovery.holes).toEqual([]);
    await journal.close();
  }
});

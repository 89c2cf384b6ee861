import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRecordStore } from "../../../storage/records/open.ts";
import { bundledScript } from "../../support/bundled-program.ts";
import { freshRecordsDir } from "../../support/databases.ts";

const COMMITTER = await bundledScript("test/support/records-committer.ts");
/** Kill -9 rounds; each takes about a second. More by `KILL_ROUNDS`. */
const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 3);

let dir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dir = await freshRecordsDir();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(dir, { recursive: true, force: true });
});

const open = () => openRecordStore({ dataDir: dir, databaseUrl: undefined });

const lockedBy = (pid: number | undefined) => ({
  code: "STORE_LOCKED",
  message: expect.stringContaining(`process ${pid}`),
});

function startCommitter() {
  const child = spawn(process.execPath, [COMMITTER, dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout }) };
}

describe("embedded records after kill -9", () => {
  it(`lose no acknowledged commit, keep none by halves and are locked while their owner lives, ${ROUNDS} times`, async () => {
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { child, lines } = startCommitter();
      // Somewhere in the first 100 commits of this life, also between two lines.
      const killAt = acknowledged + 1 + Math.floor(Math.random() * 100);
      for await (const line of lines) {
        const [word, sequence, states] = line.split(" ");
        if (word === "have") {
          // The commit in flight at the kill may be there, and then with its state.
          expect(Number(sequence) - acknowledged).toBeOneOf([0, 1]);
          expect(states).toBe(sequence);
          if (round === 0) await expect(open()).rejects.toMatchObject(lockedBy(child.pid));
        } else {
          acknowledged = Number(sequence);
          if (acknowledged >= killAt) child.kill("SIGKILL");
        }
      }
    }
    const store = await openRecordStore({ dataDir: dir, databaseUrl: undefined });
    const kept = (await store.pipeline.checkpoint())?.sequence ?? 0;
    expect(acknowledged).toBeGreaterThanOrEqual(ROUNDS);
    expect(kept - acknowledged).toBeOneOf([0, 1]);
    expect(await store.pipeline.states()).toHaveLength(kept);
    await store.close();
  });
});

/** Commits of one traced run. */
const COMMITS = 50;

/** Runs the committer under strace and yields what it said. */
async function commitUnderStrace(options: readonly string[]): Promise<readonly string[]> {
  const command = [process.execPath, COMMITTER, dir, String(COMMITS)];
  const strace = spawn("strace", ["-f", ...options, ...command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(strace);
  const exit = once(strace, "exit");
  const lines: string[] = [];
  for await (const line of createInterface({ input: strace.stdout })) lines.push(line);
  expect((await exit)[0]).toBe(0);
  return lines;
}

const probe = spawnSync("strace", ["-f", "-o", "/dev/null", "true"], { stdio: "ignore" });
const traceable = probe.status === 0;

describe.skipIf(!traceable)(
  `embedded records under strace${traceable ? "" : " (skipped: strace is missing or not permitted)"}`,
  () => {
    it("embedded records after kill -9 sync to disk between every two of 50 acknowledged commits", async () => {
      const trace = join(dir, "trace");
      await commitUnderStrace(["-e", "trace=fsync,fdatasync,write", "-o", trace]);
      const syncsBeforeAck: number[] = [];
      let syncs = 0;
      for (const line of (await readFile(trace, "utf8")).split("\n")) {
        if (
          / (fsync|fdatasync)\(|<\.\.\. (fsync|fdatasync) resumed>/.test(line) &&
          / = 0$/.test(line)
        ) {
          syncs += 1;
        } else if (/ write\(1, "have /.test(line)) {
          syncs = 0;
        } else if (/ write\(1, "ack /.test(line)) {
          syncsBeforeAck.push(syncs);
          syncs = 0;
        }
      }
      expect(syncsBeforeAck).toHaveLength(COMMITS);
      expect(Math.min(...syncsBeforeAck)).toBeGreaterThanOrEqual(1);
    });

    it("embedded records after kill -9 acknowledge no commit whose sync failed, and have all others", async () => {
      // strace lets the 20th sync of a thread fail, in one commit or another.
      const failing = ["-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=20"];
      const lines = await commitUnderStrace([...failing, "-o", "/dev/null"]);
      const acknowledged = lines.filter((line) => line.startsWith("ack")).length;
      expect(lines.at(-1)).toMatch(/^away .*EIO/);
      expect(acknowledged).toBeGreaterThan(0);
      expect(acknowledged).toBeLessThan(COMMITS);
      const store = await open();
      const kept = (await store.pipeline.checkpoint())?.sequence ?? 0;
      expect(kept - acknowledged).toBeOneOf([0, 1]);
      expect(await store.pipeline.states()).toHaveLength(kept);
      await store.close();
    });
  },
);

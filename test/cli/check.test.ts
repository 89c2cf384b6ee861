import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPglite } from "../../storage/records/pglite/open.ts";
import { openCatalog } from "../../storage/telemetry/embedded/lmdb/catalog.ts";
import {
  type CheckedFolder,
  damageBlock,
  heldTruth,
  NEWER,
  OLDER,
  prepareCheckedFolder,
  WHOLE,
} from "../support/checked-folder.ts";
import { CLI_PROGRAM } from "../support/cli-program.ts";
import { freshDataDir } from "../support/databases.ts";
import { tamper } from "../support/journal.ts";
import { startServiceProcess } from "../support/service-process.ts";

/** Sends the process a signal of its own right behind the first rename to a path that ends so. */
const SIGNAL_BEHIND = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { SIGNAL, BEHIND } = process.env;
  const rename = fs.promises.rename;
  let isSent = false;
  fs.promises.rename = async (from, to) => {
    await rename(from, to);
    if (isSent || BEHIND === undefined || !to.endsWith(BEHIND)) return;
    isSent = true;
    process.kill(process.pid, SIGNAL);
    // A signal that is handled is handled in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
  };
  syncBuiltinESMExports();
`)}`;

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  /** Lines of stderr, without the lines of progress. */
  readonly err: readonly string[];
}

/** `plumbline check`, as a process of its own. */
async function check(
  dataDir: string,
  options: readonly string[],
  interrupt?: { readonly signal: NodeJS.Signals; readonly behind: string },
): Promise<End> {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--import", SIGNAL_BEHIND, ...CLI_PROGRAM, "check", "--data-dir", dataDir, ...options],
    {
      env: {
        ...process.env,
        DATABASE_URL: "",
        INFLUX_URL: "",
        SECRET_KEY: "",
        ...(interrupt && { SIGNAL: interrupt.signal, BEHIND: interrupt.behind }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise<Pick<End, "code" | "signal">>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  if (child.stdout === null || child.stderr === null) throw new Error("no pipes");
  const [out, err, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const lines = err
    .split("\n")
    .filter((line) => line.startsWith("plumbline:") || /^\s+at /.test(line));
  return { ...end, out, err: lines };
}

const Found = Type.Object(
  {
    store: Type.Enum(["journal", "records", "telemetry", "secret", "node", "processing"]),
    file: Type.String({ minLength: 1 }),
    problem: Type.String({ minLength: 1 }),
    holds: Type.String({ minLength: 1 }),
    sources: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
/** What `--json` writes: one line. */
const Report = Type.Object(
  {
    data_dir: Type.String(),
    damaged: Type.Array(Found),
    repaired: Type.Optional(Type.Array(Found)),
    moved: Type.Optional(Type.Array(Type.String())),
    notes: Type.Optional(Type.Array(Type.String())),
    journal: Type.Object({
      oldest_sequence: Type.Integer({ minimum: 0 }),
      newest_sequence: Type.Integer({ minimum: -1 }),
    }),
    rows: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
  },
  { additionalProperties: false },
);

function reportOf({ out }: End): Type.Static<typeof Report> {
  expect(out.split("\n")).toHaveLength(2);
  const report: unknown = JSON.parse(out);
  if (!Check(Report, report)) throw new Error(`not as documented: ${out}`);
  return report;
}

/** A digest of every file, by its path; claims of locks are left out. */
async function digests(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const found: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    found[relative(dir, path)] = createHash("sha256").update(content).digest("hex");
  }
  return found;
}

let folder: CheckedFolder;
let dataDir: string;
beforeAll(async () => {
  folder = await prepareCheckedFolder();
});
afterAll(() => folder?.cleanUp());
beforeEach(async () => {
  dataDir = await folder.freshCopy();
});

async function damage(): Promise<void> {
  tamper(join(dataDir, NEWER), (bytes) => void damageBlock(bytes));
  await rm(join(dataDir, OLDER));
}

describe("plumbline check", () => {
  it("plumbline check says of a sound folder that nothing is damaged, changes no file and ends with 0", async () => {
    const before = await digests(dataDir);
    const read = await check(dataDir, ["--json", "--repair"]);
    expect([read.code, read.err]).toEqual([0, []]);
    expect(reportOf(read)).toEqual({
      data_dir: dataDir,
      damaged: [],
      journal: { oldest_sequence: 1, newest_sequence: 200 },
    });
    expect(await digests(dataDir)).toEqual(before);
  });

  it("plumbline check names each damaged file in words and as JSON, changes no file and ends with 1", async () => {
    await damage();
    const before = await digests(dataDir);
    const spoken = await check(dataDir, []);
    expect([spoken.code, spoken.err]).toEqual([
      1,
      [`plumbline: 2 files are damaged in ${dataDir}; "--repair" rebuilds what can be rebuilt`],
    ]);
    expect(spoken.out.trimEnd().split("\n")).toEqual([
      `${NEWER}: a block of it is damaged`,
      expect.stringMatching(/^ {4}holds: readings of .*; 400 rows of 1 assets can be read, /),
      "    can be rebuilt from: itself, the journal, InfluxDB, a backup",
      `${OLDER}: it is missing`,
      expect.stringMatching(/^ {4}holds: readings of 20/),
      "    can be rebuilt from: the journal, InfluxDB, a backup",
    ]);
    const read = await check(dataDir, ["--json"]);
    expect(read.code).toBe(1);
    const { damaged, repaired } = reportOf(read);
    expect([damaged.map(({ file }) => file), repaired]).toEqual([[NEWER, OLDER], undefined]);
    expect(await digests(dataDir)).toEqual(before);
  });

  it("plumbline check ends a repair that mended everything with 0, and a second one changes no file", async () => {
    await damage();
    const first = await check(dataDir, ["--repair", "--json", "--backup", folder.backupFile]);
    expect([first.code, first.err]).toEqual([0, []]);
    const { damaged, repaired, moved } = reportOf(first);
    expect([damaged, repaired?.map(({ file }) => file)]).toEqual([[], [NEWER, OLDER]]);
    expect(moved).toEqual([expect.stringMatching(/^damaged\/.*\/telemetry\/embedded\/period-/)]);
    const kept = await readdir(join(dataDir, "damaged"));
    const before = await digests(dataDir);
    const second = await check(dataDir, ["--repair", "--backup", folder.backupFile]);
    expect([second.code, second.out]).toEqual([0, `${dataDir}: nothing is damaged\n`]);
    expect(await digests(dataDir)).toEqual(before);
    expect(kept).toHaveLength(1);
    expect(await heldTruth(dataDir)).toMatchObject(WHOLE);
  });

  it("plumbline check exits with 1 and lists what is left where nothing at hand can rebuild a file, each time alike", async () => {
    await damage();
    await rm(join(dataDir, "telemetry", "embedded", "catalog.mdb"));
    await rm(join(dataDir, "telemetry", "embedded", "names.log"));
    await rm(join(dataDir, "journal", "cursors.json"));
    const first = await check(dataDir, ["--repair", "--json"]);
    expect([first.code, first.err]).toEqual([
      1,
      [expect.stringMatching(/^plumbline: 2 files are damaged in /)],
    ]);
    const { damaged, repaired, notes } = reportOf(first);
    expect(damaged.map(({ file }) => file)).toEqual(["telemetry/embedded/catalog.mdb", NEWER]);
    expect(repaired?.map(({ file }) => file)).toContain("journal/cursors.json");
    expect(notes).toEqual([expect.stringContaining("give a backup with --backup FILE")]);
    const second = await check(dataDir, ["--repair", "--json"]);
    expect([second.code, reportOf(second).damaged]).toEqual([1, damaged]);
  });

  it("plumbline check ends with 130 at Ctrl-C in the middle of a repair, which the same command completes", async () => {
    // Without the catalog, nothing shows a missing file.
    tamper(join(dataDir, NEWER), (bytes) => void damageBlock(bytes));
    await rm(join(dataDir, "telemetry", "embedded", "catalog.mdb"));
    const options = ["--repair", "--backup", folder.backupFile];
    const behind = "telemetry/embedded/catalog.mdb";
    const first = await check(dataDir, options, { signal: "SIGINT", behind });
    expect([first.code, first.err]).toEqual([130, ["plumbline: stopped"]]);
    const second = await check(dataDir, [...options, "--json"]);
    expect([second.code, reportOf(second).damaged]).toEqual([0, []]);
    expect(await heldTruth(dataDir)).toMatchObject(WHOLE);
    expect(await readdir(dataDir)).not.toContain("check-staging");
  });

  it("plumbline check says in one line that a folder does not exist or is not one of ours, and makes none", async () => {
    const nowhere = join(folder.root, "nowhere");
    const empty = join(folder.root, "empty");
    await mkdir(empty, { recursive: true });
    for (const [dir, problem] of [
      [nowhere, "does not exist"],
      [empty, "is not a data folder of Plumbline"],
    ] as const) {
      expect(await check(dir, ["--repair", "--json"])).toEqual({
        code: 1,
        signal: null,
        out: "",
        err: [`plumbline: ${dir} ${problem}`],
      });
    }
    expect([await readdir(empty), (await readdir(folder.root)).includes("nowhere")]).toEqual([
      [],
      false,
    ]);
  });

  it("plumbline check leaves the telemetry of a newer program alone, also when it is damaged", async () => {
    const catalog = openCatalog(join(dataDir, "telemetry", "embedded"));
    await catalog.put(Buffer.from("format"), Buffer.from("3"));
    await catalog.close();
    await damage();
    const before = await digests(dataDir);
    const { code, out, err } = await check(dataDir, ["--repair"]);
    expect([code, out, err]).toEqual([1, "", ["plumbline: telemetry folder of format 3, need 2"]]);
    expect(await digests(dataDir)).toEqual(before);
  });
});

describe("plumbline check on a folder with a database", () => {
  const ADMIN_KEY = "check-test-admin-key-of-at-least-32-characters";
  let recordsDir: string;
  beforeEach(async () => {
    recordsDir = await freshDataDir();
    return () => rm(recordsDir, { recursive: true, force: true });
  });

  it("plumbline check on a folder with a database is refused in one line that names the process while a service runs on it", async () => {
    const service = await startServiceProcess({ dataDir: recordsDir, adminKey: ADMIN_KEY });
    try {
      const { code, out, err } = await check(recordsDir, ["--repair", "--json"]);
      expect([code, out, err]).toEqual([
        1,
        "",
        [expect.stringMatching(new RegExp(`is in use by process ${service.pid};`))],
      ]);
      expect((await fetch(`${service.http}/health/ready`)).status).toBe(200);
    } finally {
      await service.end("SIGKILL");
    }
  });

  it("plumbline check on a folder with a database completes a repair that was killed between moving the database away and putting the new one in its place", async () => {
    await writeFile(join(recordsDir, "secret.key"), randomBytes(32).toString("base64url"));
    const database = await openPglite(join(recordsDir, "records"));
    await database.query("INSERT INTO project_ids (id) VALUES ('site-1'), ('site-2')");
    const [index] = await database.query<{ path: string }>(
      "SELECT pg_relation_filepath('projects_pkey') AS path",
    );
    await database.close();
    tamper(join(recordsDir, "records", "cluster", index?.path ?? ""), (bytes) => {
      bytes.fill(0xa7, 0, 20);
    });
    const killed = await check(recordsDir, ["--repair"], {
      signal: "SIGKILL",
      behind: "/records/cluster",
    });
    expect(killed.signal).toBe("SIGKILL");
    expect(await readdir(join(recordsDir, "records"))).not.toContain("cluster");
    await expect(openPglite(join(recordsDir, "records"))).rejects.toMatchObject({
      code: "STORE_DAMAGED",
      message: expect.stringContaining("a repair of it was interrupted"),
    });
    const completed = await check(recordsDir, ["--repair", "--json"]);
    expect([completed.code, completed.err]).toEqual([0, []]);
    const { repaired, rows } = reportOf(completed);
    expect(repaired).toContainEqual(
      expect.objectContaining({ file: "records/cluster", sources: ["the new database"] }),
    );
    expect(rows).toMatchObject({ project_ids: 2 });
  });
});

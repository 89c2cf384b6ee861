import { cp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readSettings } from "../../../config/settings.ts";
import { checkFolder } from "../../../storage/check/check-folder.ts";
import { openDamageLog } from "../../../storage/check/damage-log.ts";
import { journalDamage } from "../../../storage/check/found-damage.ts";
import { repairFolder } from "../../../storage/check/repair-folder.ts";
import { encodeCursors } from "../../../storage/journal/cursors.ts";
import { encodeHeader } from "../../../storage/journal/segment-header.ts";
import {
  type CheckedFolder,
  heldTruth,
  prepareCheckedFolder,
  WHOLE,
} from "../../support/checked-folder.ts";
import { startInlineSealThread } from "../../support/inline-seal-thread.ts";
import { append, bodyOf, openSmall, tamper } from "../../support/journal.ts";
import { NOON_MS } from "../../support/telemetry-points.ts";

let folder: CheckedFolder;
let dataDir: string;
beforeAll(async () => {
  folder = await prepareCheckedFolder();
});
afterAll(() => folder?.cleanUp());
beforeEach(async () => {
  dataDir = await folder.freshCopy();
});

const options = () => ({
  dataDir,
  secretKey: undefined,
  usesPostgres: false,
  signal: new AbortController().signal,
  onStep: () => undefined,
});

async function repair(backupFile: string | undefined) {
  const settings = readSettings({ DATA_DIR: dataDir });
  return repairFolder(
    { ...options(), backupFile, settings, nowMs: NOON_MS, startThread: startInlineSealThread },
    await checkFolder(options()),
  );
}

it("a repair that cannot bring the newest records back gives none of their numbers out again", async () => {
  await rm(join(dataDir, "journal", folder.segments.at(-1) ?? ""));
  // Damage that makes every reader begin again.
  await rm(join(dataDir, "telemetry", "embedded", "catalog.mdb"));
  const { after } = await repair(undefined);
  expect(after.findings).toMatchObject([
    { file: "journal/.", problem: expect.stringMatching(/^records \d+ to 200 are gone$/) },
  ]);
  const journal = await openSmall(join(dataDir, "journal"));
  try {
    expect(journal.cursor("telemetry").sequence).toBe(0);
    expect(await append(journal, bodyOf(201))).toBe(201);
  } finally {
    await journal.close();
  }
});

it("a second repair with a backup still brings back what the first one had no source for", async () => {
  await rm(join(dataDir, "journal", folder.segments.at(-1) ?? ""));
  await rm(join(dataDir, "telemetry", "embedded", "catalog.mdb"));
  await repair(undefined);
  const { after } = await repair(folder.backupFile);
  expect(after.journal).toMatchObject({ oldest: 1, newest: 170, given: WHOLE.records.length });
});

/** A start on the folder as it is, at which a message arrives and every reader goes on to it. */
async function startOnce(): Promise<void> {
  const journal = await openSmall(join(dataDir, "journal"));
  const log = openDamageLog(dataDir);
  for (const found of journalDamage(journal)) log.note(found);
  const newest = await append(journal, bodyOf(journal.syncedSequence + 1));
  for (const name of ["telemetry", "records"]) journal.cursor(name).advance(newest);
  await journal.close();
}

it("records that an earlier start could not read come back from a backup, though no segment shows that they were there", async () => {
  const dir = join(dataDir, "journal");
  const id = (await readFile(join(dir, "id"), "utf8")).trim();
  await writeFile(join(dir, "cursors.json"), encodeCursors(id, { telemetry: 0, records: 200 }));
  for (const name of await readdir(dir)) {
    if (name.endsWith(".log")) await truncate(join(dir, name), 0);
  }
  await startOnce();

  const lost = [{ fromSequence: 1, toSequence: 200 }];
  expect(await checkFolder(options())).toMatchObject({
    findings: [{ file: "journal", problem: expect.stringMatching(/^records 1 to 200 cannot be/) }],
    journal: { oldest: 201, lost },
  });
  // Without a backup nothing is forgotten.
  const without = await repair(undefined);
  expect(without.after.journal.lost).toEqual(lost);
  const { after } = await repair(folder.backupFile);
  expect(after.journal).toMatchObject({ oldest: 1, newest: 201 });
  expect(after.findings).toMatchObject([{ problem: "records 171 to 200 cannot be read" }]);
  const again = await openSmall(dir);
  expect(again.cursor("telemetry").sequence).toBe(0);
  await again.close();
});

it("records come back from a backup whose segment begins with some that were read before it was deleted", async () => {
  const dir = join(dataDir, "journal");
  const id = (await readFile(join(dir, "id"), "utf8")).trim();
  await writeFile(join(dir, "cursors.json"), encodeCursors(id, { telemetry: 150, records: 200 }));
  const last = folder.segments.at(-1) ?? "";
  // Its header and a few records are left.
  await truncate(join(dir, last), 1_000);
  await startOnce();
  // As the service deletes what every reader has passed.
  for (const name of folder.segments) await rm(join(dir, name), { force: true });
  const { journal } = await checkFolder(options());
  const [lost] = journal.lost;
  expect(lost?.fromSequence).toBeGreaterThan(141);
  expect(lost).toMatchObject({ toSequence: 200 });

  const { after } = await repair(folder.backupFile);
  expect(after.journal.oldest).toBeGreaterThan(1);
  expect(after.journal.oldest).toBeLessThan(lost?.fromSequence ?? 0);
  expect(after.findings).toMatchObject([{ problem: "records 171 to 200 cannot be read" }]);
});

it("records lost before a later start are noted beside those of an earlier one, each once", () => {
  const log = openDamageLog(dataDir);
  const hole = (fromSequence: number) => ({ fromSequence, toSequence: fromSequence + 9 });
  const damageOf = (...holes: readonly ReturnType<typeof hole>[]) =>
    journalDamage({ recovery: { records: 0, cutBytes: 0, created: false, holes } });
  for (const found of [
    ...damageOf(hole(1)),
    ...damageOf(hole(1), hole(50)),
    ...damageOf(hole(1)),
  ]) {
    log.note(found);
  }
  expect(openDamageLog(dataDir).list()).toMatchObject([
    { file: "journal", lost: [hole(1), hole(50)] },
  ]);
});

it("a missing journal folder is a finding that says what the stores have and what a backup brings", async () => {
  await rm(join(dataDir, "journal"), { recursive: true });
  const { findings } = await checkFolder(options());
  expect(findings).toEqual([
    {
      store: "journal",
      file: "journal",
      problem: "it is gone",
      holds: "messages as they came; the stores have the content of those up to record 170",
      sources: ["a backup"],
    },
  ]);
});

it("a repair of a missing journal without a backup goes on under its id and behind its newest number", async () => {
  const id = await readFile(join(dataDir, "journal", "id"), "utf8");
  await rm(join(dataDir, "journal"), { recursive: true });
  const { after } = await repair(undefined);
  expect(after.findings).toMatchObject([
    { file: "journal/.", problem: "records 1 to 170 are gone", sources: ["a backup"] },
  ]);
  expect(await readFile(join(dataDir, "journal", "id"), "utf8")).toBe(id);
  // A backup that is found later still brings its records.
  await cp(dataDir, `${dataDir}-later`, { recursive: true });
  const journal = await openSmall(join(dataDir, "journal"));
  try {
    expect(await append(journal, bodyOf(171))).toBe(171);
  } finally {
    await journal.close();
  }
  expect((await checkFolder(options())).findings).toEqual([]);
  expect((await heldTruth(dataDir)).rows).toEqual(WHOLE.rows);

  dataDir = `${dataDir}-later`;
  const later = await repair(folder.backupFile);
  expect(later.after).toMatchObject({ findings: [], journal: { oldest: 1, newest: 170 } });
});

it("a folder in which no message was ever stored has no missing journal", async () => {
  await rm(join(dataDir, "journal"), { recursive: true });
  await rm(join(dataDir, "telemetry"), { recursive: true });
  expect((await checkFolder(options())).findings).toEqual([]);
});

it("a journal of a newer program is refused by a check, also when it is damaged", async () => {
  const [first = "", second = ""] = folder.segments;
  const header = {
    journalId: "0b2a3c4d-0000-4000-8000-000000000000",
    ordinal: 1,
    firstSequence: 1,
  };
  tamper(join(dataDir, "journal", first), (bytes) => void bytes.set(encodeHeader(header, 2)));
  await rm(join(dataDir, "journal", second));
  await expect(repair(folder.backupFile)).rejects.toMatchObject({
    code: "SCHEMA_TOO_NEW",
    message: "journal format 2; this program knows 1",
  });
});

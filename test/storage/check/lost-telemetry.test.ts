import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSettings } from "../../../config/settings.ts";
import { checkFolder } from "../../../storage/check/check-folder.ts";
import { repairFolder } from "../../../storage/check/repair-folder.ts";
import { BOUNDLESS_DISK } from "../../../storage/disk/disk-space.ts";
import { openJournal } from "../../../storage/journal/journal.ts";
import { openStores } from "../../../storage/open.ts";
import { openEmbeddedTelemetryStore } from "../../../storage/telemetry/embedded/open.ts";
import { freshDataDir } from "../../support/databases.ts";
import { append, bodyOf } from "../../support/journal.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await freshDataDir();
  const journal = await openJournal({ dir: join(dataDir, "journal"), minFreeBytes: 0 });
  for (let n = 1; n <= 5; n++) await append(journal, bodyOf(n));
  journal.cursor("telemetry").advance(5);
  await journal.close();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it.each([
  ["is gone", async () => undefined],
  [
    "was made empty by the start of an earlier version",
    async () => (await openEmbeddedTelemetryStore({ dir: join(dataDir, "telemetry") })).close(),
  ],
])("the service refuses starts while the telemetry %s, and starts after the check that it names has repaired", async (_, prepare) => {
  await prepare();
  const settings = readSettings({ DATA_DIR: dataDir });
  const start = async () => {
    await (await openStores(settings, BOUNDLESS_DISK)).close();
  };
  const options = {
    dataDir,
    secretKey: "a-secret-key-of-more-than-thirty-two-letters",
    usesPostgres: false,
    signal: new AbortController().signal,
    onStep: () => undefined,
  };
  await expect(start()).rejects.toThrow("is gone: it held the readings up to record 5");
  await expect(start()).rejects.toThrow("is gone: it held the readings up to record 5");

  const before = await checkFolder(options);
  expect(before.findings).toMatchObject([{ file: "telemetry", problem: "it is gone" }]);
  const { after } = await repairFolder(
    { ...options, backupFile: undefined, settings, nowMs: Date.now() },
    before,
  );
  expect(after.findings).toEqual([]);
  await start();
});

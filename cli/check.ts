import { resolve } from "node:path";
import { readCommandSettings } from "../config/cli-settings.ts";
import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import { checkFolder, type FolderState, lockDataFolder } from "../storage/check/check-folder.ts";
import type { Finding } from "../storage/check/finding.ts";
import { type RepairResult, repairFolder } from "../storage/check/repair-folder.ts";
import { readOptions, required } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";

/** Searches a data folder for damaged files, and repairs them. */
export const check: Command = {
  usage: "check --data-dir DIR [--repair] [--backup FILE] [--json]",
  about:
    "Names the damaged files of a data folder, what they hold and what they can be rebuilt from. With\n" +
    "--repair rebuilds them from what is readable, the journal, a backup (FILE) and InfluxDB\n" +
    "(INFLUX_URL, ...), and moves the damaged ones to DIR/damaged; nothing is deleted. The service must\n" +
    "not run. Set SECRET_KEY and DATABASE_URL as the service has them. Ctrl-C stops; the same command\n" +
    "begins again. Status 1 when something is damaged.",
  async run(args, context) {
    const options = readOptions(args, ["data-dir", "backup"], ["repair", "json"]);
    const dataDir = resolve(required("data-dir", options["data-dir"]));
    const settings = readCommandSettings({ DATA_DIR: dataDir });
    const isJson = options.json !== undefined;
    const lock = await lockDataFolder(dataDir);
    try {
      const folder = folderOptions(dataDir, settings, context);
      const before = await checkFolder(folder);
      if (options.repair === undefined || before.findings.length === 0) {
        print(context, isJson, dataDir, before, undefined);
        return;
      }
      if (!isJson) for (const finding of before.findings) context.say(lineOf(finding));
      const result = await repairFolder(
        {
          ...folder,
          backupFile: options.backup === undefined ? undefined : resolve(options.backup),
          settings,
          nowMs: Date.now(),
        },
        before,
      );
      print(context, isJson, dataDir, before, result);
    } finally {
      await lock.release();
    }
  },
};

function folderOptions(dataDir: string, settings: Settings, { signal }: CommandContext) {
  let printed = "";
  return {
    dataDir,
    secretKey: settings.secretKey,
    usesPostgres: settings.databaseUrl !== undefined,
    usesBucket: settings.s3Bucket !== undefined,
    signal,
    onStep(step: string) {
      // Output is the result alone, so that it can be read by a program.
      if (step !== printed) process.stderr.write(`${step}\n`);
      printed = step;
    },
  };
}

/** Says the result. @throws DomainError `STORE_DAMAGED` when something is damaged now. */
function print(
  { say }: CommandContext,
  isJson: boolean,
  dataDir: string,
  before: FolderState,
  result: RepairResult | undefined,
): void {
  const left = (result?.after ?? before).findings;
  if (isJson) {
    const { moved = [], notes = [] } = result ?? {};
    const { journal, records } = result?.after ?? before;
    const { rows } = records;
    say(
      JSON.stringify({
        data_dir: dataDir,
        damaged: left,
        ...(result === undefined ? {} : { repaired: before.findings, moved, notes }),
        journal: {
          oldest_sequence: journal.oldest,
          newest_sequence: journal.newest,
        },
        ...(rows === undefined ? {} : { rows: Object.fromEntries(rows) }),
      }),
    );
  } else {
    for (const path of result?.moved ?? []) say(`moved to ${path}`);
    for (const note of result?.notes ?? []) say(note);
    for (const finding of left) say(lineOf(finding));
    if (left.length === 0) say(`${dataDir}: nothing is damaged${result ? " any more" : ""}`);
  }
  if (left.length === 0) return;
  const files = left.length === 1 ? "1 file is damaged" : `${left.length} files are damaged`;
  const remedy = result === undefined ? '; "--repair" rebuilds what can be rebuilt' : "";
  throw new DomainError("STORE_DAMAGED", `${files} in ${dataDir}${remedy}`);
}

function lineOf({ file, problem, holds, sources }: Finding): string {
  const from = sources.length === 0 ? "nothing at hand" : sources.join(", ");
  return `${file}: ${problem}\n    holds: ${holds}\n    can be rebuilt from: ${from}`;
}

import { resolve } from "node:path";
import { restoreBackup } from "../storage/backup/restore.ts";
import { readOptions, required } from "./arguments.ts";
import type { Command } from "./command.ts";

/** Fills an empty data folder from an archive. */
export const restore: Command = {
  usage: "restore --from FILE --data-dir DIR",
  about:
    "Puts an archive of `plumbline backup` into an empty or absent folder, after every checksum was\n" +
    "found right. Then start the service with DATA_DIR=DIR, and with SECRET_KEY if it had one.",
  async run(args, { say }) {
    const options = readOptions(args, ["from", "data-dir"]);
    const archive = resolve(required("from", options.from));
    const dataDir = resolve(required("data-dir", options["data-dir"]));
    const { createdAt, journal, files } = await restoreBackup({ archive, dataDir });
    say(
      `${dataDir}: ${files.length} files of ${createdAt}, journal up to ${journal.syncedSequence}; every checksum is right`,
    );
  },
};

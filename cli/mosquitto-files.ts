import { mkdir, open, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readCommandSettings } from "../config/cli-settings.ts";
import { deviceFilters } from "../domain/equipment/topics.ts";
import { DomainError } from "../domain/errors.ts";
import { mosquittoHash } from "../domain/platform/mosquitto-hash.ts";
import { namingFilters } from "../ingest/decoders/vendor-topics.ts";
import { commandFilters, REBIRTH_REQUESTS } from "../ingest/sparkplug/command-topics.ts";
import { syncFolder } from "../storage/data-folder/sync-folder.ts";
import { openRecords } from "../storage/open.ts";
import type { AssetRecords } from "../storage/ports/equipment/assets.ts";
import { readOptions, required } from "./arguments.ts";
import type { Command } from "./command.ts";

/** Names of the two files; Mosquitto's configuration points at them. */
const PASSWORDS = "passwords";
const ACL = "acl";
/**
 * Most assets without a hash that are named. More would push the summary off the screen; fewer hide whom to
 * give a new secret.
 */
const NAMED = 20;

/** Writes what Mosquitto has to know of our devices. */
export const mosquittoFiles: Command = {
  usage: "mosquitto-files --to FOLDER",
  about:
    "Writes the password and ACL files of Mosquitto from the record store (DATABASE_URL or DATA_DIR):\n" +
    "every asset with its secret's hash, and the service itself as MQTT_USERNAME with MQTT_PASSWORD.\n" +
    "Assets whose secret is older than this command are named: give them new credentials.",
  async run(args, { say }) {
    const folder = resolve(required("to", readOptions(args, ["to"]).to));
    const { mqttUsername, mqttPassword, ...settings } = readCommandSettings({});
    if (mqttUsername === undefined || mqttPassword === undefined) {
      throw new DomainError("SETTINGS_INVALID", "MQTT_USERNAME and MQTT_PASSWORD are not set");
    }
    const records = await openRecords(settings);
    try {
      const hashes = await records.assets.mosquittoHashes();
      const known = [...hashes].filter(([, hash]) => hash !== undefined);
      const unknown = [...hashes].filter(([, hash]) => hash === undefined).map(([id]) => id);
      const lines = known.map(([id, hash]) => `${id}:${hash}\n`);
      lines.unshift(`${mqttUsername}:${await mosquittoHash(mqttPassword)}\n`);
      await mkdir(folder, { recursive: true });
      await replaceFile(join(folder, PASSWORDS), lines.join(""));
      await replaceFile(join(folder, ACL), aclFile(mqttUsername, await vendorsOf(records.assets)));
      await syncFolder(folder);
      say(`${folder}: ${known.length} assets in ${PASSWORDS}; send Mosquitto a SIGHUP`);
      if (unknown.length > 0) {
        const more = unknown.length > NAMED ? `, and ${unknown.length - NAMED} more` : "";
        say(
          `${unknown.length} assets have secrets that are too old; POST /api/v1/equipment/assets/{id}/credentials for ${unknown.slice(0, NAMED).join(", ")}${more}`,
        );
      }
    } finally {
      await records.close();
    }
  },
};

/** What an asset publishes on, and hears, by its vendor's own topics. */
interface VendorFilters {
  readonly id: string;
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/** Filters of the vendors' own topics, of those assets that have any. */
async function vendorsOf(
  assets: Pick<AssetRecords, "changesSince">,
): Promise<readonly VendorFilters[]> {
  const { rows } = await assets.changesSince(0);
  return rows
    .filter(({ deleted }) => !deleted)
    .map(({ asset }) => ({
      id: asset.id,
      writes: namingFilters(asset),
      reads: commandFilters(asset),
    }))
    .filter(({ writes }) => writes.length > 0);
}

/** What each may do; the same rules as in the embedded broker. */
function aclFile(serviceName: string, vendors: readonly VendorFilters[]): string {
  // One line for all of them: Mosquitto goes through the list with every message.
  const readAll = vendors.length === 0 ? "" : "topic read #\n";
  const isCommanding = vendors.some(({ reads }) => reads.length > 0);
  const command = isCommanding ? `topic write ${REBIRTH_REQUESTS}\n` : "";
  const ofDevices = vendors.map(({ id, writes, reads }) =>
    [
      `\nuser ${id}\n`,
      ...writes.map((own) => `topic write ${own}\n`),
      ...reads.map((own) => `topic read ${own}\n`),
    ].join(""),
  );
  const rules = (access: string, ofAsset: string): string =>
    deviceFilters("+", ofAsset)
      .map((filter) => `${access} ${filter}\n`)
      .join("");
  const heading = "\n# Topics of the vendors, of devices that are registered with their format.\n";
  return `# The service reads what devices publish, and publishes events.
user ${serviceName}
${rules("topic read", "+")}${readAll}topic write sites/+/events/+
${command}
# A device publishes under its own id and reads its own commands; its user name is its asset id.
${rules("pattern write", "%u")}pattern read sites/+/assets/%u/cmd/#
${vendors.length === 0 ? "" : heading}${ofDevices.join("").replace(/^\n/, "")}`;
}

/** As a whole or not at all, and for its owner and group: Mosquitto may read it at any moment. */
async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  const file = await open(unfinished, "w", 0o640);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

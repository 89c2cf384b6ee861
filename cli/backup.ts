import { createWriteStream } from "node:fs";
import { access, rename, rm } from "node:fs/promises";
import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { readSimulatorSettings } from "../config/simulator-settings.ts";
import { DomainError } from "../domain/errors.ts";
import { verifyBackup } from "../storage/backup/restore.ts";
import { syncFolder } from "../storage/data-folder/sync-folder.ts";
import { readOptions, required } from "./arguments.ts";
import type { Command } from "./command.ts";

/** Asks the running service for an archive, and keeps it only when every checksum in it is right. */
export const backup: Command = {
  usage: "backup --to FILE [--url URL]",
  about:
    "Makes one archive of the embedded stores while the service runs. URL is PLUMBLINE_URL or\n" +
    "http://127.0.0.1:8080; PLUMBLINE_API_KEY is a key with the scope admin. The archive holds every\n" +
    "secret of the installation.",
  async run(args, { signal, say }) {
    const options = readOptions(args, ["to", "url"]);
    const to = resolve(required("to", options.to));
    const settings = readSimulatorSettings();
    const url = options.url ?? settings.plumblineUrl ?? "";
    if (settings.plumblineApiKey === undefined) {
      throw new DomainError("SETTINGS_INVALID", "PLUMBLINE_API_KEY is not set");
    }
    await refuseToReplace(to);
    const unfinished = `${to}.part`;
    try {
      const body = await request(url, settings.plumblineApiKey, signal);
      const file = createWriteStream(unfinished, { flags: "w", mode: 0o600, flush: true });
      await pipeline(body, file, { signal });
      const { journal, files, createdAt } = await verifyBackup(unfinished);
      await rename(unfinished, to);
      await syncFolder(dirname(to));
      const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
      say(
        `${to}: ${files.length} files, ${sizeText(bytes)}, of ${createdAt}, journal up to ${journal.syncedSequence}; every checksum is right`,
      );
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  },
};

async function refuseToReplace(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new DomainError("BACKUP_REFUSED", `${path} exists`);
}

/** Not `fetch`: that gives up after 5 minutes without an answer, and large stores are copied first. */
async function request(url: string, key: string, signal: AbortSignal): Promise<Readable> {
  const address = new URL("/api/v1/backup", url);
  const get = address.protocol === "https:" ? getHttps : getHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    get(address, { headers, signal }, resolve).once("error", (cause) => {
      reject(new DomainError("STORE_UNAVAILABLE", `${url} does not answer`, { cause }));
    });
  });
  if (response.statusCode === 200) return response;
  const why = messageOf(await text(response));
  throw new DomainError("BACKUP_REFUSED", `${url} answered ${response.statusCode}: ${why}`);
}

function messageOf(body: string): string {
  try {
    return String(JSON.parse(body).error.message);
  } catch {
    return body.slice(0, 200);
  }
}

/** A number of bytes for people, as `12.3 MB`. */
function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

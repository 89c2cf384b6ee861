import { timingSafeEqual } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Settings } from "../../config/settings.ts";
import { DomainError } from "../../domain/errors.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import {
  makeSecretKey,
  readSecretKey,
  secretCheckValue,
  secretKeyPath,
} from "../../storage/data-folder/secret-key.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";

/** What the check reads of the record store. */
type KeyedRecords = Pick<
  RecordStore,
  "secretCheck" | "apiKeys" | "assets" | "webhooks" | "forwarders" | "fleetSources"
>;

/**
 * The key of every stored hash and sealed secret, after it was found to be the one that the records
 * were made with. A key is made only for records that hold nothing which needs one. Under another key
 * the service would run and refuse every client and device.
 *
 * Records of an earlier version have no check value: the key is then tried on a sealed secret, where
 * there is one, and its check value is kept.
 * @throws DomainError `SETTINGS_INVALID` with what to do, for a key that is wrong or gone.
 */
export async function openSecretKey(
  settings: Pick<Settings, "dataDir" | "secretKey">,
  records: KeyedRecords,
): Promise<Uint8Array> {
  const { dataDir, secretKey } = settings;
  const kept = await records.secretCheck.find();
  const key = await readSecretKey(dataDir, secretKey);
  if (key === undefined) {
    if (kept !== undefined || (await holdsSecrets(records))) throw lost(dataDir);
    await mkdir(dataDir, { recursive: true });
    const made = await makeSecretKey(dataDir);
    return confirm(settings, records, made);
  }
  if (kept === undefined && (await opensSealedSecrets(records, key)) === false) {
    throw wrong(settings);
  }
  return confirm(settings, records, key);
}

async function confirm(
  settings: Pick<Settings, "dataDir" | "secretKey">,
  { secretCheck }: KeyedRecords,
  key: Uint8Array,
): Promise<Uint8Array> {
  const value = secretCheckValue(key);
  const kept = await secretCheck.keep(value);
  if (kept.length !== value.length || !timingSafeEqual(kept, value)) throw wrong(settings);
  return key;
}

async function holdsSecrets({ apiKeys, assets, webhooks }: KeyedRecords): Promise<boolean> {
  if ((await apiKeys.list()).length > 0 || (await webhooks.list()).length > 0) return true;
  return (await assets.changesSince(0)).rows.length > 0;
}

/** Whether the key opens what was sealed; `undefined`: nothing was. */
async function opensSealedSecrets(
  { webhooks, forwarders, fleetSources }: KeyedRecords,
  key: Uint8Array,
): Promise<boolean | undefined> {
  const hooks = createSecretSeal(key, "webhooks");
  const outlets = createSecretSeal(key, "forwarders");
  const sources = createSecretSeal(key, "fleetSources");
  const trials = [
    ...(await webhooks.list()).flatMap(({ id, secrets }) =>
      secrets.map(
        ({ sealed }) =>
          () =>
            hooks.open(id, sealed),
      ),
    ),
    ...(await forwarders.list()).flatMap(({ id, credentials }) =>
      credentials === undefined ? [] : [() => outlets.open(id, credentials)],
    ),
    ...(await fleetSources.list()).flatMap(({ source: { id, auth } }) =>
      Object.entries(auth).flatMap(([name, value]) =>
        name.startsWith("sealed") && typeof value === "string"
          ? [() => sources.open(id, Buffer.from(value, "base64"))]
          : [],
      ),
    ),
  ];
  if (trials.length === 0) return undefined;
  // One of several may be damaged by itself; a wrong key opens none.
  return trials.some((open) => succeeds(open));
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function wrong({ dataDir, secretKey }: Pick<Settings, "dataDir" | "secretKey">): DomainError {
  const [name, remedy] =
    secretKey === undefined
      ? [`the key in ${secretKeyPath(dataDir)}`, "put the file of a backup in its place"]
      : ["SECRET_KEY", "set the value that was set then, or leave it unset if none was"];
  return new DomainError(
    "SETTINGS_INVALID",
    `${name} is not the key that the records were made with, and no client or device could log in: ${remedy}`,
  );
}

function lost(dataDir: string): DomainError {
  return new DomainError(
    "SETTINGS_INVALID",
    `${secretKeyPath(dataDir)} is missing or empty, and the records were made with it: put the file of a backup there, or set SECRET_KEY if it was set then`,
  );
}

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import type { ApiKeyId } from "../../domain/ids.ts";
import type { ApiKey } from "../../domain/platform/api-key.ts";
import { hashSecret } from "../../domain/platform/secret-hash.ts";
import { writeFileAtomically } from "../../storage/data-folder/small-file.ts";
import type { ApiKeyRecords } from "../../storage/ports/platform/api-keys.ts";
import { newApiKey, shownPrefix } from "./key-format.ts";

/** The first admin key of an installation, until it has been read. */
export interface BootstrapKey {
  readonly secret: string;
  /** To be called when it was printed: it is not kept any longer. */
  shown(): Promise<void>;
}

/**
 * Makes the first admin key of an installation that has none and sets no `ADMIN_API_KEY`. Its hash goes to
 * the records. Until it was shown, the key itself lies in `dataDir` (mode 0600): a start that is killed
 * between the two would otherwise leave an installation that nobody can log in to.
 * `undefined`: there is an admin key already, and it was shown.
 */
export async function makeBootstrapKey(
  apiKeys: ApiKeyRecords,
  pepper: Uint8Array,
  dataDir: string,
  nowMs: number,
): Promise<BootstrapKey | undefined> {
  const path = join(dataDir, "first-admin.key");
  const forget = () => rm(path, { force: true });
  const kept = await readKept(path);
  const stored =
    kept === undefined ? undefined : await apiKeys.findByHash(hashSecret(pepper, kept));
  if (kept !== undefined && stored !== undefined) {
    const { revoked_at, last_used_at } = stored.key;
    if (revoked_at === undefined && last_used_at === undefined) {
      return { secret: kept, shown: forget };
    }
  }
  const keys = await apiKeys.list();
  if (keys.some((key) => key.scopes.includes("admin") && key.revoked_at === undefined)) {
    if (kept !== undefined) await forget();
    return undefined;
  }
  const secret = newApiKey();
  const key: ApiKey = {
    // Two processes that start together on one record store make the same id, and one key.
    id: `key_first_${keys.length}` as ApiKeyId,
    name: "first admin key",
    prefix: shownPrefix(secret),
    scopes: ["admin"],
    plan: "enterprise",
    created_at: new Date(nowMs).toISOString(),
  };
  await writeFileAtomically(path, `${secret}\n`);
  try {
    await apiKeys.insert({ key, hash: hashSecret(pepper, secret) });
    return { secret, shown: forget };
  } catch (error) {
    // After any other error the hash may be stored all the same: then the next start shows this key.
    if (!(error instanceof DomainError) || error.code !== "ID_CONFLICT") throw error;
    await forget();
    return undefined;
  }
}

async function readKept(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

import type { ApiKey } from "../../domain/api-key.ts";
import { DomainError } from "../../domain/errors.ts";
import type { ApiKeyId } from "../../domain/ids.ts";
import { hashSecret } from "../../domain/secret-hash.ts";
import type { ApiKeyRecords } from "../../storage/ports.ts";
import { newApiKey, shownPrefix } from "./key-format.ts";

/**
 * Makes the first admin key of an installation that has none and sets no `ADMIN_API_KEY`. Only its
 * hash is stored; the caller shows the returned key once. `undefined`: there is an admin key already.
 */
export async function makeBootstrapKey(
  apiKeys: ApiKeyRecords,
  pepper: Uint8Array,
  nowMs: number,
): Promise<string | undefined> {
  const keys = await apiKeys.list();
  const hasAdmin = keys.some((key) => key.scopes.includes("admin") && key.revoked_at === undefined);
  if (hasAdmin) return undefined;
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
  try {
    await apiKeys.insert({ key, hash: hashSecret(pepper, secret) });
    return secret;
  } catch (error) {
    if (error instanceof DomainError && error.code === "ID_CONFLICT") return undefined;
    throw error;
  }
}

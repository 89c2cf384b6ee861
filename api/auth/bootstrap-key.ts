import { type ApiKeyId, newId } from "../../domain/ids.ts";
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
  await apiKeys.insert({
    key: {
      id: newId<ApiKeyId>("key"),
      name: "first admin key",
      prefix: shownPrefix(secret),
      scopes: ["admin"],
      plan: "enterprise",
      created_at: new Date(nowMs).toISOString(),
    },
    hash: hashSecret(pepper, secret),
  });
  return secret;
}

import {
  eventFilterProject,
  isOwnCommandFilter,
  parseDeviceTopic,
} from "../../../domain/equipment/topics.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { isVendorTopic, namingFilters } from "../../../ingest/decoders/vendor-topics.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { isCommandFilter } from "../../../ingest/sparkplug/command-topics.ts";
import type { ApiKeyRecords } from "../../../storage/ports/platform/api-keys.ts";
import { ADMIN, hasScope, type Principal, principalOf, seesProject } from "../../auth/principal.ts";

/** User name of readers of events; their password is an API key. */
export const READER = "apikey";
/**
 * How long the list of keys is trusted, ms: a revocation must take effect within 5 s
 * (docs/rules.md#keys-and-requests). Shorter is more queries for the whole list.
 */
const FRESH_MS = 2_000;

/** What a client of an external broker wants to do. */
export interface AclQuestion {
  readonly username: string;
  readonly action: "publish" | "subscribe";
  /** A topic, or the filter of a subscription. */
  readonly topic: string;
  /** Of a reader: the id of the key that it logged in with. */
  readonly keyId: string | undefined;
}

/** Whether an MQTT client may publish or subscribe; the same rules as in the embedded broker. */
export function createMqttAcl(options: {
  readonly directory: Pick<AssetDirectory, "find">;
  readonly apiKeys: Pick<ApiKeyRecords, "list">;
  /** User name of the service itself, where it is known here. */
  readonly serviceName: string | undefined;
  readonly now: () => number;
}): (question: AclQuestion) => Promise<boolean> {
  const { directory, apiKeys, serviceName, now } = options;
  let keys: { readonly atMs: number; readonly byId: Promise<Map<string, Principal>> } | undefined;

  async function readValidKeys(): Promise<Map<string, Principal>> {
    const nowMs = now();
    const valid = (await apiKeys.list())
      .filter(({ revoked_at }) => revoked_at === undefined)
      .map((key) => [key.id, principalOf(key)] as const)
      .filter(([, { expiresAtMs }]) => expiresAtMs > nowMs);
    return new Map<string, Principal>(valid);
  }

  async function readerOf(keyId: string): Promise<Principal | undefined> {
    if (keyId === ADMIN.keyId) return ADMIN;
    if (keys === undefined || now() - keys.atMs > FRESH_MS) {
      const byId = readValidKeys();
      keys = { atMs: now(), byId };
      // The next question tries again.
      byId.catch(() => {
        keys = undefined;
      });
    }
    return (await keys.byId).get(keyId);
  }

  return async ({ username, action, topic, keyId }) => {
    if (serviceName !== undefined && username === serviceName) return true;
    if (username === READER) {
      const projectId = eventFilterProject(topic);
      if (action !== "subscribe" || projectId === undefined || keyId === undefined) return false;
      const reader = await readerOf(keyId);
      if (reader === undefined || !hasScope(reader, "events:read")) return false;
      return seesProject(reader, projectId as ProjectId);
    }
    const assetId = username as AssetId;
    const entry = directory.find(assetId);
    if (entry === undefined) return false;
    if (action === "subscribe") {
      return isOwnCommandFilter(topic, assetId) || isCommandFilter(entry.asset, topic);
    }
    if (parseDeviceTopic(topic)?.assetId === assetId) return true;
    return isVendorTopic(namingFilters(entry.asset), topic);
  };
}

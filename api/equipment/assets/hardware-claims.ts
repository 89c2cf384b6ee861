import type { FastifyRequest } from "fastify";
import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import { DomainError } from "../../../domain/errors.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { eventId } from "../../../ingest/events/event-id.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import { requireOwnGateway } from "../../access/asset-access.ts";
import { principal } from "../../auth/guard.ts";
import { seesProject } from "../../auth/principal.ts";

export interface HardwareClaimOptions {
  readonly directory: AssetDirectory;
  readonly events: Pick<EventRecords, "append">;
  readonly feed: Pick<EventFeed, "poke">;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/**
 * Registers what a `hardware_id` names, for a key that may name it. Some devices prove themselves by this id
 * alone (an IMEI), so whoever registers it gets their positions: the asset that has it keeps it, and a claim by a
 * key that does not see that asset is an event for keys that see every project. The refusal does not say whose
 * the id is.
 * @throws DomainError `ID_CONFLICT`; what `register` throws.
 */
export async function claimHardware<T>(
  { directory, events, feed, now }: HardwareClaimOptions,
  request: FastifyRequest,
  asset: AssetRegistration,
  register: () => Promise<T>,
): Promise<T> {
  try {
    requireOwnGateway(directory, request, asset);
    return await register();
  } catch (error) {
    const { hardware_id } = asset;
    const isTaken = error instanceof DomainError && error.code === "ID_CONFLICT";
    if (!isTaken || hardware_id === undefined) throw error;
    const holder = holderOf(directory, hardware_id);
    const key = principal(request);
    if (holder === undefined || seesProject(key, holder.project_id)) throw error;
    const nowMs = now();
    const data = {
      hardware_id,
      holder_asset_id: holder.id,
      holder_project_id: holder.project_id,
      claimed_for_project_id: asset.project_id,
      claimed_by_key_id: key.keyId,
    };
    request.log.warn(
      { ...data, request_id: request.id },
      "hardware_id of another customer claimed",
    );
    const type = "security.hardware_id_claimed";
    // One alarm a day for the same claim: repeating it all day long does not fill the outbox.
    const day = Math.floor(nowMs / DAY_MS);
    await events.append([
      {
        id: eventId(type, hardware_id, asset.project_id, key.keyId, day),
        revision: 1,
        type,
        // Of no project, so that neither customer reads about the other.
        projectId: undefined,
        assetId: undefined,
        occurredAtMs: nowMs,
        data,
      },
    ]);
    feed.poke();
    throw error;
  }
}

/** Who has the id, or for Sparkplug a name above or below it. */
function holderOf(directory: AssetDirectory, hardwareId: string): AssetRegistration | undefined {
  const exact = directory.findByHardwareId(hardwareId)?.asset;
  if (exact !== undefined) return exact;
  for (const { asset } of directory.entries()) {
    const other = asset.decoder === "sparkplug" ? asset.hardware_id : undefined;
    if (other === undefined) continue;
    if (other.startsWith(`${hardwareId}/`) || hardwareId.startsWith(`${other}/`)) return asset;
  }
  return undefined;
}

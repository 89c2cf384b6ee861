import { eventFilterProject, isOwnCommandFilter } from "../../domain/equipment/topics.ts";
import { isRpcFilter } from "../commands/carriers/rpc-topics.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { isCommandFilter } from "../sparkplug/command-topics.ts";
import type { Principal } from "./login.ts";

/** Whether a client may subscribe to `filter`; denied unless granted (docs/rules.md#intake). */
export function maySubscribe(
  principal: Principal,
  filter: string,
  directory: Pick<AssetDirectory, "find">,
): boolean {
  if (principal.kind === "device") {
    const { assetId } = principal;
    if (isOwnCommandFilter(filter, assetId)) return true;
    const asset = directory.find(assetId)?.asset;
    return isCommandFilter(asset, filter) || isRpcFilter(asset, filter);
  }
  const projectId = eventFilterProject(filter);
  return projectId !== undefined && principal.access.allows(projectId);
}

/**
 * Whether a client may still receive `topic`: a reader's key may have lost a project meanwhile, and an
 * asset may have been registered as another edge node.
 */
export function mayReceive(...asked: Parameters<typeof maySubscribe>): boolean {
  return maySubscribe(...asked);
}

import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import { matchesFilter } from "../../domain/equipment/topics.ts";
import { NAMESPACE, readEdgeNode } from "../decoders/sparkplug/topic.ts";

/** Filter of what we ask of edge nodes. */
export const REBIRTH_REQUESTS = `${NAMESPACE}/+/NCMD/+`;

/** As much of a registration as the filters depend on. */
type Registered = Pick<AssetRegistration, "decoder" | "hardware_id">;

/**
 * Filters of what is sent to an edge node: its own commands, those of the devices behind it, and
 * whether a host is there (`STATE/...` before version 3.0). None for everybody else.
 */
export function commandFilters({ decoder, hardware_id }: Registered): readonly string[] {
  const named = decoder === "sparkplug" ? readEdgeNode(hardware_id) : undefined;
  if (named === undefined) return [];
  const { group, edgeNode } = named;
  return [
    `${NAMESPACE}/${group}/NCMD/${edgeNode}/#`,
    `${NAMESPACE}/${group}/DCMD/${edgeNode}/#`,
    `${NAMESPACE}/STATE/+`,
    "STATE/+",
  ];
}

/** Whether all that `filter` matches, itself or a topic, is for that asset to hear. */
export function isCommandFilter(asset: Registered | undefined, filter: string): boolean {
  if (asset === undefined) return false;
  return commandFilters(asset).some((own) => matchesFilter(own, filter));
}

import type { AssetPlan } from "../world/world.ts";
import type { FleetFormat } from "./format.ts";

/** How an asset is registered with the service. */
export interface Registration {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly projectId: string;
  readonly decoder: string;
  readonly hardwareId: string | undefined;
}

/** An edge node of Sparkplug B, an asset by itself, and the machines that it speaks for. */
export interface EdgeNodePlan {
  readonly registration: Registration;
  readonly group: string;
  readonly edgeNode: string;
  readonly assetIds: readonly string[];
}

/**
 * Machines behind one edge node at most; a larger site has more of them. All of a node share a connection and
 * its `seq`: more would queue behind each other.
 */
const MAX_DEVICES = 25;
/** Type of an edge node's asset. */
const EDGE_NODE = "edge_node";

/** The edge nodes of a fleet: one for every 25 machines of a project that speak Sparkplug. */
export function planEdgeNodes(
  plans: readonly AssetPlan[],
  formats: readonly FleetFormat[],
): readonly EdgeNodePlan[] {
  const speakers = plans.filter((_, i) => formats[i]?.transport === "sparkplug");
  const projectIds = [...new Set(speakers.map(({ projectId }) => projectId))];
  return projectIds.flatMap((projectId) => {
    const ids = speakers.filter((plan) => plan.projectId === projectId).map(({ id }) => id);
    return Array.from({ length: Math.ceil(ids.length / MAX_DEVICES) }, (_, i) => {
      const edgeNode = `edge-${i + 1}`;
      const registration = {
        ...{
          id: `${projectId}-${edgeNode}`,
          name: `Edge node ${i + 1}`,
          type: EDGE_NODE,
          projectId,
        },
        ...{ decoder: "sparkplug", hardwareId: `${projectId}/${edgeNode}` },
      };
      const assetIds = ids.slice(i * MAX_DEVICES, (i + 1) * MAX_DEVICES);
      return { registration, group: projectId, edgeNode, assetIds };
    });
  });
}

/** How a machine is registered: by what its device speaks, and through whom. */
export function registrationOf(
  { id, name, projectId, spec }: AssetPlan,
  format: FleetFormat,
  edgeNodes: readonly EdgeNodePlan[],
): Registration {
  const edgeNode = edgeNodes.find(({ assetIds }) => assetIds.includes(id));
  return {
    ...{ id, name, projectId, decoder: format.name },
    // A mapping is that of a type: one of the simulator's own, whatever is stored for real machines.
    type: format.mapping === undefined ? spec.type : mappedType(spec.type),
    hardwareId:
      edgeNode === undefined
        ? format.hardwareId?.(id)
        : `${edgeNode.registration.hardwareId}/${id}`,
  };
}

/** The type of machines whose payloads are read by the simulator's mapping. */
export const mappedType = (type: string): string => `${type}_mapped`;

/** Messages of an edge node itself; their topics end with its id (Sparkplug 3.0, section 4.1). */
const OF_NODES = ["NBIRTH", "NDEATH", "NDATA", "NCMD"] as const;
/** Messages about a device behind it; one more level names that. */
const OF_DEVICES = ["DBIRTH", "DDEATH", "DDATA", "DCMD"] as const;

export type SparkplugType = (typeof OF_NODES)[number] | (typeof OF_DEVICES)[number];

/** `spBv1.0/{group}/{type}/{edgeNode}`, or one level more where the message is about a device. */
export interface SparkplugTopic {
  readonly group: string;
  readonly type: SparkplugType;
  readonly edgeNode: string;
  /** `undefined`: the message is about the edge node itself. */
  readonly device: string | undefined;
}

/** First level of every topic of Sparkplug B. */
export const NAMESPACE = "spBv1.0";

/** Parses a topic of an edge node; `undefined` for anything else, `STATE` of a host too. */
export function parseSparkplugTopic(topic: string): SparkplugTopic | undefined {
  const [namespace, group = "", type = "", edgeNode = "", device, ...rest] = topic.split("/");
  if (namespace !== NAMESPACE || group === "" || edgeNode === "" || rest.length > 0) {
    return undefined;
  }
  const ofNode = OF_NODES.find((known) => known === type);
  if (ofNode !== undefined && device === undefined) {
    return { group, type: ofNode, edgeNode, device };
  }
  const ofDevice = OF_DEVICES.find((known) => known === type);
  if (ofDevice === undefined || device === undefined || device === "") return undefined;
  return { group, type: ofDevice, edgeNode, device };
}

/** What an edge node, or a device behind it, is registered with. */
export function sparkplugHardwareId(
  { group, edgeNode }: Pick<SparkplugTopic, "group" | "edgeNode">,
  device: string | undefined,
): string {
  return device === undefined ? `${group}/${edgeNode}` : `${group}/${edgeNode}/${device}`;
}

/** The edge node that is registered with that `hardware_id`; `undefined`: a device behind one, or no name. */
export function readEdgeNode(
  hardwareId: string | undefined,
): Pick<SparkplugTopic, "group" | "edgeNode"> | undefined {
  const [group, edgeNode, ...rest] = hardwareId?.split("/") ?? [];
  return group && edgeNode && rest.length === 0 ? { group, edgeNode } : undefined;
}

/** The `hardware_id` of the subject of a message on that topic. */
export function sparkplugSubject(topic: string): string | undefined {
  const parsed = parseSparkplugTopic(topic);
  return parsed && sparkplugHardwareId(parsed, parsed.device);
}

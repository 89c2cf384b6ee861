import { type AssetId, isId } from "./ids.ts";

/** MQTT topics of DESIGN section 4: `sites/{project}/assets/{asset}/{format}`. */
export interface DeviceTopic {
  /** Named by the device; never trusted for attribution, because machines move between sites. */
  readonly projectId: string;
  readonly assetId: string;
  /** `telemetry` for our JSON, `device` for what the asset is registered with, else the name of a decoder. */
  readonly format: string;
}

/** Last level of the topic whose format is the registration's. */
export const REGISTERED_FORMAT = "device";

/** Longest topic that intake reads, bytes; longer ones cannot be ours. */
export const MAX_TOPIC_BYTES = 256;

/** Parses a device topic; `undefined` for everything that is not exactly five well-formed levels. */
export function parseDeviceTopic(topic: string): DeviceTopic | undefined {
  if (topic.length > MAX_TOPIC_BYTES || !topic.startsWith("sites/")) return undefined;
  const levels = topic.split("/");
  const [, projectId, kind, assetId, format] = levels;
  if (levels.length !== 5 || kind !== "assets") return undefined;
  if (projectId === undefined || assetId === undefined || format === undefined) return undefined;
  if (!isId(projectId) || !isId(assetId) || !isId(format)) return undefined;
  return { projectId, assetId, format };
}

/**
 * Whether a topic or filter is out of every vendor's reach: ours (`sites/...`), or the broker's own
 * (`$SYS/...`, `$share/...`).
 */
export function isReservedTopic(topic: string): boolean {
  return topic.startsWith("$") || topic === "sites" || topic.startsWith("sites/");
}

/**
 * Whether a topic matches a filter, or everything that another filter matches does (MQTT 3.1.1, section
 * 4.7.1).
 */
export function matchesFilter(filter: string, topic: string): boolean {
  const wanted = filter.split("/");
  const levels = topic.split("/");
  for (const [i, level] of wanted.entries()) {
    // `a/#` matches `a` as well [MQTT-4.7.1-2].
    if (level === "#") return levels.length >= i;
    const given = levels[i];
    // Among filters, `+` is one level and `#` any number of them.
    if (given === undefined || given === "#") return false;
    if (level !== "+" && level !== given) return false;
  }
  return wanted.length === levels.length;
}

/** The topic printed beside an asset's credentials, for what its device speaks. */
export function deviceTopic({ projectId, assetId, format }: DeviceTopic): string {
  return `sites/${projectId}/assets/${assetId}/${format}`;
}

/** The filter of everything that devices publish under a project, in whatever format. */
export function projectFilter(projectId: string): string {
  return `sites/${projectId}/assets/+/+`;
}

/** Whether `filter` lies wholly under the device's own command topics, `sites/+/assets/{id}/cmd/#`. */
export function isOwnCommandFilter(filter: string, assetId: AssetId): boolean {
  const levels = filter.split("/");
  const [site, project, kind, asset, command] = levels;
  return (
    levels.length >= 6 &&
    site === "sites" &&
    kind === "assets" &&
    asset === assetId &&
    command === "cmd" &&
    project !== undefined &&
    (project === "+" || isId(project))
  );
}

/** Where the events of that type of a project are published. */
export function eventTopic(projectId: string, type: string): string {
  return `sites/${projectId}/events/${type}`;
}

/** The project of an event filter `sites/{project}/events/...`; `undefined` for any other filter. */
export function eventFilterProject(filter: string): string | undefined {
  const [site, project, kind, ...rest] = filter.split("/");
  if (site !== "sites" || kind !== "events" || rest.length === 0) return undefined;
  return project !== undefined && isId(project) ? project : undefined;
}

import { type AssetId, isId } from "../ids.ts";

/** MQTT topics of docs/mqtt.md: `sites/{project}/assets/{asset}/{format}`, or one level below. */
export interface DeviceTopic {
  /** Named by the device; never trusted for attribution, because machines move between sites. */
  readonly projectId: string;
  readonly assetId: string;
  /** `telemetry` for our JSON, `device` for what the asset is registered with, else the name of a decoder. */
  readonly format: string;
  /** The level below, such as `event` of OwnTracks; `undefined`: the topic ends with the format. */
  readonly below?: string;
}

/** Last level of the topic whose format is the registration's. */
export const REGISTERED_FORMAT = "device";

/**
 * Formats with topics one level below their own: the OwnTracks app sends messages other than locations
 * there.
 */
const FORMATS_WITH_LEVEL_BELOW: readonly string[] = ["owntracks", REGISTERED_FORMAT];

/** Longest topic that intake reads, bytes; longer ones cannot be ours. */
export const MAX_TOPIC_BYTES = 256;

/**
 * Parses a device topic; `undefined` for everything that is not exactly five well-formed levels, or six
 * where the format has a level below.
 */
export function parseDeviceTopic(topic: string): DeviceTopic | undefined {
  if (topic.length > MAX_TOPIC_BYTES || !topic.startsWith("sites/")) return undefined;
  const levels = topic.split("/");
  const [, projectId, kind, assetId, format, below, ...rest] = levels;
  if (kind !== "assets" || rest.length > 0) return undefined;
  if (projectId === undefined || assetId === undefined || format === undefined) return undefined;
  if (!isId(projectId) || !isId(assetId) || !isId(format)) return undefined;
  if (below === undefined) return { projectId, assetId, format };
  if (!isId(below) || !hasLevelBelow(format)) return undefined;
  return { projectId, assetId, format, below };
}

/** Whether devices that speak a format publish one level below its topic as well. */
export function hasLevelBelow(format: string): boolean {
  return FORMATS_WITH_LEVEL_BELOW.includes(format);
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

/**
 * Filters of everything that one asset publishes under a project, in whatever format; `+` for every
 * asset or project, or the broker's placeholder for it. No topic matches two of them, and none is a
 * command topic's.
 */
export function deviceFilters(projectId: string, assetId: string): readonly string[] {
  const base = `sites/${projectId}/assets/${assetId}`;
  return [`${base}/+`, ...FORMATS_WITH_LEVEL_BELOW.map((format) => `${base}/${format}/+`)];
}

/** Whether `filter` is for the device's own commands: of {@link commandsProject}, or under `.../cmd/`. */
export function isOwnCommandFilter(filter: string, assetId: AssetId): boolean {
  if (commandsProject(filter, assetId) !== undefined) return true;
  const levels = filter.split("/");
  return levels.length >= 6 && levels[4] === "cmd" && ownProject(levels, assetId) !== undefined;
}

/**
 * The project level, or `+`, of a filter that an asset's device gets its commands by:
 * `sites/{project}/assets/{id}/commands`, also with `/#` behind it. `undefined`: it is not such a
 * filter.
 */
export function commandsProject(filter: string, assetId: AssetId): string | undefined {
  const levels = filter.split("/");
  const [, , , , commands, below, ...rest] = levels;
  if (commands !== "commands" || rest.length > 0) return undefined;
  if (below !== undefined && below !== "#") return undefined;
  return ownProject(levels, assetId);
}

/** Where commands of our own format are published to an asset's device. */
export function commandTopic(projectId: string, assetId: AssetId): string {
  return `sites/${projectId}/assets/${assetId}/commands`;
}

/** The command that an asset's device answers on that topic; `undefined`: it is not such a topic of its own. */
export function answeredCommand(topic: string, assetId: AssetId): string | undefined {
  if (!topic.startsWith("sites/") || !topic.endsWith("/reply")) return undefined;
  const levels = topic.split("/");
  const [, project, , , commands, id, , ...rest] = levels;
  if (commands !== "commands" || rest.length > 0 || levels.length !== 7) return undefined;
  if (project === "+" || ownProject(levels, assetId) === undefined) return undefined;
  return id !== undefined && isId(id) ? id : undefined;
}

/** The project level, or `+`, of levels that begin with `sites/{project}/assets/{id}`. */
function ownProject(levels: readonly string[], assetId: AssetId): string | undefined {
  const [site, project, kind, asset] = levels;
  if (site !== "sites" || kind !== "assets" || asset !== assetId) return undefined;
  return project !== undefined && (project === "+" || isId(project)) ? project : undefined;
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

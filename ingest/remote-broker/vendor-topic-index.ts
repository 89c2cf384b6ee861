import { isReservedTopic, MAX_TOPIC_BYTES } from "../../domain/equipment/topics.ts";
import type { AssetId } from "../../domain/ids.ts";
import { namingFilters } from "../decoders/vendor-topics.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";

/** One level of filters: what comes below it, and whose filters end here. */
interface Level {
  readonly below: Map<string, Level>;
  readonly assets: Set<AssetId>;
}

const newLevel = (): Level => ({ below: new Map(), assets: new Set() });

/**
 * Finds assets by their vendors' own topics; follows the directory. Only filters that name the device
 * are in it, since here the topic is the identity.
 */
export class VendorTopicIndex {
  readonly #root = newLevel();
  readonly #filters = new Map<AssetId, readonly string[]>();

  constructor(directory: Pick<AssetDirectory, "entries" | "onChange">) {
    for (const entry of directory.entries()) this.#put(entry.asset.id, entry);
    directory.onChange((assetId, entry) => this.#put(assetId, entry));
  }

  /** What the asset publishes on beside our own topics. */
  filtersOf(assetId: AssetId): readonly string[] {
    return this.#filters.get(assetId) ?? [];
  }

  /** Every asset that claims the topic, each once; more than one: the sender is unknown. */
  find(topic: string): readonly AssetId[] {
    if (topic.length > MAX_TOPIC_BYTES || isReservedTopic(topic)) return [];
    const found = new Set<AssetId>();
    collect(this.#root, topic.split("/"), 0, found);
    return [...found];
  }

  #put(assetId: AssetId, entry: AssetEntry | undefined): void {
    for (const filter of this.filtersOf(assetId)) remove(this.#root, filter.split("/"), 0, assetId);
    const filters = entry === undefined ? [] : namingFilters(entry.asset);
    if (filters.length === 0) this.#filters.delete(assetId);
    else this.#filters.set(assetId, filters);
    for (const filter of filters) add(this.#root, filter, assetId);
  }
}

function add(root: Level, filter: string, assetId: AssetId): void {
  let level = root;
  for (const name of filter.split("/")) {
    const next = level.below.get(name) ?? newLevel();
    level.below.set(name, next);
    level = next;
  }
  level.assets.add(assetId);
}

/** Takes a filter out, with the levels that are not needed any more. */
function remove(level: Level, names: readonly string[], depth: number, assetId: AssetId): void {
  const name = names[depth];
  if (name === undefined) {
    level.assets.delete(assetId);
    return;
  }
  const next = level.below.get(name);
  if (next === undefined) return;
  remove(next, names, depth + 1, assetId);
  if (next.assets.size === 0 && next.below.size === 0) level.below.delete(name);
}

/** As `matchesFilter`, over all filters at once. */
function collect(level: Level, names: readonly string[], depth: number, found: Set<AssetId>): void {
  for (const assetId of level.below.get("#")?.assets ?? []) found.add(assetId);
  const name = names[depth];
  if (name === undefined) {
    for (const assetId of level.assets) found.add(assetId);
    return;
  }
  for (const wanted of [name, "+"]) {
    const next = level.below.get(wanted);
    if (next !== undefined) collect(next, names, depth + 1, found);
  }
}

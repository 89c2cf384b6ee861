import type { AssetRegistration, AssetStatus } from "../../../domain/equipment/asset.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { Project } from "../../../domain/project.ts";
import type { AssetState, LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import {
  assetStatus,
  type UtilizationNow,
  utilizationToday,
} from "../../../ingest/asset-state/asset-status.ts";
import type { AssetDirectory, AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import type { Zone } from "../../dependencies/dependencies.ts";
import { tagHash } from "../../representations/entity-tag.ts";
import { KeptAnswer } from "../../representations/kept-answer.ts";
import { keepValues } from "../../representations/kept-values.ts";
import { findAssetNow } from "./asset-now.ts";
import { type AssetNow, assetView } from "./asset-view.ts";

export interface AssetFilter {
  /** Absent: every project. */
  readonly projectIds: ReadonlySet<ProjectId> | undefined;
  readonly status: AssetStatus | undefined;
  readonly type: string | undefined;
  /** Part of the name or of the id, upper or lower case. */
  readonly search: string | undefined;
}

const OPEN = Buffer.from('{"data":[');
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]}");

/** Cards whose bytes are made and hashed together, so that one change costs them and not the whole list. */
const BLOCK_CARDS = 64;
/** Bytes of whole answers that are kept: nine lists of 10,000 machines. With compressed forms a quarter more. */
const KEPT_BYTES = 64 * 2 ** 20;

interface Card {
  entry: AssetEntry;
  project: Project;
  state: AssetState | undefined;
  zone: Zone | undefined;
  status: AssetStatus;
  utilizationToday: UtilizationNow;
  text: string;
  /** Registration or live state changed since `text` was made. */
  stale: boolean;
  /** In the order of its group. */
  place: number;
}

/** Some neighbours of a group. Bytes: Node writes them three times faster than a string. */
interface Block {
  readonly bytes: Buffer;
  readonly hash: string;
}

interface Group {
  project: Project;
  readonly cards: Card[];
  /** False after a card came or went: `cards` is out of order, `blocks` out of date. */
  sorted: boolean;
  blocks: Block[];
  /** Of all blocks. */
  hash: string;
  /** Cards whose live state changed. */
  readonly stale: Set<Card>;
  /** The second of the last update by the clock; -1: update now. */
  second: number;
}

/**
 * Every asset as ready JSON text. Serialising is most of what a list costs (bench/api.ts), so a text is kept
 * until something in it changes: the registration, the live state, or, with the clock, its status or
 * utilisation, which are checked once a second. Whole answers are kept too, under the hash of what is in them, so
 * that processes with the same machines give the same tags. Order: by project, then by registration.
 */
export class AssetCards {
  readonly #directory: AssetDirectory;
  readonly #live: LiveAssets;
  readonly #zoneOf: (assetId: AssetId) => Zone | undefined;
  readonly #now: () => number;
  readonly #cards = new Map<AssetId, Card>();
  readonly #groups = new Map<ProjectId, Group>();
  #projectOrder: readonly ProjectId[] = [];
  readonly #answers = keepValues<KeptAnswer>({
    most: KEPT_BYTES,
    weightOf: ({ bytes }) => bytes.length,
  });

  constructor(
    directory: AssetDirectory,
    live: LiveAssets,
    zoneOf: (assetId: AssetId) => Zone | undefined,
    now: () => number,
  ) {
    this.#directory = directory;
    this.#live = live;
    this.#zoneOf = zoneOf;
    this.#now = now;
    for (const entry of directory.entries()) this.#take(entry.asset.id, entry);
    directory.onChange((assetId, entry) => this.#take(assetId, entry));
    live.onChange((assetId) => {
      const card = this.#cards.get(assetId);
      if (card === undefined) return;
      card.stale = true;
      this.#groupOf(card.project).stale.add(card);
    });
  }

  /** The whole answer to a list of every asset of these projects. */
  answer(projectIds: ReadonlySet<ProjectId> | undefined): KeptAnswer {
    const groups = this.#visible(projectIds);
    const hash = joinedHash(groups.map((group) => group.hash));
    return this.#answers.getNow(hash, () => {
      const blocks = groups.flatMap((group) => group.blocks);
      const parts = blocks.flatMap(({ bytes }, i) => (i === 0 ? [bytes] : [COMMA, bytes]));
      return new KeptAnswer(Buffer.concat([OPEN, ...parts, CLOSE]), hash);
    });
  }

  /** The assets that pass, as they are now, each with its JSON. */
  select({
    projectIds,
    status,
    type,
    search,
  }: AssetFilter): readonly (AssetNow & { readonly text: string })[] {
    const wanted = search?.toLowerCase();
    return this.#visible(projectIds)
      .flatMap((group) => group.cards)
      .filter((card) => status === undefined || card.status === status)
      .filter((card) => type === undefined || card.entry.asset.type === type)
      .filter((card) => wanted === undefined || isNamed(card.entry.asset, wanted));
  }

  /** As {@link findAssetNow}. */
  find(assetId: AssetId): AssetNow | undefined {
    const sources = { directory: this.#directory, live: this.#live, zoneOf: this.#zoneOf };
    return findAssetNow({ ...sources, now: this.#now }, assetId);
  }

  /** An asset of which nothing is known but its registration, which need not be stored yet. */
  ofNew(asset: AssetRegistration, project: Project): AssetNow {
    return {
      entry: { asset },
      project,
      state: undefined,
      zone: undefined,
      status: assetStatus(asset, undefined, this.#now()),
      utilizationToday: utilizationToday(project, undefined, this.#now()),
    };
  }

  #groupOf(project: Project): Group {
    const known = this.#groups.get(project.id);
    if (known !== undefined) return known;
    const group: Group = {
      project,
      cards: [],
      sorted: true,
      blocks: [],
      hash: "",
      stale: new Set(),
      second: -1,
    };
    this.#groups.set(project.id, group);
    this.#projectOrder = [...this.#groups.keys()].sort();
    return group;
  }

  #take(assetId: AssetId, entry: AssetEntry | undefined): void {
    const old = this.#cards.get(assetId);
    if (old !== undefined) {
      const group = this.#groupOf(old.project);
      group.cards.splice(group.cards.indexOf(old), 1);
      group.stale.delete(old);
      group.sorted = false;
      this.#cards.delete(assetId);
    }
    if (entry === undefined) return;
    const group = this.#groupOf(entry.project);
    const card: Card = {
      entry,
      project: group.project,
      state: undefined,
      zone: undefined,
      status: "idle",
      utilizationToday: utilizationToday(entry.project, undefined, this.#now()),
      text: "",
      stale: true,
      place: group.cards.length,
    };
    this.#cards.set(assetId, card);
    group.cards.push(card);
    group.sorted = false;
  }

  /** Brings one card up to date; returns whether its text changed. */
  #refreshCard(card: Card, project: Project, nowMs: number): boolean {
    const { asset } = card.entry;
    if (card.stale) card.state = this.#live.state(asset.id);
    const zone = this.#zoneOf(asset.id);
    const status = assetStatus(asset, card.state, nowMs);
    const utilization = utilizationToday(project, card.state, nowMs);
    const same =
      !card.stale &&
      status === card.status &&
      isEqual(utilization, card.utilizationToday) &&
      zone?.name === card.zone?.name;
    card.zone = zone;
    if (same) return false;
    card.stale = false;
    card.project = project;
    card.status = status;
    card.utilizationToday = utilization;
    card.text = JSON.stringify(assetView(card));
    return true;
  }

  #refresh(group: Group): void {
    const nowMs = this.#now();
    const second = Math.floor(nowMs / 1000);
    const project = this.#directory.project(group.project.id) ?? group.project;
    if (project !== group.project) {
      // Its location, shift or time zone may show in every asset.
      for (const card of group.cards) card.stale = true;
      group.second = -1;
    }
    group.project = project;
    const isOrdered = group.sorted;
    if (!isOrdered) {
      group.cards.sort(byRegistration);
      for (const [place, card] of group.cards.entries()) card.place = place;
      group.sorted = true;
    }
    const isDue = !isOrdered || group.second !== second;
    const changed = new Set<number>();
    for (const card of isDue ? group.cards : group.stale) {
      if (this.#refreshCard(card, project, nowMs)) changed.add(blockOf(card));
    }
    group.stale.clear();
    group.second = second;
    if (!isOrdered) makeAllBlocks(group);
    else if (changed.size > 0) makeBlocks(group, changed);
  }

  #visible(projectIds: ReadonlySet<ProjectId> | undefined): Group[] {
    const found: Group[] = [];
    for (const projectId of this.#projectOrder) {
      const group = this.#groups.get(projectId);
      if (group === undefined || group.cards.length === 0) continue;
      if (projectIds !== undefined && !projectIds.has(projectId)) continue;
      this.#refresh(group);
      found.push(group);
    }
    return found;
  }
}

/** `wanted` in lower case. */
const isNamed = ({ name, id }: AssetRegistration, wanted: string): boolean =>
  name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted);

const isEqual = (a: UtilizationNow, b: UtilizationNow): boolean =>
  a.percent === b.percent &&
  a.lower === b.lower &&
  a.upper === b.upper &&
  a.basis === b.basis &&
  a.seen === b.seen;

const blockOf = ({ place }: Card): number => Math.floor(place / BLOCK_CARDS);

function makeAllBlocks(group: Group): void {
  const count = Math.ceil(group.cards.length / BLOCK_CARDS);
  group.blocks = [];
  makeBlocks(group, Array.from({ length: count }).keys());
}

function makeBlocks(group: Group, indices: Iterable<number>): void {
  for (const i of indices) {
    const cards = group.cards.slice(i * BLOCK_CARDS, (i + 1) * BLOCK_CARDS);
    const text = cards.map((card) => card.text).join(",");
    group.blocks[i] = { bytes: Buffer.from(text), hash: tagHash(text) };
  }
  group.hash = joinedHash(group.blocks.map((block) => block.hash));
}

/** One hash stands for itself, so that it is the same with one project as with all of one. */
function joinedHash(hashes: readonly string[]): string {
  const [first = tagHash(""), ...others] = hashes;
  return others.length === 0 ? first : tagHash(hashes.join());
}

function byRegistration(a: Card, b: Card): number {
  const left = `${a.entry.asset.created_at} ${a.entry.asset.id}`;
  const right = `${b.entry.asset.created_at} ${b.entry.asset.id}`;
  return left < right ? -1 : 1;
}

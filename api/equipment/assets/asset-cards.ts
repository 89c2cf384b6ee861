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
const EMPTY = Buffer.concat([OPEN, CLOSE]);

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
}

interface Group {
  project: Project;
  readonly cards: Card[];
  /** False after a card came or went: `cards` is out of order, `text` out of date. */
  sorted: boolean;
  /** `{"data":[...]}` of all cards. Bytes: Node writes them three times faster than a string. */
  answer: Buffer;
  /** The second of the last update by the clock; -1: update now. */
  second: number;
}

/**
 * Every asset as ready JSON text. Serialising is most of what a list costs (bench/api.ts), so a text is kept
 * until something in it changes: the registration, the live state, or, with the clock, its status or
 * utilisation, which are checked once a second. Order: by project, then by registration.
 */
export class AssetCards {
  readonly #directory: AssetDirectory;
  readonly #live: LiveAssets;
  readonly #zoneOf: (assetId: AssetId) => Zone | undefined;
  readonly #now: () => number;
  readonly #cards = new Map<AssetId, Card>();
  readonly #groups = new Map<ProjectId, Group>();
  #projectOrder: readonly ProjectId[] = [];

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
      this.#groupOf(card.project).second = -1;
    });
  }

  /** The whole answer to a list of every asset of these projects. */
  answer(projectIds: ReadonlySet<ProjectId> | undefined): Buffer {
    const seen = this.#visible(projectIds);
    const [only] = seen;
    if (only === undefined) return EMPTY;
    if (seen.length === 1) return only.answer;
    const parts = seen.flatMap((group, i) => [i === 0 ? OPEN : COMMA, insideOf(group.answer)]);
    return Buffer.concat([...parts, CLOSE]);
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
    const group: Group = { project, cards: [], sorted: true, answer: EMPTY, second: -1 };
    this.#groups.set(project.id, group);
    this.#projectOrder = [...this.#groups.keys()].sort();
    return group;
  }

  #take(assetId: AssetId, entry: AssetEntry | undefined): void {
    const old = this.#cards.get(assetId);
    if (old !== undefined) {
      const group = this.#groupOf(old.project);
      group.cards.splice(group.cards.indexOf(old), 1);
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
    if (group.sorted && group.second === second) return;
    let changed = !group.sorted;
    if (changed) group.cards.sort(byRegistration);
    group.sorted = true;
    for (const card of group.cards) changed = this.#refreshCard(card, project, nowMs) || changed;
    if (changed) group.answer = answerOf(group.cards);
    group.second = second;
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

function answerOf(cards: readonly Card[]): Buffer {
  return Buffer.from(`${OPEN}${cards.map((card) => card.text).join(",")}${CLOSE}`);
}

/** The assets of an answer without the frame around them. */
function insideOf(answer: Buffer): Buffer {
  return answer.subarray(OPEN.length, answer.length - CLOSE.length);
}

function byRegistration(a: Card, b: Card): number {
  const left = `${a.entry.asset.created_at} ${a.entry.asset.id}`;
  const right = `${b.entry.asset.created_at} ${b.entry.asset.id}`;
  return left < right ? -1 : 1;
}

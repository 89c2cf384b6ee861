import { randomBytes } from "node:crypto";
import type { AssetStatus } from "../../domain/equipment/asset.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetState, LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import { assetStatus } from "../../ingest/asset-state/asset-status.ts";
import type { AssetDirectory, AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { liveRow } from "./live-row.ts";
import type { LiveScope } from "./live-scope.ts";

/** Least time between two messages of positions, ms: shorter is more work for each reader, longer shows older places. */
const TICK_MS = 1_000;
/**
 * Rows made, and readers written to, before other work of the process gets its turn: a few ms of the event loop.
 * More delays intake in the same process; fewer are more turns.
 */
const ROWS_AT_ONCE = 50;
const READERS_AT_ONCE = 10;
/**
 * Machines that left a project, which readers behind them are still told of; those further behind get a snapshot.
 * More is memory; fewer are more snapshots after a large fleet was removed.
 */
const MAX_LEFT = 10_000;

/** Messages kept between two changes. Fewer are made again for each reader; more is memory, 80 kB for 1,000 rows. */
const MAX_MESSAGES = 50;

interface Row {
  entry: AssetEntry;
  state: AssetState | undefined;
  status: AssetStatus;
  text: string;
  /** The change that made `text`. */
  change: number;
}

/** A machine that was deleted or went to another project. */
interface Left {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly change: number;
}

export interface LiveFleetOptions {
  readonly directory: Pick<AssetDirectory, "find" | "entries" | "onChange">;
  readonly live: LiveAssets;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  /** Called with what a turn or a reader of it failed by; the next turn goes on. */
  readonly onError: (error: unknown) => void;
  readonly tickMs?: number;
}

/**
 * The rows of all machines, brought up to date once a second while somebody reads them, and what changed since any
 * earlier change. Rows are numbered by changes of this process; nothing is kept of a row but its newest text, so a
 * reader that is behind gets what is new in one message, however long it was away.
 */
export class LiveFleet {
  readonly #options: LiveFleetOptions;
  /** Tells the changes of one process from those of others, and from those before its start. */
  readonly #run = randomBytes(6).toString("base64url");
  readonly #rows = new Map<AssetId, Row>();
  readonly #stale = new Set<AssetId>();
  readonly #listeners = new Set<() => void>();
  /** Messages made since the last change, by where they begin and whom they are for. */
  readonly #messages = new Map<string, Buffer | undefined>();
  #left: Left[] = [];
  /** What left up to this change may be forgotten. */
  #floor = 0;
  #change = 0;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveFleetOptions) {
    this.#options = options;
    const { directory, live } = options;
    for (const { asset } of directory.entries()) this.#stale.add(asset.id);
    directory.onChange((assetId) => this.#stale.add(assetId));
    live.onChange((assetId) => this.#stale.add(assetId));
  }

  /** The newest change. */
  get change(): number {
    return this.#change;
  }

  /** The name of the rows that a scope sees, as this process counts their changes. */
  viewOf(scope: LiveScope): string {
    return `${this.#run}${scope.name}`;
  }

  /** Calls `tick` after every turn, once a second; yields what ends that. */
  subscribe(tick: () => void): () => void {
    this.#listeners.add(tick);
    this.#timer ??= setInterval(() => this.#turn(), this.#options.tickMs ?? TICK_MS);
    return () => {
      this.#listeners.delete(tick);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Resolves when the rows are at most a second old. */
  async ready(): Promise<void> {
    if (this.#timer === undefined || this.#change === 0) await this.#refresh();
    else await this.#refreshing;
  }

  /** The message `snapshot`, without its id: every machine of the scope. */
  snapshot(scope: LiveScope): Buffer {
    return this.#made(`snapshot ${scope.key}`, () => {
      const head = { view: this.viewOf(scope), change: this.#change };
      const rows = this.#rowsAfter(-1, scope);
      return Buffer.from(
        `event: snapshot\ndata: ${JSON.stringify(head).slice(0, -1)},"rows":[${rows.join(",")}]}\n\n`,
      );
    }) as Buffer;
  }

  /**
   * The message `positions`, without its id, with the rows that changed after `change`, for a client whose last
   * message was of `from`; `undefined`: nothing that the scope sees. A snapshot where it is not known any more what left.
   */
  since(change: number, from: number, scope: LiveScope): Buffer | undefined {
    if (change < this.#floor || change > this.#change) return this.snapshot(scope);
    return this.#made(`${change} ${from} ${scope.key}`, () => {
      const rows = this.#rowsAfter(change, scope);
      const gone = this.#goneAfter(change, scope);
      if (rows.length === 0 && gone.length === 0) return undefined;
      const head = { view: this.viewOf(scope), from, change: this.#change };
      const tail = JSON.stringify(gone);
      return Buffer.from(
        `event: positions\ndata: ${JSON.stringify(head).slice(0, -1)},"rows":[${rows.join(",")}],"gone":${tail}}\n\n`,
      );
    });
  }

  #made(name: string, make: () => Buffer | undefined): Buffer | undefined {
    if (this.#messages.has(name)) return this.#messages.get(name);
    const made = make();
    // Clients name any earlier change they like.
    if (this.#messages.size >= MAX_MESSAGES) this.#messages.clear();
    // Rows that are being made belong to the change that comes next.
    if (this.#refreshing === undefined) this.#messages.set(name, made);
    return made;
  }

  #rowsAfter(change: number, scope: LiveScope): readonly string[] {
    const texts: string[] = [];
    for (const row of this.#rows.values()) {
      if (row.change > change && scope.sees(row.entry.asset.project_id)) texts.push(row.text);
    }
    return texts;
  }

  #goneAfter(change: number, scope: LiveScope): readonly AssetId[] {
    const gone = this.#left
      .filter((left) => left.change > change && scope.sees(left.projectId))
      .filter(({ assetId }) => {
        const row = this.#rows.get(assetId);
        return row === undefined || !scope.sees(row.entry.asset.project_id);
      });
    return [...new Set(gone.map(({ assetId }) => assetId))];
  }

  #turn(): void {
    // The last one is not over yet: the machine has more to do than there is time.
    if (this.#refreshing !== undefined) return;
    this.#refresh()
      .then(() => this.#callListeners())
      .catch(this.#options.onError);
  }

  async #callListeners(): Promise<void> {
    let called = 0;
    for (const tick of [...this.#listeners]) {
      if (!this.#listeners.has(tick)) continue;
      try {
        tick();
      } catch (error) {
        this.#options.onError(error);
      }
      called += 1;
      if (called % READERS_AT_ONCE === 0) await nextTurn();
    }
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#takeChanges().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #takeChanges(): Promise<void> {
    const next = this.#change + 1;
    const { directory, now } = this.#options;
    const stale = [...this.#stale];
    this.#stale.clear();
    let hasChanged = false;
    let done = 0;
    const pause = async () => {
      done += 1;
      if (done % ROWS_AT_ONCE === 0) await nextTurn();
    };
    for (const assetId of stale) {
      hasChanged = this.#renew(assetId, next) || hasChanged;
      await pause();
    }
    // What changes with the clock, or with the project, of machines that reported nothing.
    const nowMs = now();
    let checked = 0;
    for (const [assetId, row] of this.#rows) {
      const isSame =
        directory.find(assetId) === row.entry &&
        assetStatus(row.entry.asset, row.state, nowMs) === row.status;
      if (!isSame) hasChanged = this.#renew(assetId, next) || hasChanged;
      checked += 1;
      if (checked % (20 * ROWS_AT_ONCE) === 0) await nextTurn();
    }
    if (!hasChanged) return;
    this.#change = next;
    this.#messages.clear();
  }

  /** Makes one row again; yields whether that changed what readers see. */
  #renew(assetId: AssetId, change: number): boolean {
    const { directory, live, now } = this.#options;
    const row = this.#rows.get(assetId);
    const entry = directory.find(assetId);
    const before = row?.entry.asset.project_id;
    const hasLeft = before !== undefined && before !== entry?.asset.project_id;
    if (hasLeft) this.#leave({ assetId, projectId: before, change });
    if (entry === undefined) {
      this.#rows.delete(assetId);
      return hasLeft;
    }
    const state = live.state(assetId);
    const status = assetStatus(entry.asset, state, now());
    const text = JSON.stringify(liveRow(entry, state, status));
    if (row === undefined) {
      this.#rows.set(assetId, { entry, state, status, text, change });
      return true;
    }
    const isSame = text === row.text && !hasLeft;
    Object.assign(row, { entry, state, status, text, ...(isSame ? {} : { change }) });
    return !isSame;
  }

  #leave(left: Left): void {
    this.#left.push(left);
    if (this.#left.length <= 2 * MAX_LEFT) return;
    this.#floor = this.#left.at(-MAX_LEFT - 1)?.change ?? this.#floor;
    this.#left = this.#left.slice(-MAX_LEFT);
  }
}

/** Lets sockets and timers have their turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

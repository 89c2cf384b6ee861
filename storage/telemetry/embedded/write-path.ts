import { DomainError } from "../../../domain/errors.ts";
import type { JournalPosition } from "../../ports/journal.ts";
import type { PointColumns, PointRun } from "../../ports/telemetry-store.ts";
import { MAX_ASSETS } from "./blocks/period.ts";
import type { CatalogContent } from "./lmdb/catalog.ts";
import { Numbering } from "./lmdb/numbering.ts";
import { MAX_RECORD, Memtable } from "./sealing/memtable.ts";
import { FIRST_RECORD, VALUES_AT } from "./sealing/memtable-layout.ts";
import type { SealThread } from "./sealing/seal-thread.ts";
import type { SealRequest } from "./sealing/sealer.ts";

/** Fields a point is expected to have; with more, a memtable is full before its number of points. */
const USUAL_FIELDS = 11;
/** Beyond this a JavaScript date cannot go, ms before or after 1970. */
const MAX_TIME_MS = 8.64e15;
/** Memtables that exist at once without a slow reader: one that takes points, one that is sealed. */
const BUFFERS = 2;

export interface WritePathOptions {
  readonly thread: SealThread;
  readonly stored: CatalogContent;
  readonly memoryPoints: number;
  readonly sealAfterMs: number;
  readonly retryMs: number;
  /** Called when a seal has reached the disk, before its memtable is let go. */
  readonly onSealed: (periods: readonly number[]) => void;
}

/**
 * Takes points into the active memtable and has full or old memtables sealed.
 *
 * At most one memtable is being sealed. States of sealing: none -> running -> none, or running ->
 * failed -> running (again after `retryMs`, for as long as it takes; nothing is lost meanwhile).
 * A write waits while the active memtable is full and a seal runs, and is refused while it has
 * failed. Batches are taken in the order of their calls, so that a position never passes points.
 */
export class WritePath {
  readonly assets: Numbering;
  readonly projects: Numbering;
  private readonly options: WritePathOptions;
  private readonly buffers: SharedArrayBuffer[] = [];
  private readonly listeners: ((position: JournalPosition) => void)[] = [];
  private active: Memtable;
  private sealing: Memtable | undefined;
  private failure: DomainError | undefined;
  private durable: JournalPosition | undefined;
  /** The position of the last batch, or the one that was stored. */
  private latest: JournalPosition | undefined;
  private ageTimer: NodeJS.Timeout | undefined;
  private isOverdue = false;
  private retryTimer: NodeJS.Timeout | undefined;
  private waiters: (() => void)[] = [];
  private queued = 0;
  private tail: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(options: WritePathOptions) {
    this.options = options;
    this.assets = new Numbering("asset", MAX_ASSETS, options.stored.names);
    this.projects = new Numbering("project", 2 ** 32, options.stored.names);
    this.durable = options.stored.position;
    this.latest = this.durable;
    this.active = this.createMemtable();
  }

  get durablePosition(): JournalPosition | undefined {
    return this.durable;
  }

  onDurable(listener: (position: JournalPosition) => void): void {
    this.listeners.push(listener);
  }

  /** The memtables whose points may not be in LMDB yet, kept alive until `release`. */
  retainMemtables(): readonly Memtable[] {
    const held = this.sealing === undefined ? [this.active] : [this.sealing, this.active];
    for (const memtable of held) memtable.retain();
    return held;
  }

  async write(points: PointRun, position: JournalPosition): Promise<void> {
    if (this.closed) throw unavailable("the telemetry store is closed");
    if (this.queued === 0 && this.take(points)) {
      this.mark(position);
      return;
    }
    this.queued += 1;
    const turn = this.tail.then(() => this.writeRest(points, position));
    this.tail = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      await turn;
    } finally {
      this.queued -= 1;
    }
  }

  async flush(): Promise<void> {
    await this.tail;
    const target = this.active;
    for (;;) {
      if (this.sealing === undefined) {
        if (this.active !== target || !target.isDirty) return;
        this.rotate();
      }
      await this.nextOutcome();
      if (this.failure !== undefined) throw this.failure;
    }
  }

  /** Seals what there is; what cannot be sealed is left to the replay of the journal. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      this.closed = true;
      clearTimeout(this.ageTimer);
      clearTimeout(this.retryTimer);
      this.settleWaiters();
    }
  }

  private async writeRest(points: PointRun, position: JournalPosition): Promise<void> {
    while (!this.take(points)) {
      if (this.closed) throw unavailable("the telemetry store is closed");
      if (this.failure !== undefined) throw this.failure;
      await this.nextOutcome();
    }
    this.mark(position);
  }

  /** Takes points as long as there is room; whether that was all of them. */
  private take(points: PointRun): boolean {
    for (let { point } = points; point !== undefined; { point } = points) {
      if (this.active.isFull) {
        if (this.sealing !== undefined) return false;
        this.rotate();
      }
      checkTime(point);
      this.active.append(point, this.assets.of(point.assetId), this.projects.of(point.projectId));
      points.next();
    }
    return true;
  }

  private mark(position: JournalPosition): void {
    this.latest = later(this.latest, position);
    this.active.position = this.latest;
    this.active.isDirty = true;
    if (this.active.isFull && this.sealing === undefined) this.rotate();
    else this.startAgeTimer();
  }

  private startAgeTimer(): void {
    if (this.ageTimer !== undefined || this.isOverdue) return;
    this.ageTimer = setTimeout(() => {
      this.ageTimer = undefined;
      this.isOverdue = true;
      if (this.sealing === undefined) this.rotate();
    }, this.options.sealAfterMs);
    this.ageTimer.unref();
  }

  private rotate(): void {
    clearTimeout(this.ageTimer);
    this.ageTimer = undefined;
    this.isOverdue = false;
    const memtable = this.active;
    this.sealing = memtable;
    this.active = this.createMemtable();
    const names = [...this.assets.takeFresh(), ...this.projects.takeFresh()];
    void this.seal(memtable, { heap: memtable.seal(), names, position: memtable.position });
  }

  private async seal(memtable: Memtable, request: SealRequest): Promise<void> {
    try {
      const periods = await this.options.thread.seal(request);
      this.failure = undefined;
      this.options.onSealed(periods);
      this.sealing = undefined;
      memtable.release();
      this.announce(request.position);
      if (this.isOverdue || this.active.isFull) this.rotate();
    } catch (cause) {
      this.failure = unavailable("telemetry cannot be stored", cause);
      if (!this.closed) {
        this.retryTimer = setTimeout(() => void this.seal(memtable, request), this.options.retryMs);
        this.retryTimer.unref();
      }
    }
    this.settleWaiters();
  }

  private announce(position: JournalPosition | undefined): void {
    if (position === undefined) return;
    this.durable = position;
    for (const listener of this.listeners) listener(position);
  }

  /** Resolves when the next attempt to seal has succeeded or failed. */
  private nextOutcome(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  private settleWaiters(): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const resolve of waiters) resolve();
  }

  private createMemtable(): Memtable {
    const { memoryPoints } = this.options;
    const doubles = Math.max(
      memoryPoints * (VALUES_AT + USUAL_FIELDS),
      FIRST_RECORD + 2 * MAX_RECORD,
    );
    // Heaps are used again: the sealing thread may hold on to a dropped one until it collects garbage.
    const buffer = this.buffers.pop() ?? new SharedArrayBuffer(doubles * 8);
    return new Memtable(buffer, memoryPoints, () => {
      if (this.buffers.length < BUFFERS) this.buffers.push(buffer);
    });
  }
}

function later(known: JournalPosition | undefined, next: JournalPosition): JournalPosition {
  const isOlder = known?.journalId === next.journalId && known.sequence > next.sequence;
  return isOlder ? known : next;
}

function unavailable(message: string, cause?: unknown): DomainError {
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return new DomainError("STORE_UNAVAILABLE", reason, { cause });
}

function checkTime({ fixTimeMs }: PointColumns): void {
  if (!Number.isInteger(fixTimeMs) || Math.abs(fixTimeMs) > MAX_TIME_MS) {
    throw new RangeError(`not a fix time: ${fixTimeMs}`);
  }
}

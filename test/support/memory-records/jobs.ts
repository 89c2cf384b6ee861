import { DomainError } from "../../../domain/errors.ts";
import type {
  Attempt,
  Job,
  JobOutline,
  JobRecords,
  KindLoad,
  NewPlace,
} from "../../../storage/ports/platform/jobs.ts";
import type { JobRow, MemoryRows } from "./rows.ts";

/** The queue in memory, timed by `now`. Rows are in the order of their creation. */
export function createMemoryJobs({ jobs: rows }: MemoryRows, now: () => number): JobRecords {
  let turn = 0;
  /** The last turn of each project. */
  const turns = new Map<JobRow["projectId"], number>();
  const lastTurn = ({ projectId }: JobRow): number => turns.get(projectId) ?? 0;
  const all = (): JobRow[] => [...rows.values()];
  const isOpen = ({ state }: JobRow): boolean => state === "queued" || state === "running";

  function running({ id, runner, attempts }: Attempt): JobRow | undefined {
    const row = rows.get(id);
    const isMine = row?.state === "running" && row.runner === runner && row.attempts === attempts;
    return isMine ? row : undefined;
  }

  function settle(attempt: Attempt, change: Partial<JobRow>): boolean {
    const row = running(attempt);
    if (row === undefined) return false;
    Object.assign(row, { runner: undefined }, change);
    return true;
  }

  function placeOf(before: JobRow["id"] | NewPlace): Place | undefined {
    if (typeof before === "object") return before;
    const row = rows.get(before);
    return row && { ...row, row };
  }

  const again = ({ id }: Attempt): Partial<JobRow> =>
    rows.get(id)?.cancelRequested === true
      ? { state: "canceled", finishedAtMs: now() }
      : { state: "queued" };

  const joinable = ({ dedupeKey, joinCompletedMs }: Parameters<JobRecords["joinable"]>[0]) =>
    all().find(
      (row) =>
        dedupeKey !== undefined &&
        row.dedupeKey === dedupeKey &&
        (row.state === "completed"
          ? (row.finishedAtMs ?? 0) > now() - joinCompletedMs
          : isOpen(row) && !row.cancelRequested),
    );

  return {
    async add({ joinCompletedMs, ...job }) {
      const met = joinable({ dedupeKey: job.dedupeKey, joinCompletedMs });
      if (met !== undefined) return { job: seen(met), joined: true };
      const row: JobRow = {
        ...job,
        input: copied(job.input),
        state: "queued",
        attempts: 0,
        runner: undefined,
        stage: "",
        progress: 0,
        cancelRequested: false,
        result: undefined,
        error: undefined,
        createdAtMs: now(),
        notBeforeMs: now(),
        startedAtMs: undefined,
        finishedAtMs: undefined,
        heartbeatAtMs: 0,
      };
      rows.set(job.id, row);
      return { job: seen(row), joined: false };
    },

    async joinable(job) {
      const met = joinable(job);
      return met && seen(met);
    },

    async find(id) {
      const row = rows.get(id);
      return row && seen(row);
    },

    async outlines(ids) {
      return all()
        .filter(({ id }) => ids.includes(id))
        .map(outlineOf);
    },

    async underway({ endedWithinMs, limit }) {
      const isRecent = ({ finishedAtMs = 0 }: JobRow) => finishedAtMs > now() - endedWithinMs;
      const over = all().filter((row) => !isOpen(row) && isRecent(row));
      return [...all().filter(isOpen).slice(-limit), ...over.slice(-limit)].map(outlineOf);
    },

    async list({ projectIds, kinds, states, isReversed = false, limit, offset }) {
      const found = (isReversed ? all() : all().reverse()).filter(
        ({ projectId, kind, state }) =>
          (projectIds === undefined ||
            (projectId !== undefined && projectIds.includes(projectId))) &&
          (kinds === undefined || kinds.includes(kind)) &&
          (states === undefined || states.includes(state)),
      );
      return { jobs: found.slice(offset, offset + limit).map(outlineOf), total: found.length };
    },

    async claim(runner, kinds) {
      const open = all().filter(isOpen);
      const [next] = open
        .filter(
          ({ state, kind, notBeforeMs }) =>
            state === "queued" && kinds.includes(kind) && notBeforeMs <= now(),
        )
        .filter(
          (row) => row.lane === undefined || open.find(({ lane }) => lane === row.lane) === row,
        )
        .sort((a, b) => lastTurn(a) - lastTurn(b) || b.priority - a.priority);
      if (next === undefined) return undefined;
      turn += 1;
      turns.set(next.projectId, turn);
      Object.assign(next, { state: "running", runner, startedAtMs: now(), heartbeatAtMs: now() });
      next.attempts += 1;
      return seen(next);
    },

    async beat(beats) {
      return beats.flatMap((beat) => {
        const row = running(beat);
        if (row === undefined) return [];
        row.heartbeatAtMs = now();
        row.stage = beat.stage;
        row.progress = Math.max(row.progress, beat.progress);
        return [{ id: row.id, cancelRequested: row.cancelRequested }];
      });
    },

    wishes: async (runner) =>
      all()
        .filter((row) => row.state === "running" && row.runner === runner)
        .map(({ id, cancelRequested }) => ({ id, cancelRequested })),

    complete: async (attempt, result) =>
      settle(attempt, {
        state: "completed",
        progress: 100,
        result: copied(result),
        error: undefined,
        finishedAtMs: now(),
      }),

    fail: async (attempt, error, retryInMs) =>
      retryInMs === undefined
        ? settle(attempt, { state: "failed", error, finishedAtMs: now() })
        : settle(attempt, { ...again(attempt), error, notBeforeMs: now() + retryInMs }),

    wait: async (attempt, error, { inMs, stage }) => {
      const maxAttempts = (rows.get(attempt.id)?.maxAttempts ?? 0) + 1;
      const notBeforeMs = now() + inMs;
      return settle(attempt, { ...again(attempt), error, stage, notBeforeMs, maxAttempts });
    },

    cancel: async (attempt) => settle(attempt, { state: "canceled", finishedAtMs: now() }),

    release: async (attempt) =>
      settle(attempt, { ...again(attempt), attempts: attempt.attempts - 1 }),

    async requestCancel(id) {
      const row = rows.get(id);
      if (row === undefined) throw new DomainError("JOB_NOT_FOUND", id);
      if (isOpen(row)) row.cancelRequested = true;
      if (row.state === "queued") Object.assign(row, { state: "canceled", finishedAtMs: now() });
      return seen(row);
    },

    async requeueLost(silentMs, error) {
      const lost = all().filter(
        ({ state, heartbeatAtMs }) => state === "running" && heartbeatAtMs <= now() - silentMs,
      );
      for (const row of lost) {
        row.runner = undefined;
        row.state = row.cancelRequested
          ? "canceled"
          : row.attempts >= row.maxAttempts
            ? "failed"
            : "queued";
        if (row.state === "failed") row.error = error;
        if (row.state !== "queued") row.finishedAtMs = now();
      }
      return lost.length;
    },

    async load({ lane, projectId, before } = {}) {
      const kinds = [...new Set(all().map(({ kind }) => kind))].sort();
      const counts = (row: JobRow): boolean =>
        (lane === undefined || row.lane === lane) &&
        (projectId === undefined || row.projectId === projectId) &&
        (before === undefined || goesBefore(row, placeOf(before), all().filter(isOpen)));
      return kinds.map((kind) => loadOf(kind, all(), counts));
    },

    async expire(beforeMs) {
      for (const { id, finishedAtMs = Infinity } of all()) {
        if (finishedAtMs < beforeMs) rows.delete(id);
      }
      return false;
    },
  };
}

type Place = NewPlace & { readonly row?: JobRow };

function goesBefore(row: JobRow, place: Place | undefined, open: readonly JobRow[]): boolean {
  if (place === undefined || row === place.row) return false;
  const number = (one: JobRow | undefined) => (one === undefined ? Infinity : open.indexOf(one));
  if (row.lane !== undefined && row.lane === place.lane) return number(row) < number(place.row);
  if (row.state === "running") return true;
  const turnOf = (one: NewPlace, own: JobRow | undefined): number =>
    open.filter(
      (other) =>
        other.projectId === one.projectId &&
        (other.priority > one.priority ||
          (other.priority === one.priority && number(other) < number(own))),
    ).length;
  return (
    turnOf(row, row) < turnOf(place, place.row) ||
    (turnOf(row, row) === turnOf(place, place.row) && number(row) < number(place.row))
  );
}

function loadOf(kind: string, rows: readonly JobRow[], counts: (row: JobRow) => boolean): KindLoad {
  const mine = rows.filter((row) => row.kind === kind);
  const inState = (state: JobRow["state"]): readonly JobRow[] =>
    mine.filter((row) => row.state === state && counts(row));
  const recent = mine
    .filter(({ state }) => state === "completed")
    .filter(({ attempts }) => attempts === 1)
    .sort((a, b) => (b.finishedAtMs ?? 0) - (a.finishedAtMs ?? 0))
    .slice(0, 20);
  const units = sum(recent.map(({ workUnits }) => workUnits));
  const ranMs = recent.map(({ startedAtMs = 0, finishedAtMs = 0 }) => finishedAtMs - startedAtMs);
  return {
    kind,
    queued: inState("queued").length,
    running: inState("running").length,
    unitsLeft: sum(
      [...inState("queued"), ...inState("running")].map(
        ({ workUnits, progress }) => workUnits * (1 - progress / 100),
      ),
    ),
    secondsPerUnit: units === 0 ? undefined : sum(ranMs) / 1_000 / units,
  };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** What a database's JSON makes of a value. */
const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const seen = ({ heartbeatAtMs: _, ...job }: JobRow): Job => job;

function outlineOf({ heartbeatAtMs: _, input: __, result: ___, ...outline }: JobRow): JobOutline {
  return outline;
}

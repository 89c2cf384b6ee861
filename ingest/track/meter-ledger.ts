import { HOUR_MS } from "../../domain/time.ts";
import { MAX_BRIDGE_MS } from "./work.ts";

/** What a meter counts, as whole units of a figure: ms of engine time, or cm of distance. */
export interface MeterKind {
  readonly perUnit: number;
  /** Most that it goes on in one ms, in units of the figure. */
  readonly perMs: number;
  /**
   * How far a reading may contradict what was seen, in units of the figure. Less: one engine start between
   * two readings makes a contradiction; more: a meter that counts something else is believed.
   */
  readonly tolerance: number;
  /** The error of a reading beside its step, in units of the figure: noise of what it is compared with. */
  readonly noise: number;
}

export const HOURS: MeterKind = { perUnit: HOUR_MS, perMs: 1, tolerance: 60_000, noise: 0 };
/** 150 km/h: no machine on a site is faster (docs/rules.md#working-time). */
export const KILOMETRES: MeterKind = {
  ...{ perUnit: 100_000, perMs: 150 / 36 },
  ...{ tolerance: 10_000, noise: 1_000 },
};

/** What a figure lies between, and what is held likely. */
export interface Estimate {
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

/** The part of a figure that falls on one local day, counted since the first reading of the ledger. */
export interface LedgerPiece extends Estimate {
  /** Local midnight that the day begins with, ms since the Unix epoch. */
  readonly dayStartMs: number;
  /** Time since the last reading of the meter whose estimate the next reading replaces. */
  readonly pendingMs: number;
  /** The parts of it that were bridged, with their estimate, and that are unknown; the rest was seen, coarsely. */
  readonly pendingBridgedMs: number;
  readonly pendingUnknownMs: number;
  readonly pending: number;
}

/**
 * A machine's own meter beside what was counted since its first reading there. Everything within one local
 * day is compared with that first reading. So a meter of coarse steps is off by one step a day and not by
 * one step a reading.
 */
export interface MeterLedger {
  readonly firstValue: number;
  readonly firstAtMs: number;
  readonly value: number;
  readonly atMs: number;
  /** Step of the meter, in its own unit: the coarsest that all its readings fit. */
  readonly step: number;
  readonly pieces: readonly LedgerPiece[];
  /** Most that is counted for time before the first reading, in units of the figure. */
  readonly head: number;
}

/** What a reading of the meter changes of one day. */
export type LedgerChange = LedgerPiece;

/**
 * Steps that meters have, in hours or kilometres, 1/60 being whole minutes (Teltonika); a coarser one that
 * fits by chance makes bounds wider.
 */
const STEPS = [1, 0.5, 0.1, 0.05, 1 / 60, 0.01, 0.001] as const;
const FINEST_STEP = 0.001;
/** Share of the elapsed time that a meter's clock may run fast. */
const CLOCK_SLACK = 0.01;

export const newLedger = (value: number, atMs: number, head = 0): MeterLedger => ({
  firstValue: value,
  firstAtMs: atMs,
  value,
  atMs,
  step: stepOf(value),
  pieces: [],
  head,
});

/** Adds what was counted on one day, in time order; `pendingMs` of it were not seen. */
export function addToLedger(ledger: MeterLedger, added: LedgerPiece): MeterLedger {
  const last = ledger.pieces.at(-1);
  if (last === undefined || last.dayStartMs !== added.dayStartMs) {
    return withPieces(ledger, [...ledger.pieces, added]);
  }
  const sum: LedgerPiece = {
    dayStartMs: last.dayStartMs,
    estimate: last.estimate + added.estimate,
    lower: last.lower + added.lower,
    upper: last.upper + added.upper,
    pendingMs: last.pendingMs + added.pendingMs,
    pendingBridgedMs: last.pendingBridgedMs + added.pendingBridgedMs,
    pendingUnknownMs: last.pendingUnknownMs + added.pendingUnknownMs,
    pending: last.pending + added.pending,
  };
  return withPieces(ledger, ledger.pieces.with(-1, sum));
}

// Each reading of a meter makes ledgers and pieces of new values: all members named, because a spread takes 0.5 us.

const withPieces = (
  { firstValue, firstAtMs, value, atMs, step, head }: MeterLedger,
  pieces: readonly LedgerPiece[],
): MeterLedger => ({ firstValue, firstAtMs, value, atMs, step, pieces, head });

/** The same piece with other figures. */
function withFigures(
  piece: LedgerPiece,
  estimate: number,
  lower: number,
  upper: number,
): LedgerPiece {
  const { dayStartMs, pendingMs, pendingBridgedMs, pendingUnknownMs, pending } = piece;
  return {
    dayStartMs,
    estimate,
    lower,
    upper,
    pendingMs,
    pendingBridgedMs,
    pendingUnknownMs,
    pending,
  };
}

/** `undefined` for a meter that was not read for so long that its next reading cannot be split into days. */
export const unlessOld = (
  ledger: MeterLedger | undefined,
  atMs: number,
): MeterLedger | undefined =>
  ledger !== undefined && atMs - ledger.atMs <= MAX_BRIDGE_MS ? ledger : undefined;

/** Whether the next reading of the meter may change anything that was counted. */
export const isOpen = ({ pieces }: MeterLedger): boolean =>
  pieces.some(({ lower, upper, pendingMs }) => upper > lower || pendingMs > 0);

/**
 * Reads the meter. The count since its first reading is confined to the meter's own, plus or minus one step. An
 * estimate is changed only where time was not seen. A meter that went back, or on faster than time allows, is
 * another one: nothing is changed, and the ledger is restarted. `tail`: the most that the meter may have counted
 * since the figure was, in units of the figure; it will be counted later.
 */
export function readLedger(
  ledger: MeterLedger,
  value: number,
  atMs: number,
  kind: MeterKind,
  tail = 0,
): { readonly ledger: MeterLedger; readonly changes: readonly LedgerChange[] } {
  const step = Math.min(ledger.step, stepOf(value));
  const stepped = step * kind.perUnit;
  const gone = (value - ledger.value) * kind.perUnit;
  const possible = (atMs - ledger.atMs) * kind.perMs * (1 + CLOCK_SLACK) + stepped;
  if (gone < -stepped || gone > possible) {
    return { ledger: newLedger(value, atMs, tail), changes: [] };
  }
  // A meter of coarse steps, or whose clock runs fast, shows more than time allows.
  const most = Math.ceil((atMs - ledger.firstAtMs) * kind.perMs);
  const total = Math.min(most, Math.round((value - ledger.firstValue) * kind.perUnit));
  // No longer than the meter went on since it was read.
  const ahead = Math.min(tail, Math.max(0, Math.ceil(gone + stepped)));
  const allowed = { least: total - ahead, most: total + ledger.head };
  const confined = confine(ledger.pieces, allowed, Math.ceil(stepped + kind.noise), kind);
  const isOneDay = ledger.pieces.length <= 1;
  // Confined by a meter: it is not pending any more. In a contradiction it stays what it was.
  const pieces = confined?.map(withNothingPending) ?? ledger.pieces;
  const { firstValue, firstAtMs, head } = ledger;
  const next = isOneDay
    ? { firstValue, firstAtMs, value, atMs, step, pieces, head }
    : { ...newLedger(value, atMs, ahead), step };
  return {
    ledger: next,
    changes: confined === undefined ? [] : changesOf(ledger.pieces, confined),
  };
}

function withNothingPending(piece: LedgerPiece): LedgerPiece {
  const { dayStartMs, estimate, lower, upper } = piece;
  const { pendingMs, pendingBridgedMs, pendingUnknownMs, pending } = piece;
  // Nearly always: a machine that reports each minute has been seen.
  if (pendingMs === 0 && pendingBridgedMs === 0 && pendingUnknownMs === 0 && pending === 0) {
    return piece;
  }
  return {
    dayStartMs,
    estimate,
    lower,
    upper,
    pendingMs: 0,
    pendingBridgedMs: 0,
    pendingUnknownMs: 0,
    pending: 0,
  };
}

/** The pieces within what the meter allows; `undefined` where it contradicts what was seen. */
function confine(
  pieces: readonly LedgerPiece[],
  allowed: { readonly least: number; readonly most: number },
  step: number,
  { tolerance, noise }: MeterKind,
): readonly LedgerPiece[] | undefined {
  const leastSeen = sum(pieces, "lower");
  const mostSeen = sum(pieces, "upper");
  const isTooMuch = allowed.most + step + tolerance < leastSeen;
  if (isTooMuch || allowed.least - step - tolerance > mostSeen) return undefined;
  const bounded = pieces.map((piece) => {
    const floor = allowed.least - step - (mostSeen - piece.upper);
    const ceiling = allowed.most + step - (leastSeen - piece.lower);
    const { estimate, lower, upper } = piece;
    // Noise: what was seen and the meter differ by a little. Either may be right.
    if (ceiling < lower) return withFigures(piece, estimate, Math.max(0, floor), lower);
    if (floor > upper) return withFigures(piece, estimate, upper, ceiling);
    // The noise of observations must not add up, reading by reading, at the edge of what the meter
    // allows.
    const least = Math.max(0, lower - noise, floor);
    return withFigures(piece, estimate, least, Math.min(upper, ceiling));
  });
  if (!bounded.some(({ pendingMs }) => pendingMs > 0)) return bounded;
  const counted = sum(bounded, "estimate");
  return spread(bounded, Math.min(allowed.most, Math.max(allowed.least, counted)));
}

/**
 * Moves the estimates towards `total` as far as their bounds let them, each by its room. An estimate of
 * observed time stays: what it got would be missing where only the meter is known.
 */
function spread(pieces: readonly LedgerPiece[], total: number): readonly LedgerPiece[] {
  const within = pieces.map((piece) => {
    const { pendingMs, estimate, lower, upper } = piece;
    const nearest = pendingMs === 0 ? estimate : Math.min(upper, Math.max(lower, estimate));
    return withFigures(piece, nearest, lower, upper);
  });
  const missing = total - sum(within, "estimate");
  const roomOf = ({ pendingMs, estimate, lower, upper }: LedgerPiece) => {
    if (pendingMs === 0) return 0;
    return missing > 0 ? upper - estimate : estimate - lower;
  };
  const room = within.reduce((all, piece) => all + roomOf(piece), 0);
  if (room <= 0) return within;
  const share = Math.max(-1, Math.min(1, missing / room));
  return within.map((piece) => {
    const { estimate, lower, upper } = piece;
    const moved = Math.round(Math.abs(share) * Math.sign(missing) * roomOf(piece));
    return withFigures(piece, estimate + moved, lower, upper);
  });
}

function changesOf(
  before: readonly LedgerPiece[],
  after: readonly LedgerPiece[],
): readonly LedgerChange[] {
  return after.map((now, i) => {
    // As many, and in the same order.
    const old = before[i] ?? now;
    const { estimate, lower, upper } = old;
    return withFigures(old, now.estimate - estimate, now.lower - lower, now.upper - upper);
  });
}

function sum(pieces: readonly LedgerPiece[], name: keyof Estimate): number {
  let all = 0;
  for (const piece of pieces) all += piece[name];
  return all;
}

function stepOf(value: number): number {
  for (const step of STEPS) {
    if (Math.abs(value / step - Math.round(value / step)) < 1e-6) return step;
  }
  return FINEST_STEP;
}

/** JSON of a ledger; every number is finite. */
export type PackedLedger =
  | readonly [
      firstValue: number,
      firstAtMs: number,
      value: number,
      atMs: number,
      step: number,
      // The head last, where there is one.
      ...pieces: readonly (readonly number[] | number)[],
    ]
  | null;

export function packLedger(ledger: MeterLedger | undefined): PackedLedger {
  if (ledger === undefined) return null;
  const { firstValue, firstAtMs, value, atMs, step, pieces, head } = ledger;
  return [
    ...([firstValue, firstAtMs, value, atMs, step] as const),
    ...pieces.map((piece) => [
      ...[piece.dayStartMs, piece.estimate, piece.lower, piece.upper],
      ...[piece.pendingMs, piece.pendingBridgedMs, piece.pendingUnknownMs, piece.pending],
    ]),
    ...(head === 0 ? [] : [head]),
  ];
}

export function unpackLedger(packed: PackedLedger | undefined): MeterLedger | undefined {
  if (packed === null || packed === undefined) return undefined;
  const [firstValue, firstAtMs, value, atMs, step, ...rest] = packed;
  const pieces = rest.filter((one) => typeof one !== "number");
  const head = rest.find((one) => typeof one === "number") ?? 0;
  return {
    ...{ firstValue, firstAtMs, value, atMs, step, head },
    pieces: pieces.map((numbers) => {
      const [dayStartMs = 0, estimate = 0, lower = 0, upper = 0] = numbers;
      const [pendingMs = 0, pendingBridgedMs = 0, pendingUnknownMs = 0, pending = 0] =
        numbers.slice(4);
      return {
        ...{ dayStartMs, estimate, lower, upper },
        ...{ pendingMs, pendingBridgedMs, pendingUnknownMs, pending },
      };
    }),
  };
}

import { pairByOverlap } from "./pairing.ts";

/** Something of an asset that begins and ends in fix time, as it was recorded: a visit, a value beyond its limit. */
export interface RecordedEpisode {
  /** Place in the order in which the fold over the asset's readings found it. */
  readonly ordinal: number;
}

/** A beginning or an end that the fold has found. */
export interface FoundChange<Change> {
  readonly change: Change;
  /** Of a beginning: the ordinal of its episode. */
  readonly ordinal: number;
}

/**
 * How one kind of episode is made and published. `Found`: one as the fold has it, before it is
 * compared.
 */
export interface EpisodeKind<Recorded extends RecordedEpisode, Found, Change> {
  /** What it is an episode of; no two of one subject overlap. */
  subjectOf(episode: Recorded | Found): string;
  subjectOfChange(change: Change): string;
  isBeginning(change: Change): boolean;
  begin(change: Change, ordinal: number): Found;
  end(found: Found, change: Change): Found;
  /** A recorded one as it was before its end was found. */
  reopen(recorded: Recorded): Found;
  /** ms since the Unix epoch; `Infinity` for an end that is not there. */
  spanOf(episode: Recorded | Found): { readonly fromMs: number; readonly toMs: number };
  /** Records it as it is now and publishes what changed; `before`: the same one as recorded. */
  publish(before: Recorded | undefined, found: Found): Recorded;
  /** Takes back one that did not happen. */
  withdraw(before: Recorded): void;
}

/** What a re-run has found, from its place among the asset's episodes on. */
export interface FoundAgain<Change> {
  readonly fromOrdinal: number;
  /** Subjects whose episode was going on at the restart. */
  readonly openAtStart: readonly string[];
  /** In the order in which the fold found them. */
  readonly changes: readonly FoundChange<Change>[];
}

/**
 * Compares what a re-run has found with what was recorded: an episode that is found again keeps its
 * identity, and only what is new or different is published. One that is not found again is withdrawn.
 * Returns the remaining episodes, by rising ordinal.
 */
export function reconcileEpisodes<Recorded extends RecordedEpisode, Found, Change>(
  kind: EpisodeKind<Recorded, Found, Change>,
  before: readonly Recorded[],
  { fromOrdinal, openAtStart, changes }: FoundAgain<Change>,
): readonly Recorded[] {
  const settled = before.filter(({ ordinal }) => ordinal < fromOrdinal);
  const known = before.filter(({ ordinal }) => ordinal >= fromOrdinal);

  // An episode that was open at the restart keeps its beginning; its end is found again, or not.
  const seeds = new Map<Recorded, { found: Found }>();
  const open = new Map<string, { found: Found }>();
  for (const subject of openAtStart) {
    const recorded = settled.findLast((one) => kind.subjectOf(one) === subject);
    if (recorded === undefined) continue;
    const entry = { found: kind.reopen(recorded) };
    seeds.set(recorded, entry);
    open.set(subject, entry);
  }
  const fresh: { found: Found }[] = [];
  for (const { change, ordinal } of changes) {
    const subject = kind.subjectOfChange(change);
    if (kind.isBeginning(change)) {
      const entry = { found: kind.begin(change, ordinal) };
      fresh.push(entry);
      open.set(subject, entry);
    } else {
      const entry = open.get(subject);
      if (entry !== undefined) entry.found = kind.end(entry.found, change);
    }
  }

  const pairs = pairByOverlap(
    known.map((one) => ({ one, subject: kind.subjectOf(one), ...kind.spanOf(one) })),
    fresh.map(({ found }) => ({ subject: kind.subjectOf(found), ...kind.spanOf(found) })),
  );
  const paired = new Set(pairs.map((pair) => pair?.one));
  for (const one of known) if (!paired.has(one)) kind.withdraw(one);
  const published = settled.map((one) => {
    const seed = seeds.get(one);
    return seed === undefined ? one : kind.publish(one, seed.found);
  });
  return [...published, ...fresh.map(({ found }, i) => kind.publish(pairs[i]?.one, found))];
}

/**
 * The episodes, by rising ordinal, that a re-run from `fromOrdinal` needs: all from there on, and
 * the newest earlier one of each subject, which may be open there.
 */
export function withinReach<Recorded extends RecordedEpisode>(
  episodes: readonly Recorded[],
  fromOrdinal: number,
  subjectOf: (episode: Recorded) => string,
): readonly Recorded[] {
  const before = new Map<string, Recorded>();
  for (const one of episodes) if (one.ordinal < fromOrdinal) before.set(subjectOf(one), one);
  return episodes.filter((one) => one.ordinal >= fromOrdinal || before.get(subjectOf(one)) === one);
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../data-folder/small-file.ts";
import type { JournalCursor } from "../ports/journal.ts";

/** How the id of a journal is written. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Longest time a cursor's move stays in memory only, ms. The port promises 1 s at most. */
const PERSIST_AFTER_MS = 500;

export const cursorsPath = (dir: string): string => join(dir, "cursors.json");

/** What the file says. */
export interface SavedCursors {
  /** Sequence that each reader has passed, by its name. */
  readonly places: readonly (readonly [name: string, sequence: number])[];
  /**
   * The last sequence that was given out before a repair made the readers begin again. Its record may be
   * lost, and no other record may get its number: ids are made of it.
   */
  readonly given: number;
}

/** The text of the file. */
export function encodeCursors(
  journalId: string,
  sequences: Readonly<Record<string, number>>,
  given = 0,
): string {
  const numbered = given > 0 ? { given } : {};
  return `${JSON.stringify({ journal: journalId, cursors: sequences, ...numbered })}\n`;
}

interface Place {
  /** What the reader said last. */
  said: number;
  /** What the file on disk says. */
  durable: number;
}

/** The named cursors of one journal, kept in `cursors.json` and written lazily. */
export class Cursors {
  readonly #path: string;
  readonly #journalId: string;
  readonly #places: Map<string, Place>;
  readonly #given: number;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Why the file could not be used; `undefined`: it was read, or the journal is new. */
  readonly problem: string | undefined;
  /** Called after every write, with the values that are durable now. */
  onDurable: () => void = () => undefined;

  private constructor(
    path: string,
    journalId: string,
    places: Map<string, Place>,
    given: number,
    problem: string | undefined,
  ) {
    this.problem = problem;
    this.#given = given;
    this.#path = path;
    this.#journalId = journalId;
    this.#places = places;
  }

  /** A missing or unreadable file, or one of another journal, means that every cursor is at 0. */
  static async load(dir: string, journalId: string): Promise<Cursors> {
    const path = cursorsPath(dir);
    const text = await readFile(path, "utf8").catch(() => undefined);
    const saved = text === undefined ? undefined : parseCursors(text, journalId);
    const places = (saved?.places ?? []).map(([name, at]): [string, Place] => [
      name,
      { said: at, durable: at },
    ]);
    const problem = text === undefined ? "it is missing" : saved ? undefined : "it cannot be read";
    return new Cursors(path, journalId, new Map(places), saved?.given ?? 0, problem);
  }

  /** `lastSynced` bounds what a reader can report as processed. */
  cursor(name: string, lastSynced: () => number): JournalCursor {
    const known = this.#places.get(name);
    const place = known ?? { said: 0, durable: 0 };
    if (known === undefined) {
      this.#places.set(name, place);
      this.#persistSoon();
    }
    const persistSoon = () => this.#persistSoon();
    return {
      name,
      get sequence() {
        return place.said;
      },
      advance(sequence) {
        const bounded = Math.min(sequence, lastSynced());
        if (!(bounded > place.said)) return;
        place.said = bounded;
        persistSoon();
      },
    };
  }

  /** Forgets a reader that will not come back, so that no segment waits for it. */
  forget(name: string): void {
    if (this.#places.delete(name)) this.#persistSoon();
  }

  /** What every cursor has passed durably; 0 while there is no cursor. */
  get slowestDurable(): number {
    const all = [...this.#places.values()].map((place) => place.durable);
    return all.length === 0 ? 0 : Math.min(...all);
  }

  /** The last sequence that is known to have been given out. */
  get fastestDurable(): number {
    return Math.max(this.#given, ...[...this.#places.values()].map((place) => place.durable));
  }

  /** Writes what is not yet on disk. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    await this.#writing;
  }

  #persistSoon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      // A full disk may get space again: until then the older, true file stays on disk.
      this.flush().catch(() => this.#persistSoon());
    }, PERSIST_AFTER_MS);
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    const places = [...this.#places].map(([name, place]) => ({ name, place, said: place.said }));
    if (places.every(({ place, said }) => place.durable === said && said > 0)) return;
    const sequences = Object.fromEntries(places.map(({ name, said }) => [name, said]));
    await writeFileAtomically(this.#path, encodeCursors(this.#journalId, sequences, this.#given));
    for (const { place, said } of places) place.durable = said;
    this.onDurable();
  }
}

/** The id of the journal whose cursors the text of a file holds; `undefined`: it names none. */
export function journalOfCursors(text: string): string | undefined {
  const { journal } = parseObject(text);
  return typeof journal === "string" && UUID.test(journal) ? journal : undefined;
}

/** The cursors in the text of a file; `undefined`: it holds none of this journal. */
export function parseCursors(text: string, journalId: string): SavedCursors | undefined {
  const { journal, cursors, given = 0 } = parseObject(text);
  if (!isSequence(given)) return undefined;
  if (journal !== journalId || typeof cursors !== "object" || cursors === null) return undefined;
  const entries = Object.entries(cursors);
  const sound = entries.filter((entry): entry is [string, number] => isSequence(entry[1]));
  return sound.length === entries.length ? { places: sound, given } : undefined;
}

/** The object that a text of JSON holds; empty for any other text. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === "object" && content !== null
      ? (content as Readonly<Record<string, unknown>>)
      : {};
  } catch {
    return {};
  }
}

const isSequence = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

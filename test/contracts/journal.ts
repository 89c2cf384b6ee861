import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JournalReader, JournalRecord, JournalWriter } from "../../storage/ports/journal.ts";
import { bodyOf, range, sequencesOf, TIME_MS } from "../support/journal.ts";
import { PATIENT_MS } from "../support/patience.ts";

/** What takes records and gives them back. */
export interface OpenedJournal {
  readonly journal: JournalWriter & JournalReader;
  close(): Promise<void>;
}

/** A fresh journal that keeps its records over `close`. */
export interface JournalUnderTest {
  /** Opens it, again after `close`. */
  open(): Promise<OpenedJournal>;
  /** Removes what it left; called after `close`. */
  cleanUp(): Promise<void>;
}

/** A page that no test here fills. */
const PAGE = { records: 10_000, bytes: 50_000_000 };

/** The behaviour every journal must have, whatever its records lie on. Call it once per backend. */
export function describeJournal(backend: string, make: () => Promise<JournalUnderTest>): void {
  describe(`a journal on ${backend}`, () => {
    let made: JournalUnderTest;
    let opened: OpenedJournal;
    beforeEach(async () => {
      made = await make();
      opened = await made.open();
    });
    afterEach(async () => {
      await opened.close();
      await made.cleanUp();
    });

    const append = (body: Uint8Array, kind = 1, timeMs = TIME_MS): Promise<void> =>
      new Promise((resolve, reject) => {
        opened.journal.append(kind, timeMs, body, (error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      });
    const appendAll = (numbers: readonly number[]) =>
      Promise.all(numbers.map((n) => append(bodyOf(n))));
    const synced = (sequence: number) =>
      opened.journal.waitFor(sequence, AbortSignal.timeout(PATIENT_MS));
    const plain = (records: readonly JournalRecord[]) =>
      records.map(({ sequence, timeMs, kind, body }) => ({
        sequence,
        timeMs,
        kind,
        body: Uint8Array.from(body),
      }));
    async function readFrom(
      from: number,
      to: number,
      limit: { readonly records: number; readonly bytes: number },
    ): Promise<JournalRecord[]> {
      const found: JournalRecord[] = [];
      for (let next = from; next <= to; next = (found.at(-1)?.sequence ?? next) + 1) {
        await synced(next);
        found.push(...(await opened.journal.read(next, limit)));
      }
      return found;
    }
    async function reopen(): Promise<void> {
      await opened.close();
      opened = await made.open();
    }

    it("a new journal is empty: its oldest record will be number 1", async () => {
      const { journal } = opened;
      expect({ synced: journal.syncedSequence, oldest: journal.oldestSequence }).toEqual({
        synced: 0,
        oldest: 1,
      });
      expect(await journal.read(1, PAGE)).toEqual([]);
    });

    it("a journal gives back time, kind and body of each record, in the order of the appends", async () => {
      await Promise.all([1, 2, 3].map((n) => append(bodyOf(n), n, TIME_MS + n)));
      await synced(3);
      expect(plain(await opened.journal.read(1, PAGE))).toEqual(
        [1, 2, 3].map((n) => ({ sequence: n, timeMs: TIME_MS + n, kind: n, body: bodyOf(n) })),
      );
    });

    it("a journal calls done once for each record, in the order of the appends", async () => {
      const order: number[] = [];
      await Promise.all(
        range(1, 500).map(
          (n) =>
            new Promise<void>((resolve) => {
              opened.journal.append(1, TIME_MS, bodyOf(n), (error) => {
                order.push(error === undefined ? n : -n);
                resolve();
              });
            }),
        ),
      );
      expect(order).toEqual(range(1, 500));
    });

    it("a journal puts the records of one turn of the event loop into one commit", async () => {
      const commits: number[] = [];
      opened.journal.onCommit(({ records }) => commits.push(records));
      await appendAll(range(1, 20));
      expect(commits).toEqual([20]);
    });

    it("a journal takes an empty body, one of 200,000 bytes, and every kind from 1 to 255", async () => {
      await append(new Uint8Array(0), 255);
      await append(bodyOf(2, 200_000));
      await synced(2);
      const [empty, large] = await opened.journal.read(1, PAGE);
      expect(empty).toMatchObject({ sequence: 1, timeMs: TIME_MS, kind: 255 });
      expect(empty?.body).toHaveLength(0);
      expect(large).toMatchObject({ sequence: 2, timeMs: TIME_MS, kind: 1 });
      expect(Buffer.compare(large?.body ?? Buffer.alloc(0), bodyOf(2, 200_000))).toBe(0);
      for (const kind of [0, 256]) {
        expect(() => opened.journal.append(kind, TIME_MS, bodyOf(1), () => undefined)).toThrow(
          RangeError,
        );
      }
    });

    it("a journal is read page by page without gap, by several readers, while records come in", async () => {
      await appendAll(range(1, 400));
      const more = appendAll(range(401, 3_000));
      const [small, large] = await Promise.all([
        readFrom(1, 3_000, { records: 70, bytes: 100_000 }),
        readFrom(200, 3_000, { records: 1_000, bytes: 20_000 }),
      ]);
      await more;
      expect(sequencesOf(small)).toEqual(range(1, 3_000));
      expect(sequencesOf(large)).toEqual(range(200, 3_000));
      expect(Uint8Array.from(small[1_233]?.body ?? [])).toEqual(bodyOf(1_234));
    });

    it("a reader's page keeps to its limits in records and bytes, but has one record at least", async () => {
      await appendAll(range(1, 10));
      const count = async (records: number, bytes: number) =>
        (await opened.journal.read(1, { records, bytes })).length;
      const counts = async () => [await count(3, 9_999), await count(9, 56 * 4), await count(9, 1)];
      await synced(10);
      expect(await counts()).toEqual([3, 4, 1]);
      await reopen();
      expect(await counts()).toEqual([3, 4, 1]);
    });

    it("a reader starts at any record, at the oldest for 0, and finds nothing past the last", async () => {
      await appendAll(range(1, 50));
      await synced(50);
      const first = async (from: number) =>
        sequencesOf(await opened.journal.read(from, { records: 1, bytes: 1 }));
      const firsts = () => Promise.all([0, 1, 2, 37, 50, 51].map(first));
      expect(await firsts()).toEqual([[1], [1], [2], [37], [50], []]);
      await reopen();
      expect(await firsts()).toEqual([[1], [1], [2], [37], [50], []]);
    });

    it("waitFor resolves at once for a synced record, later for one to come, and when its signal fires", async () => {
      await appendAll([1, 2]);
      await synced(2);
      const waiting = synced(3);
      await append(bodyOf(3));
      await waiting;
      const controller = new AbortController();
      const forNothing = opened.journal.waitFor(4, controller.signal);
      controller.abort();
      await forNothing;
      expect(opened.journal.syncedSequence).toBe(3);
    });

    it("a journal that is opened again is the same one, goes on with the next record and has all before", async () => {
      const { id } = opened.journal;
      await appendAll(range(1, 30));
      await reopen();
      expect(opened.journal.id).toBe(id);
      expect(opened.journal.syncedSequence).toBe(30);
      await append(bodyOf(31));
      await synced(31);
      expect(plain(await opened.journal.read(1, PAGE)).map(({ body }) => body)).toEqual(
        range(1, 31).map((n) => bodyOf(n)),
      );
    });

    it("a closed journal has stored what was queued, and answers STORE_UNAVAILABLE in a later turn", async () => {
      const answers: string[] = [];
      const note = (name: string) => (error?: Error) =>
        answers.push(`${name} ${(error as { code?: string } | undefined)?.code ?? "stored"}`);
      opened.journal.append(1, TIME_MS, bodyOf(1), note("first"));
      const closing = opened.close();
      opened.journal.append(1, TIME_MS, bodyOf(2), note("late"));
      expect(answers).toEqual([]);
      await closing;
      await new Promise((resolve) => setImmediate(resolve));
      expect(answers.sort()).toEqual(["first stored", "late STORE_UNAVAILABLE"]);
      opened = await made.open();
      expect(sequencesOf(await opened.journal.read(1, PAGE))).toEqual([1]);
    });
  });
}

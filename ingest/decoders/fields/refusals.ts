import type {
  DecodedMessage,
  DecodedReading,
  RefusedReadings,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";

/** Refusals whose reason is given in full; the others are counted. */
const MAX_REASONS = 5;

/**
 * Reads the parts of a message each on its own: one that cannot be believed takes no other with it. `Part`: what
 * a payload of the refused ones is written from.
 */
export class Refusals<Part> {
  readonly #parts: Part[] = [];
  readonly #errors: DomainError[] = [];

  get any(): boolean {
    return this.#errors.length > 0;
  }

  /**
   * What `read` returns; `undefined`: it refused the part. @throws errors other than
   * `DECODE_FAILED`.
   */
  attempt<T>(part: Part, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.note(part, error);
      return undefined;
    }
  }

  /** Notes a part that was refused. @throws errors other than `DECODE_FAILED`. */
  note(part: Part, error: unknown): void {
    if (!(error instanceof DomainError) || error.code !== "DECODE_FAILED") throw error;
    this.#parts.push(part);
    this.#errors.push(error);
  }

  /**
   * The message with what was refused of it. `payloadOf` writes a message of the parts that were; `whole`: what
   * the parts are called, and how many the message has, where they are not its readings.
   * @throws DomainError `DECODE_FAILED`, the first refusal, where nothing could be read.
   */
  finish(
    message: DecodedMessage,
    payloadOf: ((parts: readonly Part[]) => Uint8Array | undefined) | undefined,
    whole?: { readonly count: number; readonly word: string },
  ): DecodedMessage {
    const [first] = this.#errors;
    if (first === undefined) return message;
    if (message.readings.length === 0) throw first;
    const count = message.readings.length + this.#errors.length;
    const refused: RefusedReadings = {
      reason: this.#reason(whole ?? { count, word: "readings" }),
      payload: payloadOf?.(this.#parts),
    };
    return { ...message, refused };
  }

  #reason(whole: { readonly count: number; readonly word: string }): string {
    const count = this.#errors.length;
    const shown = this.#errors.slice(0, MAX_REASONS).map(({ message }) => message);
    const more = count > MAX_REASONS ? `; and ${count - MAX_REASONS} more` : "";
    const what = `${count} of ${whole.count} ${whole.word}`;
    return `${what} refused, the others are stored: ${shown.join("; ")}${more}`;
  }
}

/**
 * Reads each item of a list as one reading. `payloadOf` writes a message of the refused ones.
 * @throws DomainError `DECODE_FAILED`, the first refusal, where nothing could be read.
 */
export function readEach<Item>(
  items: readonly Item[],
  read: (item: Item, index: number) => DecodedReading,
  payloadOf: (refused: readonly Item[]) => Uint8Array,
): DecodedMessage {
  const refusals = new Refusals<Item>();
  const readings: DecodedReading[] = [];
  // Not by `attempt`: a function for each reading costs a short message 4 %.
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i] as Item;
    try {
      readings.push(read(item, i));
    } catch (error) {
      refusals.note(item, error);
    }
  }
  return refusals.finish({ readings, notices: [], ignored: 0 }, payloadOf);
}

/**
 * JSON of a parsed value. Infinity, which 1e400 parses to and JSON cannot write, becomes the word, which is not a
 * number.
 */
export const jsonPayload = (value: unknown): Uint8Array =>
  Buffer.from(
    JSON.stringify(value, (_name, member: unknown) =>
      member === Number.POSITIVE_INFINITY || member === Number.NEGATIVE_INFINITY
        ? String(member)
        : member,
    ),
  );

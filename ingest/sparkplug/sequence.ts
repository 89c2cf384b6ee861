/** `seq` counts 0 to 255 and begins again (Sparkplug 3.0, section 6.4.3). */
const TURN = 256;
const NONE = -1;
/**
 * How far behind a message may be and still be known as one that came before. Chosen: fewer take a loss
 * of many for a repetition where an edge node sends the same bytes at every turn, more know a longer backlog.
 */
const KNOWN_BEHIND = 64;

/** How a message relates to those before it. `resent`: it came before, byte for byte. */
export type Step = "next" | "resent" | "gap";

/** The sequence of one edge node, which its own messages and those of its devices share. */
export class Sequence {
  #last: number;
  /** Hash of the payload that had that `seq` last; -1: none that may be known again. */
  readonly #hashes = new Float64Array(TURN).fill(NONE);

  /** `first`: that of the birth that the sequence begins with. */
  constructor(first: number) {
    this.#last = first;
  }

  /** The `seq` of the next message. */
  get expected(): number {
    return (this.#last + 1) % TURN;
  }

  /**
   * Takes one message in; a gap does not move the sequence on. `hash`: of its payload. `isAgain`: its
   * sender says that it was sent before (DUP); unless it is known here, that was on another connection, and
   * its number is of another sequence.
   */
  step(seq: number, hash: number, isAgain: boolean): Step {
    if (seq === this.expected && !isAgain) {
      this.#last = seq;
      this.#hashes[seq] = hash;
      return "next";
    }
    const behind = (this.expected - seq + TURN) % TURN;
    return behind <= KNOWN_BEHIND && this.#hashes[seq] === hash ? "resent" : "gap";
  }

  /**
   * What came up to now is known again no more: names have changed, and a message from before would be
   * read with those of after.
   */
  forget(): void {
    this.#hashes.fill(NONE);
  }
}

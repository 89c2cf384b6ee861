import {
  type ArchiveReceipt,
  ArchiveUnavailable,
  type RefusedPoint,
} from "../../ports/telemetry-archive.ts";
import { type LineBatch, MOST_LINES } from "./line-batch.ts";
import type { LineSender } from "./line-sender.ts";
import { classifyWriteError, isBeyondRetention } from "./write-error.ts";

/**
 * Brings one batch to the server at a time. A request that is too large is halved, and the smaller size is
 * kept for a while; of lines that the server refuses the bad ones are found by halving, because no version
 * names all of them. Sending the good halves again is harmless: rewriting a point changes nothing.
 */
export class BatchSender {
  readonly #sender: LineSender;
  #mostLines = MOST_LINES;

  constructor(sender: LineSender) {
    this.#sender = sender;
  }

  /** @throws ArchiveUnavailable when the batch has to be sent again, all of it. */
  async send(batch: LineBatch): Promise<ArchiveReceipt> {
    const receipt = { written: 0, expired: 0, refused: [] as RefusedPoint[] };
    for (let from = 0; from < batch.points; ) {
      const to = Math.min(from + this.#mostLines, batch.points);
      await this.#sendPart(batch, from, to, receipt);
      from = to;
    }
    if (this.#mostLines < MOST_LINES) this.#mostLines = Math.min(this.#mostLines * 2, MOST_LINES);
    return receipt;
  }

  /** Sends the lines `[from, to)`. */
  async #sendPart(
    batch: LineBatch,
    from: number,
    to: number,
    receipt: { written: number; expired: number; refused: RefusedPoint[] },
  ): Promise<void> {
    const count = to - from;
    try {
      await this.#sender.send(batch.body(from, to));
      receipt.written += count;
      return;
    } catch (error) {
      const failure = classifyWriteError(error);
      const { kind, reason } = failure;
      if (kind === "hold" || kind === "retry") {
        throw new ArchiveUnavailable({ ...failure, kind }, { cause: error });
      }
      if (kind === "refused" && isBeyondRetention(reason)) {
        // The others of the batch are stored; how many were not is in the text only: `dropped=2` of version 1,
        // `dropped 2 points` of 2.7, whose text is long.
        const dropped = Math.min(Number(/dropped[ =](\d+)/.exec(reason)?.[1] ?? 0), count);
        receipt.expired += dropped;
        receipt.written += count - dropped;
        return;
      }
      if (count === 1) {
        receipt.refused.push({ ...batch.line(from), reason });
        return;
      }
      const half = Math.ceil(count / 2);
      if (kind === "tooLarge") this.#mostLines = Math.min(this.#mostLines, half);
      await this.#sendPart(batch, from, from + half, receipt);
      await this.#sendPart(batch, from + half, to, receipt);
    }
  }
}

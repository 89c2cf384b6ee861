import {
  type ArchiveReceipt,
  ArchiveUnavailable,
  type RefusedPoint,
} from "../../ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../ports.ts";
import { toLine } from "./line-protocol.ts";
import { type LineSender, MOST_LINES } from "./line-sender.ts";
import { classifyWriteError, isBeyondRetention } from "./write-error.ts";

interface Pending {
  readonly point: TelemetryPoint;
  readonly line: string;
}

/**
 * Brings one batch to the server at a time. A request that is too large is halved, and the smaller
 * size is kept for a while; of lines that the server refuses the bad ones are found by halving,
 * because no version tells all of them. Sending the good halves again is harmless: rewriting a point
 * changes nothing.
 */
export class Delivery {
  readonly #sender: LineSender;
  #mostLines = MOST_LINES;

  constructor(sender: LineSender) {
    this.#sender = sender;
  }

  /** @throws ArchiveUnavailable when the batch has to be sent again, all of it. */
  async send(points: readonly TelemetryPoint[]): Promise<ArchiveReceipt> {
    const pending: Pending[] = [];
    for (const point of points) {
      const line = toLine(point);
      if (line !== undefined) pending.push({ point, line });
    }
    const receipt = { written: 0, expired: 0, refused: [] as RefusedPoint[] };
    for (let start = 0; start < pending.length; ) {
      const size = this.#mostLines;
      await this.#sendPart(pending.slice(start, start + size), receipt);
      start += size;
    }
    if (this.#mostLines < MOST_LINES) this.#mostLines = Math.min(this.#mostLines * 2, MOST_LINES);
    return receipt;
  }

  async #sendPart(
    part: readonly Pending[],
    receipt: { written: number; expired: number; refused: RefusedPoint[] },
  ): Promise<void> {
    try {
      await this.#sender.send(part.map(({ line }) => line));
      receipt.written += part.length;
      return;
    } catch (error) {
      const failure = classifyWriteError(error);
      const { kind, reason } = failure;
      if (kind === "hold" || kind === "retry") {
        throw new ArchiveUnavailable({ ...failure, kind }, { cause: error });
      }
      if (kind === "refused" && isBeyondRetention(reason)) {
        // The others of the batch are stored; how many were not is in the text only.
        const dropped = Math.min(Number(/dropped=(\d+)/.exec(reason)?.[1] ?? 0), part.length);
        receipt.expired += dropped;
        receipt.written += part.length - dropped;
        return;
      }
      const [only] = part;
      if (part.length === 1 && only !== undefined) {
        receipt.refused.push({ ...only, reason });
        return;
      }
      const half = Math.ceil(part.length / 2);
      if (kind === "tooLarge") this.#mostLines = Math.min(this.#mostLines, half);
      await this.#sendPart(part.slice(0, half), receipt);
      await this.#sendPart(part.slice(half), receipt);
    }
  }
}

import { MINUTE_MS } from "../../domain/time.ts";
import { putBounded } from "./remembered-principals.ts";

/**
 * Notes that something was used, at most once a minute each: more often is a write for every few requests, more
 * seldom says less about when. Beside the request; a note that is lost is repeated a minute later.
 */
export class UseNotes {
  readonly #notedAtMs = new Map<string, number>();

  note(id: string, nowMs: number, write: () => Promise<void>): void {
    if (nowMs - (this.#notedAtMs.get(id) ?? 0) < MINUTE_MS) return;
    putBounded(this.#notedAtMs, id, nowMs);
    write().catch(() => undefined);
  }
}

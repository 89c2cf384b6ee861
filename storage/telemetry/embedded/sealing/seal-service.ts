import type { SealThreadAnswer, SealThreadRequest, SealThreadStart } from "./seal-thread.ts";
import { Sealer } from "./sealer.ts";

/**
 * How long background work rests after a failure (a full disk), ms. Less keeps trying for nothing; more
 * leaves runs unmerged longer.
 */
const REST_MS = 5_000;

export interface SealService {
  /** Answers one request after the other. Never rejects. */
  answer(request: SealThreadRequest): Promise<SealThreadAnswer>;
}

/**
 * Runs a sealer: requests first, and between them one slice of background work at a time, so that a
 * seal waits for one slice at most.
 */
export function startSealService({ dir, periods }: SealThreadStart): SealService {
  const sealer = new Sealer(dir, periods);
  let tail: Promise<unknown> = Promise.resolve();
  let next: NodeJS.Immediate | undefined;
  let resting: NodeJS.Timeout | undefined;
  let closed = false;

  function tidyOn(): void {
    if (next !== undefined || resting !== undefined || closed) return;
    next = setImmediate(() => {
      next = undefined;
      try {
        if (!closed && sealer.tidy()) tidyOn();
      } catch {
        resting = setTimeout(() => {
          resting = undefined;
          tidyOn();
        }, REST_MS);
      }
    });
  }

  async function handle(request: SealThreadRequest): Promise<readonly number[]> {
    switch (request.kind) {
      case "seal":
        return sealer.seal(request.request);
      case "expire":
        await sealer.expire(request.periods);
        return [];
      case "close":
        closed = true;
        clearTimeout(resting);
        await sealer.close();
        return [];
    }
  }

  tidyOn();
  return {
    answer(request) {
      const answer = tail
        .then(() => handle(request))
        .then(
          (written): SealThreadAnswer => ({ ok: true, periods: written }),
          (error: unknown): SealThreadAnswer => ({
            ok: false,
            message: error instanceof Error ? error.message : String(error),
          }),
        );
      tail = answer.then(tidyOn);
      return answer;
    },
  };
}

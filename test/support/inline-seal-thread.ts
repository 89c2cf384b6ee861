import { startSealService } from "../../storage/telemetry/embedded/sealing/seal-service.ts";
import type {
  SealThread,
  SealThreadRequest,
  SealThreadStart,
} from "../../storage/telemetry/embedded/sealing/seal-thread.ts";

/** The writer of the embedded telemetry store on the calling thread: opens in 5 ms instead of 500. */
export function startInlineSealThread(start: SealThreadStart): SealThread {
  const service = startSealService(start);
  async function ask(request: SealThreadRequest): Promise<readonly number[]> {
    const answer = await service.answer(structuredClone(request));
    if (!answer.ok) throw new Error(answer.message);
    return answer.periods;
  }
  return {
    seal: (request) => ask({ kind: "seal", request }),
    async expire(periods) {
      await ask({ kind: "expire", periods });
    },
    async close() {
      await ask({ kind: "close" });
    },
  };
}

import { createApiClient } from "../../support/api-client.ts";
import { until } from "../../support/until.ts";
import { eventsAfter, keyOf, newestSequence, type SeenEvent } from "./outbox.ts";
import { ADMIN_KEY } from "./plumbline-target.ts";
import type { CrashParty, PartyCheck } from "./target.ts";

/** How long an event that is owed may take behind the last one that arrived, ms: a retry waits 5 min. */
const QUIET_MS = 360_000;
const LOOK_MS = 1_000;

/** One channel that delivers events. */
export interface EventReceiver {
  readonly name: string;
  /** Subscribes; resolves when every event from then on is owed. */
  begin(): Promise<void>;
  /** Takes note of every event that arrives. */
  onEvent: (key: string) => void;
  /** Whether an event is one that the receiver asked for. */
  wants(event: SeenEvent): boolean;
  close(): Promise<void>;
}

/** Compares what arrived by one channel with the outbox, by id and revision. */
export function watchDelivery(
  receiver: EventReceiver,
  http: string,
  quietMs = QUIET_MS,
): CrashParty {
  const api = createApiClient(http, ADMIN_KEY);
  const arrived = new Map<string, number>();
  let begunAt = 0;
  let lastMs = 0;
  receiver.onEvent = (key) => {
    arrived.set(key, (arrived.get(key) ?? 0) + 1);
    lastMs = performance.now();
  };

  async function missing(): Promise<{
    readonly owed: number;
    readonly missing: readonly string[];
  }> {
    const owed = (await eventsAfter(api, begunAt)).filter((event) => receiver.wants(event));
    const keys = owed.map((event) => keyOf(event));
    return { owed: keys.length, missing: keys.filter((key) => !arrived.has(key)) };
  }

  return {
    async begin() {
      await receiver.begin();
      begunAt = await newestSequence(api);
    },
    async settle(): Promise<readonly PartyCheck[]> {
      lastMs = performance.now();
      const last = await until(
        `the rest of what the ${receiver.name} is owed`,
        async () => {
          const found = await missing();
          const isOver = found.missing.length === 0 || performance.now() - lastMs > quietMs;
          if (!isOver) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
          return isOver && found;
        },
        10 * QUIET_MS,
      );
      const repeated = [...arrived.values()].reduce((sum, count) => sum + count - 1, 0);
      const figures = `${last.owed} owed, ${last.missing.length} missing, ${repeated} repeated`;
      return [
        {
          name: `events - delivered = 0 (${receiver.name})`,
          passed: last.missing.length === 0,
          figures,
        },
        { name: `events happened (${receiver.name})`, passed: last.owed > 0, figures },
      ];
    },
    close: () => receiver.close(),
  };
}

import type { Logger } from "pino";
import { createWakeablePause } from "../../pacing/wakeable-pause.ts";
import type { FleetPoller } from "./fleet-poller.ts";

/** How often due sources are polled, ms. Chosen: a person may wait for a poll they requested. */
const POLL_MS = 2_000;

/** Polls that go on until they are stopped. */
export interface FleetPolling {
  /** A source was changed, or a poll requested: poll now. Never waits. */
  changed(): void;
  stop(): Promise<void>;
}

/** Polls due sources again and again. */
export function followSources(
  poller: Pick<FleetPoller, "poll" | "stop">,
  log: Pick<Logger, "warn">,
): FleetPolling {
  const rest = createWakeablePause();
  let isStopped = false;
  let isTroubled = false;
  let wasChanged = false;

  async function follow(): Promise<void> {
    while (!isStopped) {
      wasChanged = false;
      try {
        await poller.poll();
        isTroubled = false;
      } catch (error) {
        if (!isTroubled) log.warn({ err: error }, "fleet sources cannot be read; trying again");
        isTroubled = true;
      }
      if (!isStopped && !wasChanged) await rest.wait(POLL_MS);
    }
  }

  const following = follow();
  return {
    changed() {
      wasChanged = true;
      rest.wake();
    },
    async stop() {
      isStopped = true;
      rest.wake();
      await following;
      await poller.stop();
    },
  };
}

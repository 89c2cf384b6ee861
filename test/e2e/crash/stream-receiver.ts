import { setTimeout as delay } from "node:timers/promises";
import { openSse } from "../../support/sse-client.ts";
import type { EventReceiver } from "./event-parties.ts";
import { keyOf, type SeenEvent } from "./outbox.ts";
import { ADMIN_KEY } from "./plumbline-target.ts";

const RETRY_MS = 50;

/** A client of the event stream that comes back with `Last-Event-ID`, as a browser does. */
export function createStreamReceiver(http: string): EventReceiver {
  const url = `${http}/api/v1/events/stream`;
  let lastEventId: string | undefined;
  let current: Awaited<ReturnType<typeof openSse>> | undefined;
  let isClosed = false;
  let following: Promise<void> | undefined;

  async function open(): Promise<void> {
    const client = await openSse(url, {
      key: ADMIN_KEY,
      ...(lastEventId === undefined ? {} : { lastEventId }),
      onMessage: ({ id, data }) => {
        lastEventId = id;
        receiver.onEvent(keyOf(JSON.parse(data) as SeenEvent));
      },
    });
    current = client;
    lastEventId ??= client.lastEventId === "" ? undefined : client.lastEventId;
  }

  async function follow(): Promise<void> {
    while (!isClosed) {
      if (current === undefined || current.isOver) {
        // An id may come without an event: it is behind what this client did not ask for.
        if (current !== undefined && current.lastEventId !== "") lastEventId = current.lastEventId;
        await open().catch(() => undefined);
      }
      await delay(RETRY_MS);
    }
  }

  const receiver: EventReceiver = {
    name: "event stream",
    onEvent: () => undefined,
    wants: () => true,
    async begin() {
      await open();
      while (current?.lastEventId === "") await delay(RETRY_MS);
      following = follow();
    },
    async close() {
      isClosed = true;
      current?.cut();
      await following;
    },
  };
  return receiver;
}

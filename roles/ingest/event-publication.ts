import { keepLease, type LeasedWork } from "../../ingest/cluster/lease-keeper.ts";
import { startReaderPlaces } from "../../ingest/delivery/reader-places.ts";
import type { EventPublisher } from "../../ingest/remote-broker/event-publisher.ts";
import type { Common, Start } from "../process/common.ts";

const LEASE = "mqtt-events";
/** The place of the publication in the outbox, whichever process carries it out. */
const READER = "mqtt-broker";

/**
 * Publishes events to the external broker from one durable place, in one ingest process at a time.
 * One that dies is followed by another within the 10 s of its lease.
 */
export function startEventPublication(
  { log, closers }: Pick<Start, "log" | "closers">,
  { records, feed }: Pick<Common, "records" | "feed">,
  { publisher, name }: { readonly publisher: EventPublisher; readonly name: string },
): void {
  const { leases, eventReaders, events } = records;

  async function work(): Promise<LeasedWork> {
    const { sequence } = await eventReaders.open(READER, Date.now());
    const places = startReaderPlaces({ records: eventReaders, now: Date.now, log });
    const courier = publisher.begin({
      from: sequence,
      feed,
      events,
      onAcknowledged: () => places.touch(reader),
      onError: (error) => log.warn({ err: error }, "events are not published; trying again"),
    });
    const reader = {
      id: READER,
      get place() {
        return courier.place;
      },
    };
    places.add(reader);
    return {
      async stop() {
        publisher.end();
        await places.stop();
      },
    };
  }

  const keeper = keepLease({ leases, name: LEASE, holder: name, work, log });
  closers.push(() => keeper.stop());
}

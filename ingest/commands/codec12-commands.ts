import { toAnswer } from "../../domain/equipment/command.ts";
import type { AssetId, CommandId } from "../../domain/ids.ts";
import { codec12Text, encodeCodec12 } from "./carriers/codec12.ts";
import type { CommandCourier } from "./command-courier.ts";
import type { CommandLink } from "./command-link.ts";

/** As much of a tracker's connection as commands need. */
export interface TrackerConnection {
  write(packet: Buffer): void;
  /** Ends the connection; the tracker connects again. */
  drop(): void;
}

/** One tracker that can be commanded. */
interface Tracker {
  readonly assetId: AssetId;
  readonly link: CommandLink;
  /** The command on this connection that has no response yet, however long ago it was sent. */
  open: CommandId | undefined;
}

/** Commands to trackers that are connected over TCP. */
export interface Codec12Commands {
  opened(assetId: AssetId, connection: TrackerConnection): void;
  closed(connection: TrackerConnection): void;
  /** As `ConnectionOwner.onResponse` of the listener. */
  responded(assetId: AssetId, response: Uint8Array): Promise<void> | undefined;
}

/**
 * Starts it. Codec 12 has neither ids nor counts of attempts: one command is under way on a connection at a time,
 * and the next response is its answer. A response may come after the command's time is over, and would pass for
 * the answer to the next one. So a connection on which a command is still open takes no other: it ends, and the
 * next command goes out on the tracker's next connection.
 */
export function createCodec12Commands(
  courier: Pick<CommandCourier, "attach" | "detach" | "answered">,
): Codec12Commands {
  const trackers = new Map<TrackerConnection, Tracker>();
  const trackersByAsset = new Map<AssetId, Tracker>();

  return {
    opened(assetId, connection) {
      const link: CommandLink = {
        carrier: "codec12",
        confirmsReceipt: false,
        prepare(command) {
          const packet = encodeCodec12(codec12Text(command));
          if (tracker.open !== undefined) {
            connection.drop();
            return undefined;
          }
          return () => {
            tracker.open = command.id;
            connection.write(packet);
          };
        },
      };
      const tracker: Tracker = { assetId, link, open: undefined };
      trackers.set(connection, tracker);
      trackersByAsset.set(assetId, tracker);
      courier.attach(assetId, link);
    },

    closed(connection) {
      const tracker = trackers.get(connection);
      if (tracker === undefined) return;
      const { assetId, link } = tracker;
      trackers.delete(connection);
      if (trackersByAsset.get(assetId) === tracker) trackersByAsset.delete(assetId);
      courier.detach(assetId, link);
    },

    responded(assetId, response) {
      const tracker = trackersByAsset.get(assetId);
      const id = tracker?.open;
      if (tracker === undefined || id === undefined) return undefined;
      tracker.open = undefined;
      return courier.answered(assetId, { id }, toAnswer(response)).then(() => undefined);
    },
  };
}

import { toAnswer } from "../../domain/command.ts";
import type { AssetId } from "../../domain/ids.ts";
import { codec12Text, encodeCodec12 } from "./carriers/codec12.ts";
import type { CommandCourier } from "./command-courier.ts";
import type { CommandLink } from "./command-link.ts";

/** As much of a tracker's connection as commands need. */
export interface TrackerConnection {
  write(packet: Buffer): void;
}

/** Commands to trackers that are connected over TCP. */
export interface Codec12Commands {
  opened(assetId: AssetId, connection: TrackerConnection): void;
  closed(connection: TrackerConnection): void;
  /** As `ConnectionOwner.onResponse` of the listener. */
  responded(assetId: AssetId, response: Uint8Array): Promise<void> | undefined;
}

/**
 * Starts it. Codec 12 has neither ids nor counts of attempts: one command of a tracker is under way at a time, and
 * the next response is its answer.
 */
export function createCodec12Commands(
  courier: Pick<CommandCourier, "attach" | "detach" | "awaiting" | "answered">,
): Codec12Commands {
  const links = new Map<TrackerConnection, { assetId: AssetId; link: CommandLink }>();

  return {
    opened(assetId, connection) {
      const link: CommandLink = {
        carrier: "codec12",
        confirmsReceipt: false,
        prepare(command) {
          const packet = encodeCodec12(codec12Text(command));
          return () => connection.write(packet);
        },
      };
      links.set(connection, { assetId, link });
      courier.attach(assetId, link);
    },

    closed(connection) {
      const known = links.get(connection);
      if (known === undefined) return;
      links.delete(connection);
      courier.detach(known.assetId, known.link);
    },

    responded(assetId, response) {
      const awaiting = courier.awaiting(assetId);
      if (awaiting === undefined || awaiting.carrier !== "codec12") return undefined;
      return courier
        .answered(assetId, { id: awaiting.id }, toAnswer(response))
        .then(() => undefined);
    },
  };
}

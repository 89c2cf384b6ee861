import type { Command, CommandCarrier } from "../../domain/equipment/command.ts";

/** The link to one asset's device over a connection that is open now. */
export interface CommandLink {
  readonly carrier: CommandCarrier;
  /**
   * Whether the device acknowledges receipt. Where it does, an attempt stays open as long as the link: a
   * repetition on the same connection would reach no one new (MQTT 3.1.1, section 4.4). Where it does not, the
   * attempt is over when no answer came in time.
   */
  readonly confirmsReceipt: boolean;
  /**
   * The bytes of one attempt as a function that writes them. `undefined`: this connection takes no command any
   * more and has ended; the command goes out on the next one.
   * @throws DomainError `PARAMETER_INVALID` when the protocol cannot carry the command.
   */
  prepare(command: Command): (() => void) | undefined;
}

/** As much of a device's MQTT connection as commands need. */
export interface CommandConnection {
  readonly destroyed: boolean;
  write(packets: Buffer): boolean;
  once(event: "close", listener: () => void): unknown;
}

import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { Command } from "../../domain/equipment/command.ts";
import { codec12Text } from "./carriers/codec12.ts";
import { sparkplugValue } from "./carriers/sparkplug.ts";

type Decoder = AssetRegistration["decoder"];

/**
 * Attempts unless the client says otherwise. Our own payload says that the device may have had a command
 * before, so it is sent again after a break. A vendor's firmware does not check, and would do it twice.
 */
export const defaultAttempts = (decoder: Decoder): number =>
  decoder === "thingsboard" || decoder === "sparkplug" || decoder.startsWith("teltonika") ? 1 : 3;

/**
 * Checks that the protocol of the asset's device can carry the command.
 * @throws DomainError `PARAMETER_INVALID` saying what the protocol takes.
 */
export function requireCarriable(
  decoder: Decoder,
  command: Pick<Command, "name" | "parameters">,
): void {
  if (decoder === "sparkplug") sparkplugValue(command);
  if (decoder === "teltonika-codec8") codec12Text(command);
}

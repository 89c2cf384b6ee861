import type { Command } from "../../../domain/equipment/command.ts";
import { DomainError } from "../../../domain/errors.ts";
import { crc16 } from "../../decoders/teltonika/crc16.ts";

/** Codec id of GPRS messages, and what kinds there are (wiki.teltonika-gps.com, "Teltonika Data Sending Protocols", Codec 12). */
const CODEC_12 = 0x0c;
const COMMAND = 0x05;
const RESPONSE = 0x06;
/** Preamble and length before the data, and codec id, quantity, type and size within it. */
const DATA_AT = 8;
const TEXT_AT = DATA_AT + 7;
/** Trackers read 1,000 characters of a text command at most. */
const MAX_TEXT = 1_000;
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * The text of a command: its name and, behind a blank, the parameters, which are text too: `setdigout 1? 60`.
 * @throws DomainError `PARAMETER_INVALID`.
 */
export function codec12Text({ name, parameters }: Pick<Command, "name" | "parameters">): string {
  if (parameters !== undefined && typeof parameters !== "string") {
    throw invalid('"parameters" must be a text for a Teltonika tracker: it follows the name');
  }
  const text = parameters === undefined || parameters === "" ? name : `${name} ${parameters}`;
  if (!PRINTABLE.test(text)) throw invalid("a Teltonika tracker reads printable ASCII only");
  if (text.length > MAX_TEXT) {
    throw invalid(`${text.length} characters; a Teltonika tracker reads up to ${MAX_TEXT}`);
  }
  return text;
}

/** A text command as a packet. */
export const encodeCodec12 = (text: string): Buffer =>
  packetOf(COMMAND, Buffer.from(text, "latin1"));

/**
 * The text of a packet that answers a command; `undefined` for any other packet. The packet's CRC has been
 * checked.
 */
export function readCodec12Response(packet: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  if (bytes.length < TEXT_AT + 5 || bytes[DATA_AT] !== CODEC_12) return undefined;
  if (bytes[DATA_AT + 2] !== RESPONSE) return undefined;
  const size = bytes.readUInt32BE(DATA_AT + 3);
  if (TEXT_AT + size + 5 > bytes.length) return undefined;
  return bytes.subarray(TEXT_AT, TEXT_AT + size);
}

function packetOf(type: number, text: Buffer): Buffer {
  const packet = Buffer.alloc(TEXT_AT + text.length + 5);
  packet.writeUInt32BE(text.length + 8, 4);
  packet[DATA_AT] = CODEC_12;
  packet[DATA_AT + 1] = 1;
  packet[DATA_AT + 2] = type;
  packet.writeUInt32BE(text.length, DATA_AT + 3);
  text.copy(packet, TEXT_AT);
  packet[TEXT_AT + text.length] = 1;
  packet.writeUInt32BE(crc16(packet, DATA_AT, packet.length - 4), packet.length - 4);
  return packet;
}

const invalid = (message: string): DomainError => new DomainError("PARAMETER_INVALID", message);

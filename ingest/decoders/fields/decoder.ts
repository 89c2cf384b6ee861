import type { DecoderOptions } from "../../../domain/equipment/decoder-options.ts";
import type { DecodedMessage, DecodedReading } from "../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { PlainReading } from "./plain-reading.ts";

/** A pointer of a mapping that found nothing. */
export interface UnusedPointer {
  /** Path inside the mapping. */
  readonly parameter: string;
  readonly pointer: string;
}

/** A mapping made ready for many messages. Pure. */
export interface CompiledMapping {
  /**
   * What a message says by the mapping. A reading in which nothing is that the mapping names is ignored.
   * @throws DomainError `DECODE_FAILED` naming what is wrong and where. Also for a message that has nothing
   * at all that the mapping names: it must not be lost silently.
   */
  read(message: unknown): DecodedMessage;
  /** The pointers that find nothing in any reading of the message. @throws DomainError as `read`. */
  unused(message: unknown): readonly UnusedPointer[];
}

/** What a decoder may know beside the payload. */
export interface DecodeContext {
  readonly assetId: AssetId;
  /** Server clock at arrival, ms since the Unix epoch; for formats whose times are partial. */
  readonly receivedAtMs: number;
  /** Of the asset's type, for the decoder that uses one; absent: the type has none. */
  readonly mapping?: CompiledMapping | undefined;
  /** Of the asset; absent: the usual ones. */
  readonly options?: DecoderOptions | undefined;
}

/** What a vendor's own topics are made of. */
export interface DeviceNames {
  readonly assetId: string;
  readonly hardwareId: string | undefined;
}

/** One payload format. A decoder is a value in the list of `registry.ts`. */
export interface Decoder {
  /** As in `DECODER_NAMES`, and as an asset is registered with. */
  readonly name: string;
  /** Last level of the device topic that carries this format. */
  readonly topicFormat: string;
  /**
   * MQTT filters of the topics on which such a device publishes of itself, beside ours. Filters that
   * begin with `sites/` or `$` are left out.
   */
  readonly topics?: (device: DeviceNames) => readonly string[];
  /**
   * Turns one MQTT payload into what it says, in the order of the payload. Pure: no I/O, no clock, no
   * state. Converts units to those of the field names; they are not converted later.
   * @throws DomainError `DECODE_FAILED` naming what is wrong, where, and what is allowed.
   */
  decode(payload: Uint8Array, context: DecodeContext): DecodedMessage;
  /**
   * A shorter way for the usual message: its only reading, where `decode` would yield the same and nothing to note.
   * `undefined`: it has to be decoded. What is returned is overwritten by the next call. Absent: there is none.
   */
  readonly scan?: (payload: Uint8Array) => PlainReading | undefined;
}

/** A message that says nothing but its readings. */
export function readingsOnly(readings: readonly DecodedReading[]): DecodedMessage {
  return { readings, notices: [], ignored: 0 };
}

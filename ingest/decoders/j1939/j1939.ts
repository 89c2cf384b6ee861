import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../fields/decoder.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import { jsonPayload, Refusals } from "../fields/refusals.ts";
import { isJsonObject, readJson } from "../payload/json-payload.ts";
import { BroadcastTransport, isTransport } from "./broadcast-transport.ts";
import { type CanFrame, type FrameDefaults, readEncoding, readFrame } from "./can-frame.ts";
import { DM1_PGN, type OldSpnLayout, readDm1 } from "./dm1.ts";
import { DtcBook } from "./dtc-book.ts";
import { PARAMETERS_BY_PGN } from "./parameters.ts";
import { SecondsOfBus } from "./seconds-of-bus.ts";

/**
 * Most frames of one message: 10 s of the groups that are read, three times over. More hold up other messages;
 * fewer refuse a busy bus.
 */
const MAX_FRAMES = 2_000;
/** Addresses from here on are not a controller's: 254 is none, 255 is all (SAE J1939-81). */
const FIRST_NON_ADDRESS = 254;

/**
 * J1939 frames from a CAN gateway. There is no standard for the JSON; ours is `{ timestamp?, encoding?,
 * spn_layout?, frames }`, or the bare array of frames (docs/devices/j1939.md).
 *
 * The bus repeats everything ten times a second. A message becomes one reading for each second of it,
 * with the last value of each parameter, of the lowest source address that gives one. The faults of all
 * controllers go with the newest reading, because a list of faults is the whole machine's. They are left
 * out when a controller's DM1 was cut off: half a list would end the faults of the other half.
 */
export const j1939: Decoder = {
  name: "j1939",
  topicFormat: "j1939",
  decode(payload) {
    const message = readMessage(readJson(payload));
    const { frames } = message;
    if (frames.length > MAX_FRAMES) {
      throw failure(`${frames.length} frames; ${MAX_FRAMES} are allowed`);
    }
    const refusals = new Refusals<unknown>();
    const seconds = new SecondsOfBus();
    const dtcs = new DtcBook();
    const transport = new BroadcastTransport();
    let ignored = 0;
    for (let i = 0; i < frames.length; i += 1) {
      let frame: CanFrame | undefined;
      try {
        frame = readFrame(frames[i], i, message);
      } catch (error) {
        refusals.note(frames[i], error);
        continue;
      }
      if (frame === undefined || frame.source >= FIRST_NON_ADDRESS) {
        ignored += 1;
        continue;
      }
      seconds.hear(frame.timeMs);
      const parameters = PARAMETERS_BY_PGN.get(frame.pgn);
      if (parameters !== undefined) seconds.put(frame, parameters);
      else if (!takeDm1(frame, message, dtcs, transport)) ignored += 1;
    }
    const ended = transport.end();
    const readings = readingsOf(seconds, dtcs, ended.cutOff);
    return refusals.finish(
      { readings, notices: [], ignored: ignored + ended.ignored },
      (refused) => jsonPayload({ ...message.said, frames: refused }),
      { count: frames.length, word: "frames" },
    );
  },
};

interface Message extends FrameDefaults {
  /** The message as it came, for one of the frames that are refused. */
  readonly said: Readonly<Record<string, unknown>>;
  readonly frames: readonly unknown[];
  readonly oldLayout: OldSpnLayout | undefined;
}

function readMessage(value: unknown): Message {
  if (Array.isArray(value)) {
    return { said: {}, frames: value, encoding: "hex", timeMs: undefined, oldLayout: undefined };
  }
  if (!isJsonObject(value) || !Array.isArray(value["frames"])) {
    throw failure("neither an array of frames nor an object with one");
  }
  const encoding = readEncoding(value["encoding"], "hex");
  if (encoding === undefined) throw failure("encoding is neither hex nor base64");
  const timestamp = value["timestamp"] ?? undefined;
  const timeMs = timestamp === undefined ? undefined : parseDeviceTime(timestamp);
  if (timestamp !== undefined && timeMs === undefined) {
    throw failure("timestamp is neither ISO 8601 nor epoch milliseconds");
  }
  const layout = value["spn_layout"] ?? undefined;
  if (layout !== undefined && layout !== 1 && layout !== 2 && layout !== 3) {
    throw failure("spn_layout is not 1, 2 or 3");
  }
  return { said: value, frames: value["frames"], encoding, timeMs, oldLayout: layout };
}

/** Whether the frame is a DM1, or one that the transport counts. */
function takeDm1(
  frame: CanFrame,
  { oldLayout }: Message,
  dtcs: DtcBook,
  transport: BroadcastTransport,
): boolean {
  const isPacket = isTransport(frame);
  if (!isPacket && frame.pgn !== DM1_PGN) return false;
  const data = isPacket ? transport.take(frame) : frame.data;
  if (data === undefined) return true;
  const codes = readDm1(data, frame.source, oldLayout);
  if (codes === undefined) return false;
  dtcs.put(frame.source, codes);
  return true;
}

function readingsOf(
  seconds: SecondsOfBus,
  dtcs: DtcBook,
  cutOff: ReadonlySet<number>,
): readonly DecodedReading[] {
  const newest = seconds.newest();
  if (newest === undefined) return [];
  let problem: string | undefined;
  const faults = dtcs.faults(cutOff, (found) => {
    problem = found;
  });
  const readings: DecodedReading[] = [];
  for (const second of seconds.all()) {
    const isNewest = second === newest;
    const fields = second.fields(isNewest ? dtcs : undefined);
    if (isNewest && problem !== undefined) fields.suspect("fault_codes", [], problem);
    // The newest is there even when it says nothing: the bus is awake.
    if (!isNewest && Object.keys(fields.fields).length === 0) continue;
    readings.push(fields.toReading(second.timeMs, undefined, isNewest ? faults : undefined));
  }
  return readings;
}

const failure = (problem: string): DomainError => new DomainError("DECODE_FAILED", problem);

import { MAX_READINGS } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { FieldSet } from "../fields/field-set.ts";
import type { CanFrame } from "./can-frame.ts";
import type { DtcBook } from "./dtc-book.ts";
import { type Parameter, readParameter } from "./parameters.ts";

/** A value, and how much it counts beside others of its field: the lowest first. */
interface Heard {
  readonly value: number;
  readonly rank: number;
}

/** What the bus said within one second. */
class SecondOfBus {
  /** Newest time of its frames, ms since the Unix epoch; `undefined`: the frames carry none. */
  timeMs: number | undefined;
  readonly #heardByField = new Map<Parameter["field"], Heard>();

  constructor(timeMs: number | undefined) {
    this.timeMs = timeMs;
  }

  put(parameter: Parameter, source: number, value: number): void {
    const rank = parameter.rank * 256 + source;
    const known = this.#heardByField.get(parameter.field);
    if (known !== undefined && known.rank < rank) return;
    this.#heardByField.set(parameter.field, { value, rank });
  }

  /** @throws DomainError `DECODE_FAILED` for a position that is nowhere on earth. */
  fields(dtcs: DtcBook | undefined): FieldSet {
    const fields = new FieldSet("", this.#heardByField.size);
    const isNowhere = this.#valueOf("latitude") === 0 && this.#valueOf("longitude") === 0;
    for (const [field, { value }] of this.#heardByField) {
      // 0, 0 is not a fix, as for every other receiver.
      if (!isNowhere || (field !== "latitude" && field !== "longitude")) fields.set(field, value);
    }
    // A turning engine is on; 0 rpm is sent with the key on, and a sleeping bus sends nothing.
    const rpm = this.#valueOf("engine_speed_rpm");
    if (rpm !== undefined) fields.set("engine_on", rpm > 0 ? 1 : 0);
    dtcs?.keepLamps(fields);
    return fields;
  }

  #valueOf(field: Parameter["field"]): number | undefined {
    return this.#heardByField.get(field)?.value;
  }
}

/** The frames of a message by the second they came in; those without a time are one second of their own. */
export class SecondsOfBus {
  readonly #seconds = new Map<number | undefined, SecondOfBus>();
  #current = new SecondOfBus(undefined);
  #currentKey: number | undefined | null = null;

  /** Opens the second of a frame, or goes back to it. */
  hear(timeMs: number | undefined): void {
    const key = timeMs === undefined ? undefined : Math.floor(timeMs / 1_000);
    if (key !== this.#currentKey) {
      this.#current = this.#seconds.get(key) ?? this.#open(key, timeMs);
      this.#currentKey = key;
    }
    const known = this.#current.timeMs;
    if (timeMs !== undefined && known !== undefined && timeMs > known)
      this.#current.timeMs = timeMs;
  }

  /** Takes in what the frame last heard says. */
  put({ source, data }: CanFrame, parameters: readonly Parameter[]): void {
    if (isHalfPosition(data, parameters)) return;
    for (const parameter of parameters) {
      const value = readParameter(data, parameter);
      if (value !== undefined) this.#current.put(parameter, source, value);
    }
  }

  /** In the order in which they were first heard. */
  all(): Iterable<SecondOfBus> {
    return this.#seconds.values();
  }

  /** The second without a time, which is now; else that of the newest time; `undefined` without frames. */
  newest(): SecondOfBus | undefined {
    const now = this.#seconds.get(undefined);
    if (now !== undefined) return now;
    let newest: SecondOfBus | undefined;
    for (const second of this.#seconds.values()) {
      if (newest === undefined || (second.timeMs ?? 0) > (newest.timeMs ?? 0)) newest = second;
    }
    return newest;
  }

  #open(key: number | undefined, timeMs: number | undefined): SecondOfBus {
    if (this.#seconds.size === MAX_READINGS) {
      throw new DomainError("DECODE_FAILED", `frames of more than ${MAX_READINGS} seconds`);
    }
    const second = new SecondOfBus(timeMs);
    this.#seconds.set(key, second);
    return second;
  }
}

/** Whether a group has a latitude or longitude without the other. */
function isHalfPosition(data: Uint8Array, parameters: readonly Parameter[]): boolean {
  return (
    parameters[0]?.field === "latitude" &&
    parameters.some((parameter) => readParameter(data, parameter) === undefined)
  );
}

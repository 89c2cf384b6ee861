import {
  metricValue,
  type SparkplugMetric,
  type SparkplugPayload,
} from "../decoders/sparkplug/payload.ts";
import type { LastPosition } from "../decoders/sparkplug/readings.ts";
import { MetricNames, selfExplained } from "./metric-names.ts";
import {
  addNotice,
  type NodeMessage,
  type NodeOutcome,
  newOutcome,
  type Whom,
} from "./node-message.ts";
import { Sequence, type Step } from "./sequence.ts";

/**
 * Devices behind one edge node that are known at a time, and memory for all its names. More let one edge node take
 * memory; fewer refuse a large site.
 */
const MAX_DEVICES = 1_000;
const MAX_NAME_BYTES = 8 * 1024 * 1024;
/** `bdSeq` counts 0 to 255 and begins again [tck-id-payloads-nbirth-bdseq-inc]. */
const BD_TURN = 256;

/** What the newest birth of an edge node or device said, and what came after it. */
interface Speaker {
  readonly names: MetricNames;
  /** Halves of a position are stored separately; those of an earlier life are of another place. */
  readonly position: LastPosition;
}

/** A device that was born and did not die. */
interface DeviceEntry {
  readonly speaker: Speaker;
  /** Whether its birth came after the newest NBIRTH, without which it is not read. */
  isBorn: boolean;
}

/** The birth that the edge node's present messages go back to. */
interface NodeBirth {
  readonly connection: object;
  /** `undefined`: it did not say. */
  readonly bdSeq: number | undefined;
  readonly sequence: Sequence;
}

/**
 * What is known of one edge node and the devices behind it (Sparkplug 3.0, sections 5 and 6).
 *
 * States: `without birth` -> NBIRTH -> `in step` -> a gap in `seq`, or the will of a birth that was missed ->
 * `out of step` -> NBIRTH -> `in step`; from both, NDEATH or another connection -> `without birth`.
 *
 * - Without birth nothing of DATA is read, not even a metric with its name: it may be an old message.
 * - In step, aliases and missing datatypes are those of the births. A device is read from its DBIRTH to its
 *   DDEATH, and an NBIRTH ends all DBIRTHs.
 * - Out of step a birth may have been missed that gave the same aliases to others. Only metrics with a name
 *   and a datatype of their own are read, until the next NBIRTH.
 *
 * An NBIRTH is taken in every state. An NDEATH that comes by another connection of the edge node than the
 * birth did is the will of an earlier one, and ignored. Where we do not see its connections, an older `bdSeq`
 * shows that.
 */
export class EdgeNode {
  #birth: NodeBirth | undefined;
  #isInStep = false;
  /** What was reported last: `unknown` since our own start. */
  #reportedState: "unknown" | "alive" | "dead" = "unknown";
  /** A rebirth was requested by `#askedBy`, so the next birth is not reported. */
  #askedBy: object | undefined;
  /** The first births after our start that we asked for ourselves: the devices were there all the time. */
  #isRecalling = false;
  #speaker = newSpeaker([]);
  readonly #devices = new Map<string, DeviceEntry>();
  /** Of the names of all. */
  #bytes = 0;

  /** Whether the device was born since the newest NBIRTH, and did not die. */
  isThere(device: string): boolean {
    return this.#devices.get(device)?.isBorn === true;
  }

  /** A message was lost on our side: from here on nothing is sure until the next birth. */
  missed(): void {
    this.#isInStep = false;
  }

  take(message: NodeMessage): NodeOutcome {
    const outcome = newOutcome();
    if (message.type === "NBIRTH") this.#takeNodeBirth(message, outcome);
    else if (message.type === "NDEATH") this.#takeNodeDeath(message, outcome);
    else this.#takeInSequence(message, outcome);
    if (outcome.wantsRebirth) this.#askedBy = message.connection;
    return outcome;
  }

  #takeNodeBirth({ payload, connection }: NodeMessage, outcome: NodeOutcome): void {
    const before = this.#birth;
    // Any from 0 to 255 [tck-id-payloads-nbirth-seq], though [tck-id-topics-nbirth-seq-num] has 0: clients go on
    // counting at a rebirth, and refused would be so for ever. Writers that leave zeros out mean 0.
    const seq = payload.seq ?? 0;
    const bdSeq = bdSeqOf(payload);
    const isSameLife =
      this.#reportedState === "alive" &&
      before !== undefined &&
      before.bdSeq === bdSeq &&
      (bdSeq !== undefined || before.connection === connection);
    this.#isRecalling = this.#reportedState === "unknown" && this.#askedBy === connection;
    const speaker = newSpeaker(payload.metrics);
    const { names } = speaker;
    const isNewBirth = !(isSameLife ? names.isLike(this.#speaker.names) : this.#isRecalling);
    this.#endDeviceBirths(isSameLife, outcome);
    this.#birth = { connection, bdSeq, sequence: new Sequence(seq) };
    this.#isInStep = true;
    this.#askedBy = undefined;
    this.#reportedState = "alive";
    this.#bytes += names.bytes - this.#speaker.names.bytes;
    this.#speaker = speaker;
    outcome.links.push({ of: undefined, isUp: true });
    if (isNewBirth) {
      const data = { metrics: names.count, ...(bdSeq === undefined ? {} : { bd_seq: bdSeq }) };
      addNotice(outcome, undefined, { kind: "birth", timeMs: payload.timestampMs, data });
    }
    this.#read(payload.metrics, speaker, outcome);
  }

  /** An NBIRTH ends all DBIRTHs [tck-id-operational-behavior-data-publish-dbirth]; in a new life no device is known. */
  #endDeviceBirths(isSameLife: boolean, outcome: NodeOutcome): void {
    for (const [device, entry] of this.#devices) {
      outcome.links.push({ of: device, isUp: false });
      entry.isBorn = false;
    }
    if (!isSameLife) this.#forgetDevices();
  }

  #forgetDevices(): void {
    this.#devices.clear();
    this.#bytes = this.#speaker.names.bytes;
  }

  #takeNodeDeath(message: NodeMessage, outcome: NodeOutcome): void {
    const bdSeq = bdSeqOf(message.payload);
    const life = this.#lifeEndedBy(message, bdSeq);
    if (life === "older") {
      outcome.isStaleWill = true;
      return;
    }
    for (const of of this.#devices.keys()) outcome.links.push({ of, isUp: false });
    outcome.links.push({ of: undefined, isUp: false });
    this.#isInStep = false;
    if (life === "newer") {
      // Its birth was missed and ours is over, or the number is wrong: who is there answers at once.
      outcome.wantsRebirth = true;
      return;
    }
    this.#forgetDevices();
    this.#birth = undefined;
    this.#askedBy = undefined;
    if (this.#reportedState === "dead") return;
    this.#reportedState = "dead";
    // The time in a will is when it was written, at the connect.
    const data = bdSeq === undefined ? {} : { bd_seq: bdSeq };
    addNotice(outcome, undefined, { kind: "death", timeMs: undefined, data });
  }

  /** Whether a death is that of the birth we know; without one it is. */
  #lifeEndedBy(
    { connection, isOwnConnection }: NodeMessage,
    bdSeq: number | undefined,
  ): "older" | "same" | "newer" {
    if (this.#birth === undefined) return "same";
    // Sure, while clients have one `bdSeq` for all connections, or already the next one's as they leave.
    if (isOwnConnection) return this.#birth.connection === connection ? "same" : "older";
    const born = this.#birth.bdSeq;
    if (bdSeq === undefined || born === undefined || bdSeq === born) return "same";
    const ahead = (((bdSeq - born) % BD_TURN) + BD_TURN) % BD_TURN;
    return ahead === 0 || ahead >= BD_TURN / 2 ? "older" : "newer";
  }

  #takeInSequence(message: NodeMessage, outcome: NodeOutcome): void {
    const { type, device, payload, connection } = message;
    if (this.#birth?.connection !== connection) {
      outcome.wantsRebirth = true;
      if (type === "DDEATH") this.#takeDeviceDeath(message, outcome);
      else outcome.unread = "no NBIRTH on this connection yet";
      return;
    }
    const { sequence } = this.#birth;
    const isRepeated = this.#isInStep && this.#follow(sequence, message, outcome) === "resent";
    if (!this.#isInStep) outcome.wantsRebirth = true;
    if (type === "DBIRTH") this.#takeDeviceBirth(message, outcome);
    else if (type === "DDEATH") this.#takeDeviceDeath(message, outcome);
    else {
      const speaker = this.#speakerOf(device);
      if (speaker === undefined) {
        outcome.unread = "no DBIRTH of the device since its last death or NBIRTH";
        outcome.wantsRebirth = true;
      } else this.#read(payload.metrics, speaker, outcome);
      // It was at a place before the last one.
      if (isRepeated) outcome.position = undefined;
    }
  }

  #follow(sequence: Sequence, { payload, hash, isAgain }: NodeMessage, outcome: NodeOutcome): Step {
    const { expected } = sequence;
    const received = payload.seq ?? 0;
    const step = sequence.step(received, hash, isAgain);
    if (step !== "gap") return step;
    this.#isInStep = false;
    // One of an earlier connection whose number fits proves no loss.
    if (received !== expected) {
      const data = { expected, received };
      addNotice(outcome, undefined, { kind: "sequence_gap", timeMs: payload.timestampMs, data });
    }
    return step;
  }

  #takeDeviceBirth({ device = "", payload }: NodeMessage, outcome: NodeOutcome): void {
    const speaker = newSpeaker(payload.metrics);
    const { names } = speaker;
    const before = this.#forgetDevice(device);
    this.#birth?.sequence.forget();
    this.#read(payload.metrics, speaker, outcome);
    const isOneTooMany = this.#devices.size === MAX_DEVICES;
    if (isOneTooMany || this.#bytes + names.bytes > MAX_NAME_BYTES) {
      outcome.unread = isOneTooMany
        ? `more than ${MAX_DEVICES} devices behind one edge node`
        : `the names of all metrics take more than ${MAX_NAME_BYTES} bytes`;
      if (before !== undefined) outcome.links.push({ of: device, isUp: false });
      return;
    }
    this.#bytes += names.bytes;
    this.#devices.set(device, { speaker, isBorn: true });
    outcome.links.push({ of: device, isUp: true });
    if (before === undefined ? this.#isRecalling : names.isLike(before.speaker.names)) return;
    const data = { metrics: names.count };
    addNotice(outcome, device, { kind: "birth", timeMs: payload.timestampMs, data });
  }

  #takeDeviceDeath({ device = "", payload, connection }: NodeMessage, outcome: NodeOutcome): void {
    const before = this.#forgetDevice(device);
    this.#birth?.sequence.forget();
    outcome.links.push({ of: device, isUp: false });
    // Known to be dead, or never born.
    if (before === undefined && this.#birth?.connection === connection) return;
    addNotice(outcome, device, { kind: "death", timeMs: payload.timestampMs, data: {} });
  }

  #forgetDevice(device: string): DeviceEntry | undefined {
    const entry = this.#devices.get(device);
    this.#devices.delete(device);
    this.#bytes -= entry?.speaker.names.bytes ?? 0;
    return entry;
  }

  /** The births that make DATA of `device` readable; `undefined`: it is without birth. */
  #speakerOf(device: Whom): Speaker | undefined {
    if (device === undefined) return this.#speaker;
    this.#isRecalling = false;
    const entry = this.#devices.get(device);
    return entry?.isBorn === true ? entry.speaker : undefined;
  }

  /** Sorts out the metrics that can be read. */
  #read(metrics: readonly SparkplugMetric[], speaker: Speaker, outcome: NodeOutcome): void {
    const { names, position } = speaker;
    const isSure = this.#isInStep;
    const named = isSure ? (metric: SparkplugMetric) => names.find(metric) : selfExplained;
    outcome.named = named;
    outcome.metrics = metrics.filter((metric) => named(metric) !== undefined);
    if (isSure) outcome.position = position;
    const unknown = metrics.length - outcome.metrics.length;
    if (unknown === 0) return;
    outcome.wantsRebirth = true;
    outcome.unread = isSure
      ? `${unknown} of ${metrics.length} metrics are not in the birth`
      : `${unknown} of ${metrics.length} metrics have no name or no datatype of their own, and a birth may have been missed`;
  }
}

const newSpeaker = (metrics: readonly SparkplugMetric[]): Speaker => ({
  names: new MetricNames(metrics),
  position: { latitude: undefined, longitude: undefined },
});

/** The number that a death has in common with its birth. */
function bdSeqOf({ metrics }: SparkplugPayload): number | undefined {
  const metric = metrics.find(({ name }) => name === "bdSeq");
  const value = metric && metricValue(metric, undefined);
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

import { MAX_READINGS } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../fields/decoder.ts";
import { Epoch } from "./epoch.ts";
import { readSentences, type Sentence } from "./sentence.ts";
import { date, nearestMoment, timeOfDay } from "./values.ts";

/**
 * NMEA 0183 (IEC 61162-1) sentences RMC, GGA, VTG and GSA of any talker, one reading per moment. One
 * sentence that is wrong refuses the whole message, because the moment it belongs to would be incomplete
 * unnoticed; the message goes to the quarantine then. Other sentences count as ignored.
 */
export const nmea: Decoder = {
  name: "nmea",
  topicFormat: "nmea",
  decode(payload, { receivedAtMs }) {
    const { sentences, ignored } = readSentences(payload);
    const epochs = joinEpochs(sentences, receivedAtMs);
    let nearMs = epochs.map(momentOf).find((timeMs) => timeMs !== undefined) ?? receivedAtMs;
    const readings = epochs.map((epoch) => {
      const timeMs = momentOf(epoch);
      if (timeMs !== undefined) nearMs = timeMs;
      if (timeMs !== undefined || epoch.timeOfDayMs === undefined) return epoch.toReading(timeMs);
      return epoch.toReading(nearestMoment(epoch.timeOfDayMs, nearMs));
    });
    return { readings, notices: [], ignored };
  },
};

/** When an epoch was, if its sentences say all of it. */
function momentOf({ dateMs, timeOfDayMs }: Epoch): number | undefined {
  return dateMs === undefined || timeOfDayMs === undefined ? undefined : dateMs + timeOfDayMs;
}

/**
 * Puts together the sentences of one moment. RMC and GGA have a time; VTG and GSA belong to the
 * sentence with a time before them. If that moment has theirs already, the receiver sends them
 * first, and they belong to the moment that follows.
 */
function joinEpochs(sentences: readonly Sentence[], receivedAtMs: number): readonly Epoch[] {
  const epochs: Epoch[] = [];
  const latestByTime = new Map<number | undefined, Epoch>();
  let current: Epoch | undefined;
  let early: Sentence[] = [];
  let previous: Sentence | undefined;

  const begin = (timeOfDayMs: number | undefined): Epoch => {
    const epoch = new Epoch(timeOfDayMs);
    epochs.push(epoch);
    if (epochs.length <= MAX_READINGS) return epoch;
    throw new DomainError("DECODE_FAILED", `more than ${MAX_READINGS} moments`);
  };
  const epochOf = (sentence: Sentence, dateMs: number | undefined): Epoch => {
    const timeOfDayMs = timeOfDay(sentence, 1);
    const known = latestByTime.get(timeOfDayMs);
    if (known !== undefined && isOneMoment(known, known === current, sentence, dateMs)) {
      return known;
    }
    const epoch = begin(timeOfDayMs);
    latestByTime.set(timeOfDayMs, epoch);
    return epoch;
  };

  for (const sentence of sentences) {
    const { formatter } = sentence;
    if (formatter === "RMC" || formatter === "GGA") {
      const dateMs = formatter === "RMC" ? date(sentence, 9, receivedAtMs) : undefined;
      current = epochOf(sentence, dateMs);
      current.dateMs ??= dateMs;
      current.add(sentence);
      for (const one of early) current.add(one);
      early = [];
    } else {
      // Several GSA in a row, one a constellation, are one statement.
      const isRepeat = current?.has(formatter) === true && previous?.formatter !== formatter;
      if (current === undefined || isRepeat || early.length > 0) early.push(sentence);
      else current.add(sentence);
    }
    previous = sentence;
  }
  if (early.length > 0) {
    const last = current ?? begin(undefined);
    for (const one of early) last.add(one);
  }
  return epochs;
}

/**
 * Whether a sentence with the time of day of a known epoch belongs to it. A second one of its kind does
 * only in direct succession ($GPGGA and $GNGGA of one second); else it is of another day.
 */
function isOneMoment(
  epoch: Epoch,
  isCurrent: boolean,
  { formatter }: Sentence,
  dateMs: number | undefined,
): boolean {
  if (dateMs !== undefined && epoch.dateMs !== undefined && dateMs !== epoch.dateMs) return false;
  return isCurrent || !epoch.has(formatter);
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KAFKA, type KafkaBrokers, startKafka } from "../../support/kafka/kafka-brokers.ts";
import { appendTo, freshTopic, numbersIn, openLog } from "../../support/kafka/kafka-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const absence = KAFKA.absent === undefined ? "" : ` (skipped: ${KAFKA.absent})`;

it.runIf(KAFKA.required)("Kafka is there for logs on three brokers, as required", () => {
  expect(KAFKA.absent).toBeUndefined();
});

describe.skipIf(KAFKA.absent !== undefined)(`a log on three brokers${absence}`, () => {
  let kafka: KafkaBrokers;
  beforeAll(async () => {
    kafka = await startKafka({ count: 3 });
  });
  afterAll(() => kafka?.close());

  it("each broker is killed in turn while records come in: none acknowledged is lost, none stored twice", async () => {
    const topic = freshTopic();
    const log = await openLog(kafka.addresses, { topic, partitions: 3 });
    // Any broker may be the one that the group asks.
    let has: readonly number[] = [];
    const member = log.join(`group-${topic}`, (partitions) => {
      has = partitions;
    });
    const readers = await Promise.all([0, 1, 2].map((partition) => log.openReader(partition)));
    const acknowledged: number[] = [];
    const refused: number[] = [];
    let n = 0;
    let isOver = false;
    const producing = (async () => {
      while (!isOver) {
        n += 1;
        const number = n;
        appendTo(log, number, number % 3).then(
          () => acknowledged.push(number),
          () => refused.push(number),
        );
        if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    for (const broker of [0, 1, 2]) {
      const before = acknowledged.length;
      await until("records come in", () => acknowledged.length > before + 500, PATIENT_MS);
      await kafka.kill(broker);
      const after = acknowledged.length;
      await until("they do without it", () => acknowledged.length > after + 500, PATIENT_MS);
      await kafka.start(broker);
    }
    isOver = true;
    await producing;
    await until(
      "every record is answered for",
      () => acknowledged.length + refused.length === n,
      PATIENT_MS,
    );
    await until(
      "the group works",
      () => member.trouble === undefined && has.length === 3,
      PATIENT_MS,
    );
    for (const [i] of readers.entries()) await untilAtEnd(i);
    const found = await Promise.all(readers.map((reader) => numbersIn(reader, 1)));
    const stored = found.flat().sort((a, b) => a - b);
    expect(stored.length).toBeGreaterThan(3_000);
    expect(new Set(stored).size).toBe(stored.length);
    expect(acknowledged.sort((a, b) => a - b)).toEqual(stored);
    for (const numbers of found) expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    await member.leave();
    await Promise.all(readers.map((reader) => reader.close()));
    await log.close();

    /** The reader has learned of the last record. */
    async function untilAtEnd(partition: number): Promise<void> {
      const fresh = await log.openReader(partition);
      await until(
        `reader ${partition} is at the end`,
        () => readers[partition]?.syncedSequence === fresh.syncedSequence,
        PATIENT_MS,
      );
      await fresh.close();
    }
  });
});

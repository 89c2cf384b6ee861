import { describeConfigsV4 } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KafkaCluster } from "../../../storage/kafka/cluster.ts";
import type { KafkaLog } from "../../../storage/kafka/kafka-log.ts";
import { describeJournal } from "../../contracts/journal.ts";
import { range } from "../../support/journal.ts";
import { raisePartitions } from "../../support/kafka/add-partitions.ts";
import { KAFKA, type KafkaBrokers, startKafka } from "../../support/kafka/kafka-brokers.ts";
import {
  appendTo,
  freshTopic,
  numbersIn,
  openJournalOn,
  openLog,
} from "../../support/kafka/kafka-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { createAuthority } from "../../support/test-authority.ts";
import { until } from "../../support/until.ts";

const absence = KAFKA.absent === undefined ? "" : ` (skipped: ${KAFKA.absent})`;
/** Settings of a topic that are looked at. */
const NAMES = [
  "retention.ms",
  "cleanup.policy",
  "min.insync.replicas",
  "message.timestamp.type",
  "unclean.leader.election.enable",
];
/** Resource type of a topic (kafka.apache.org/protocol, DescribeConfigs). */
const TOPIC = 2;

it.runIf(KAFKA.required)("Kafka is there for the log, as required", () => {
  expect(KAFKA.absent).toBeUndefined();
});

it("the log refuses to open with STORE_UNAVAILABLE where no broker listens", async () => {
  await expect(openLog(["127.0.0.1:9", "127.0.0.1:10"])).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining("Kafka at 127.0.0.1:9,127.0.0.1:10 does not answer"),
  });
});

describe.skipIf(KAFKA.absent !== undefined)(`a log on one broker${absence}`, () => {
  const login = { username: "plumbline", password: "the-password-of-this-test" };
  let kafka: KafkaBrokers;
  let ca: string;
  let client: { readonly cert: string; readonly key: string };

  beforeAll(async () => {
    const authority = await createAuthority("CN=Kafka CA,O=Acme");
    ca = authority.cert;
    const { cert: certificate, key } = await authority.issue({
      subject: "CN=broker",
      names: [{ type: "ip", value: "127.0.0.1" }],
      usage: "server",
    });
    client = await authority.issue({ subject: "CN=plumbline", names: [], usage: "client" });
    kafka = await startKafka({ secure: { certificate, key, ...login, clientAuthority: ca } });
  });
  afterAll(() => kafka?.close());

  describeJournal("Kafka", async () => {
    const topic = freshTopic();
    return {
      open: async () => await openJournalOn(await openLog(kafka.addresses, { topic })),
      cleanUp: async () => undefined,
    };
  });

  it("a topic is made with the partitions asked for, 96 h of retention and the brokers' clock", async () => {
    const topic = freshTopic();
    const log = await openLog(kafka.addresses, { topic, partitions: 5 });
    const cluster = new KafkaCluster({ brokers: kafka.addresses, clientId: "test" });
    const resource = { resourceType: TOPIC, resourceName: topic, configurationKeys: [...NAMES] };
    const { results } = await cluster.askAny((connection) =>
      describeConfigsV4.api.async(connection, [resource], false, false),
    );
    const configs = new Map(results[0]?.configs.map(({ name, value }) => [name, value]));
    cluster.close();
    expect(log.partitions).toBe(5);
    expect({
      retention: configs.get("retention.ms"),
      policy: configs.get("cleanup.policy"),
      insync: configs.get("min.insync.replicas"),
      clock: configs.get("message.timestamp.type"),
      unclean: configs.get("unclean.leader.election.enable"),
    }).toEqual({
      retention: String(96 * 3_600_000),
      policy: "delete",
      insync: "1",
      clock: "LogAppendTime",
      unclean: "false",
    });
    await log.close();
  });

  it("two logs that open together on no topic make one, and a later one keeps its partitions", async () => {
    const topic = freshTopic();
    const logs = await Promise.all(
      [3, 3].map((partitions) => openLog(kafka.addresses, { topic, partitions })),
    );
    logs.push(await openLog(kafka.addresses, { topic, partitions: 8 }));
    expect(logs.map((log) => log.partitions)).toEqual([3, 3, 3]);
    for (const log of logs) await log.close();
  });

  it("a topic that the brokers refuse to make is an error with the command that makes it", async () => {
    const topic = freshTopic();
    await expect(
      openLog(kafka.addresses, { topic, partitions: 12, replicas: 3 }),
    ).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining(
        `kafka-topics.sh --bootstrap-server ${kafka.addresses[0]} --create --topic ${topic} ` +
          "--partitions 12 --replication-factor 3 --config cleanup.policy=delete " +
          "--config retention.ms=345600000 --config retention.bytes=-1 --config min.insync.replicas=2",
      ),
    });
  });

  it("partitions have records and places of their own", async () => {
    const log = await openLog(kafka.addresses, { partitions: 3 });
    await Promise.all(range(1, 300).map((n) => appendTo(log, n, n % 3)));
    const readers = await Promise.all([0, 1, 2].map((partition) => log.openReader(partition)));
    const found = await Promise.all(readers.map((reader) => numbersIn(reader, 100)));
    expect(found).toEqual([0, 1, 2].map((i) => range(1, 300).filter((n) => n % 3 === i)));
    expect(new Set(readers.map(({ id }) => id)).size).toBe(3);
    await Promise.all(readers.map((reader) => reader.close()));
    await log.close();
  });

  it("records of 12 MB that left the reader's memory are read back in order", async () => {
    const log = await openLog(kafka.addresses);
    const reader = await log.openReader(0);
    await Promise.all(range(1, 3_000).map((n) => appendTo(log, n, 0, 4_000)));
    expect(await numbersIn(reader, 3_000)).toEqual(range(1, 3_000));
    await reader.close();
    await log.close();
  });

  it.each([
    "PLAIN",
    "SCRAM-SHA-256",
    "SCRAM-SHA-512",
  ] as const)("a log with TLS and a log-in by %s stores records; a wrong password is an error that says where and what to look at", async (mechanism) => {
    const sasl = { mechanism, ...login };
    await storesOne(kafka.secureAddresses, { tls: { ca }, sasl });
    for (const wrong of [{ password: "another" }, { username: "nobody" }]) {
      const refused = openLog(kafka.secureAddresses, { tls: { ca }, sasl: { ...sasl, ...wrong } });
      await expect(refused).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringMatching(
          /^Kafka at 127\.0\.0\.1:\d+ .*the log-in is refused; see .*KAFKA_USERNAME and KAFKA_PASSWORD$/,
        ),
      });
    }
  });

  it("a log proves itself by a client's certificate, and is not let in without one", async () => {
    await storesOne(kafka.mutualAddresses, { tls: { ca, cert: client.cert, key: client.key } });
    await expect(openLog(kafka.mutualAddresses, { tls: { ca } })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("KAFKA_CERT_FILE"),
    });
  });

  it("a log that does not know the brokers' authority names the setting, and one that speaks TLS where none is is refused", async () => {
    const sasl = { mechanism: "PLAIN" as const, ...login };
    await expect(openLog(kafka.secureAddresses, { tls: {}, sasl })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("KAFKA_CA_FILE"),
    });
    await expect(openLog(kafka.addresses, { tls: { ca } })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
  });

  async function storesOne(
    addresses: readonly string[],
    options: Parameters<typeof openLog>[1],
  ): Promise<void> {
    const log = await openLog(addresses, options);
    await appendTo(log, 1);
    const reader = await log.openReader(0);
    expect(await numbersIn(reader, 1)).toEqual([1]);
    await reader.close();
    await log.close();
  }

  it("a log refuses with JOURNAL_FULL above its bound of bytes, and takes records again when they are stored", async () => {
    const log = await openLog(kafka.addresses, { mostBytes: 100_000 });
    const states: string[] = [];
    log.onState((state) => states.push(state));
    // None of them leaves before this turn of the event loop has ended.
    const answers = await Promise.all(
      range(1, 200).map((n) =>
        appendTo(log, n, 0, 1_000).then(
          () => "stored",
          (error) => error.code,
        ),
      ),
    );
    const stored = answers.filter((answer) => answer === "stored").length;
    expect(stored).toBeGreaterThanOrEqual(95);
    expect(stored).toBeLessThan(105);
    expect(answers.slice(stored)).toEqual(range(stored + 1, 200).map(() => "JOURNAL_FULL"));
    expect(states).toEqual(["full", "open"]);
    await appendTo(log, 201);
    const reader = await log.openReader(0);
    expect(await numbersIn(reader, stored + 1)).toEqual([...range(1, stored), 201]);
    await reader.close();
    await log.close();
  });

  it("a broker that hangs fails the log; what was in flight is acknowledged later, and stored once", async () => {
    const log = await openLog(kafka.addresses, { awayMs: 500 });
    await appendTo(log, 1);
    kafka.freeze(0);
    let answered = 0;
    const waiting = Promise.all(
      range(2, 50).map((n) => appendTo(log, n).then(() => (answered += 1))),
    );
    await until("the log has failed", () => log.state === "failed", PATIENT_MS);
    expect(log.trouble).toContain("Kafka does not store records");
    await expect(appendTo(log, 51)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    // The request is sent again on another connection; the broker then has it twice.
    await until("it was given up", () => log.trouble?.includes("no answer of"), PATIENT_MS);
    expect(answered).toBe(0);
    kafka.thaw(0);
    await waiting;
    await until("the log takes records", () => log.state === "open", PATIENT_MS);
    await appendTo(log, 52);
    const reader = await log.openReader(0);
    expect(await numbersIn(reader, 51)).toEqual([...range(1, 50), 52]);
    await reader.close();
    await log.close();
  });

  it("partitions that the topic is given later take records, and are shared out like the others", async () => {
    const topic = freshTopic();
    const logs = await Promise.all(
      ["a", "b"].map(() => openLog(kafka.addresses, { topic, partitions: 2 })),
    );
    const [log] = logs as [KafkaLog, KafkaLog];
    const has: (readonly number[])[] = [[], []];
    const groups = logs.map((one, i) =>
      one.join(`group-${topic}`, (partitions) => {
        has[i] = partitions;
      }),
    );
    const shares = (first: number, second: number) => () =>
      [first, second].sort().join() ===
        has
          .map(({ length }) => length)
          .sort()
          .join() && new Set(has.flat()).size === first + second;
    await until("both have a partition", shares(1, 1), PATIENT_MS);
    await raisePartitions(kafka.addresses, topic, 5);
    await until("the five are shared out", shares(2, 3), PATIENT_MS);
    await until("the log knows them", () => log.partitions === 5, PATIENT_MS);
    await appendTo(log, 7, 4);
    const reader = await log.openReader(4);
    expect(await numbersIn(reader, 1)).toEqual([7]);
    expect(await reader.readEnd()).toBe(1);
    await appendTo(log, 8, 4);
    expect(await reader.readEnd()).toBe(2);
    await reader.close();
    for (const group of groups) await group.leave();
    for (const one of logs) await one.close();
  });

  it("a member that cannot work has no partitions until it can, and all keep theirs where none can", async () => {
    const topic = freshTopic();
    const log = await openLog(kafka.addresses, { topic, partitions: 6 });
    const able = [true, true];
    const has: (readonly number[])[] = [[], []];
    const groups = able.map((_, i) =>
      log.join(
        `group-${topic}`,
        (partitions) => {
          has[i] = partitions;
        },
        () => able[i] ?? true,
      ),
    );
    const shares = (first: number, second: number) => () =>
      has[0]?.length === first && has[1]?.length === second && new Set(has.flat()).size === 6;
    await until("both have three", shares(3, 3), PATIENT_MS);
    able[0] = false;
    await until("the second has all", shares(0, 6), PATIENT_MS);
    able[1] = false;
    await until("where none can work it is as if all could", shares(3, 3), PATIENT_MS);
    able.fill(true);
    await until("both have three again", shares(3, 3), PATIENT_MS);
    expect(has.flat().sort()).toEqual(range(0, 5));
    for (const group of groups) await group.leave();
    await log.close();
  });

  it("members of a group share the partitions; what one leaves, or loses by its silence, the others get", async () => {
    const topic = freshTopic();
    const log = await openLog(kafka.addresses, { topic, partitions: 6 });
    const gone = await openLog(kafka.addresses, { topic, partitions: 6 });
    const has = new Map<string, readonly number[]>();
    const join = (of: KafkaLog, name: string) =>
      of.join(`group-${topic}`, (partitions) => has.set(name, partitions));
    const shares = (...names: readonly string[]) => {
      const all = names.flatMap((name) => [...(has.get(name) ?? [])]);
      const sizes = names.map((name) => has.get(name)?.length ?? 0);
      return all.sort().join() === "0,1,2,3,4,5" && Math.max(...sizes) - Math.min(...sizes) <= 1;
    };
    const a = join(log, "a");
    await until("a has all", () => shares("a"), PATIENT_MS);
    const b = join(log, "b");
    const c = join(gone, "c");
    await until("three share", () => shares("a", "b", "c"), PATIENT_MS);
    await a.leave();
    await until("two share", () => shares("b", "c"), PATIENT_MS);
    // Its connections are cut, and nobody says goodbye.
    await gone.close();
    await until("b has all", () => shares("b"), PATIENT_MS);
    await until("c knows that it may have lost them", () => has.get("c")?.length === 0, PATIENT_MS);
    expect(c.trouble).toContain("the group of Kafka's consumers");
    expect(b.trouble).toBeUndefined();
    await b.leave();
    await c.leave();
    await log.close();
  });
});

import { DomainError } from "../domain/errors.ts";
import { choice, integer, optionalText, type Setting, secret, text } from "./setting.ts";

/** Apache Kafka as the journal that several ingest processes share. */
export const KAFKA_SETTINGS = {
  kafkaBrokers: brokers(
    "KAFKA_BROKERS",
    "Brokers of the Apache Kafka that ingest processes share as their journal, as kafka-1:9092,kafka-2:9092; unset: each has a journal of its own in DATA_DIR.",
  ),
  kafkaTopicPrefix: text(
    "KAFKA_TOPIC_PREFIX",
    "Beginning of the names of topics and consumer groups at KAFKA_BROKERS; the same in all ingest processes.",
    "plumbline",
  ),
  kafkaPartitions: integer(
    "KAFKA_PARTITIONS",
    "Partitions of the topic, where the service makes it: at most so many ingest processes share the work.",
    12,
    { min: 1, max: 256 },
  ),
  kafkaTls: choice(
    "KAFKA_TLS",
    "Whether connections to KAFKA_BROKERS are encrypted.",
    ["true", "false"],
    "false",
  ),
  kafkaCaFile: optionalText(
    "KAFKA_CA_FILE",
    "PEM authorities that the brokers at KAFKA_BROKERS are checked by; unset: those of the system.",
  ),
  kafkaCertFile: optionalText(
    "KAFKA_CERT_FILE",
    "PEM certificate that the service shows to KAFKA_BROKERS, where they ask for one.",
  ),
  kafkaKeyFile: optionalText("KAFKA_KEY_FILE", "PEM private key that belongs to KAFKA_CERT_FILE."),
  kafkaSaslMechanism: choice(
    "KAFKA_SASL_MECHANISM",
    "How the service logs in at KAFKA_BROKERS.",
    ["none", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"],
    "none",
  ),
  kafkaUsername: optionalText("KAFKA_USERNAME", "User name of the service at KAFKA_BROKERS."),
  kafkaPassword: secret("KAFKA_PASSWORD", "Password of the service at KAFKA_BROKERS.", 1),
};

/** A host, and a port behind it. */
const BROKER = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/;

/** Addresses as `host:port`, separated by commas; none: unset. */
function brokers(env: string, doc: string): Setting<readonly string[]> {
  return {
    env,
    doc,
    fallback: "",
    parse(value) {
      const given = value
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
      for (const one of given) {
        if (BROKER.test(one) && Number(one.slice(one.lastIndexOf(":") + 1)) <= 65_535) continue;
        throw new DomainError("SETTINGS_INVALID", `${env}="${one}" is not host:port`);
      }
      return given;
    },
  };
}

/** The settings that rules about Kafka look at. */
interface Given {
  readonly kafkaBrokers: readonly string[];
  readonly kafkaTls: string;
  readonly kafkaCaFile: string | undefined;
  readonly kafkaCertFile: string | undefined;
  readonly kafkaKeyFile: string | undefined;
  readonly kafkaSaslMechanism: string;
  readonly kafkaUsername: string | undefined;
  readonly kafkaPassword: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly influxUrl: string | undefined;
}

/** Rules of Kafka that need more than one setting. */
export function kafkaContradictions(settings: Given): readonly string[] {
  if (settings.kafkaBrokers.length === 0) return [];
  const problems: string[] = [];
  const { databaseUrl, influxUrl } = settings;
  const missing = [
    ...(databaseUrl === undefined ? ["DATABASE_URL"] : []),
    ...(influxUrl === undefined ? ["INFLUX_URL"] : []),
  ];
  if (missing.length > 0) {
    problems.push(`KAFKA_BROKERS needs ${missing.join(", ")}: processes share them`);
  }
  if ((settings.kafkaCertFile === undefined) !== (settings.kafkaKeyFile === undefined)) {
    problems.push("KAFKA_CERT_FILE and KAFKA_KEY_FILE need each other");
  }
  const files = [settings.kafkaCaFile, settings.kafkaCertFile];
  if (settings.kafkaTls === "false" && files.some((file) => file !== undefined)) {
    problems.push("KAFKA_CA_FILE and KAFKA_CERT_FILE need KAFKA_TLS=true");
  }
  const hasLogin = settings.kafkaUsername !== undefined && settings.kafkaPassword !== undefined;
  if (settings.kafkaSaslMechanism !== "none" && !hasLogin) {
    problems.push("KAFKA_SASL_MECHANISM needs KAFKA_USERNAME and KAFKA_PASSWORD");
  }
  return problems;
}

import { describe, expect, it } from "vitest";
import { readSettings } from "../../config/settings.ts";

/** An ingest process on Kafka. */
const KAFKA = {
  ROLE: "ingest",
  KAFKA_BROKERS: "kafka-1:9092, [fd00::7]:9093",
  DATABASE_URL: "postgres://db/plumbline",
  INFLUX_URL: "http://influx:8086",
  S3_BUCKET: "plumbline",
  SECRET_KEY: "a secret key of more than thirty-two characters",
};

describe("settings", () => {
  it("settings read brokers of Kafka as a list, and log in at none by default", () => {
    expect(readSettings({}).kafkaBrokers).toEqual([]);
    expect(readSettings(KAFKA)).toMatchObject({
      kafkaBrokers: ["kafka-1:9092", "[fd00::7]:9093"],
      kafkaTopicPrefix: "plumbline",
      kafkaPartitions: 12,
      kafkaTls: "false",
      kafkaSaslMechanism: "none",
    });
  });

  it("settings are all optional", () => {
    expect(readSettings({})).toMatchObject({
      httpPort: 8080,
      mqttPort: 1883,
      dataDir: "./data",
      retentionDays: 90,
      databaseUrl: undefined,
    });
  });

  it("settings treat an empty variable as unset", () => {
    expect(readSettings({ HTTP_PORT: "", TLS_CERT_FILE: "" }).httpPort).toBe(8080);
  });

  it("settings read networks, and single addresses as networks of one", () => {
    const read = (text: string) => readSettings({ OUTBOUND_ALLOW_CIDRS: text }).outboundAllowCidrs;
    expect(read("")).toEqual([]);
    expect(read("10.0.0.0/8, 192.168.7.9,fd00::/8,::1")).toEqual([
      "10.0.0.0/8",
      "192.168.7.9/32",
      "fd00::/8",
      "::1/128",
    ]);
  });

  it("settings cannot be changed", () => {
    expect(Object.isFrozen(readSettings({}))).toBe(true);
  });

  it.each([
    [{ HTTP_PORT: "65536" }, 'HTTP_PORT="65536" is not a whole number from 0 to 65535, or off'],
    [{ HTTP_PORT: "eighty" }, 'HTTP_PORT="eighty" is not a whole number from 0 to 65535'],
    [
      { OUTBOUND_ALLOW_CIDRS: "10.0.0.0/33" },
      'OUTBOUND_ALLOW_CIDRS="10.0.0.0/33" is not a network',
    ],
    [{ OUTBOUND_ALLOW_CIDRS: "10.1/8" }, 'OUTBOUND_ALLOW_CIDRS="10.1/8" is not a network'],
    [{ OUTBOUND_ALLOW_CIDRS: "::1/8,local" }, 'OUTBOUND_ALLOW_CIDRS="local" is not a network'],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL="loud" is not one of'],
    [{ DATABASE_URL: "mysql://x" }, 'DATABASE_URL="mysql://x" is not a URL that starts with'],
    [{ TLS_CERT_FILE: "a.pem" }, "TLS_CERT_FILE and TLS_KEY_FILE go together"],
    [{ HTTP_PORT: "off" }, "HTTP_PORT=off needs HTTPS_PORT: the API would listen nowhere"],
    [{ KAFKA_BROKERS: "kafka-1:9092,kafka-2" }, 'KAFKA_BROKERS="kafka-2" is not host:port'],
    [
      { KAFKA_BROKERS: "kafka-1:9092" },
      "KAFKA_BROKERS needs DATABASE_URL, INFLUX_URL: processes share them; KAFKA_BROKERS needs ROLE=ingest",
    ],
    [{ ...KAFKA, KAFKA_CERT_FILE: "a.pem" }, "KAFKA_CERT_FILE and KAFKA_KEY_FILE need each other"],
    [{ ...KAFKA, KAFKA_CA_FILE: "ca.pem" }, "KAFKA_CERT_FILE need KAFKA_TLS=true"],
    [
      { ...KAFKA, KAFKA_SASL_MECHANISM: "SCRAM-SHA-512", KAFKA_USERNAME: "plumbline" },
      "KAFKA_SASL_MECHANISM needs KAFKA_USERNAME and KAFKA_PASSWORD",
    ],
    [
      { ROLE: "api", INFLUX_URL: "http://influx:8086" },
      "ROLE=api needs DATABASE_URL, S3_BUCKET, SECRET_KEY",
    ],
  ])("settings refuse %j", (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message);
  });

  it("settings let an external broker feed one process, or several on Kafka, beside listeners of other protocols", () => {
    const external = {
      MQTT_URL: "mqtt://broker:1883",
      OSMAND_PORT: "5055",
      TELTONIKA_PORT: "5027",
    };
    expect(readSettings(external).role).toBe("all");
    expect(readSettings({ ...KAFKA, ...external }).kafkaBrokers).toHaveLength(2);
  });

  it("settings never print a secret that is too short", () => {
    const short = "hunter2hunter2";
    expect(() => readSettings({ ADMIN_API_KEY: short })).toThrow(
      /^ADMIN_API_KEY needs 32 characters or more$/,
    );
  });

  it("settings refuse the placeholders of example files without printing the rest of the value", () => {
    for (const value of ["CHANGE-ME", "postgres://plumbline:changeme@postgres/plumbline"]) {
      expect(() => readSettings({ DATABASE_URL: value })).toThrow(
        /^DATABASE_URL still holds the placeholder of an example file$/,
      );
    }
  });

  it("settings name every variable that is wrong at once", () => {
    expect(() => readSettings({ HTTP_PORT: "x", RETENTION_DAYS: "1" })).toThrow(
      /HTTP_PORT.*RETENTION_DAYS/,
    );
  });
});

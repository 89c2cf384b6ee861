import { DomainError } from "../domain/errors.ts";
import { CLUSTER_SETTINGS } from "./cluster-settings.ts";
import { FILES_SETTINGS } from "./files-settings.ts";
import { INFLUX_SETTINGS } from "./influx-settings.ts";
import { PROCESSING_SETTINGS } from "./processing-settings.ts";
import {
  choice,
  cidrs,
  integer,
  optionalInteger,
  optionalText,
  optionalUrl,
  type Setting,
  secret,
  text,
} from "./setting.ts";

const PORT = { min: 0, max: 65_535 };

/** Every setting of the service, in the order of `.env.example` and of the README's table. */
export const SETTINGS = {
  httpHost: text("HTTP_HOST", "Address the HTTP API listens on.", "0.0.0.0"),
  httpPort: integer("HTTP_PORT", "Port of the HTTP API; 0 takes any free port.", 8080, PORT),
  mqttHost: text("MQTT_HOST", "Address the MQTT broker listens on.", "0.0.0.0"),
  mqttPort: integer("MQTT_PORT", "Port of plain MQTT; 0 takes any free port.", 1883, PORT),
  mqttWsPort: optionalInteger(
    "MQTT_WS_PORT",
    "Port of MQTT over WebSocket (path /mqtt); unset: no listener.",
    PORT,
  ),
  mqttsPort: integer(
    "MQTTS_PORT",
    "Port of MQTT over TLS; used when TLS_CERT_FILE and TLS_KEY_FILE are set.",
    8883,
    PORT,
  ),
  tlsCertFile: optionalText("TLS_CERT_FILE", "PEM certificate chain for MQTT over TLS."),
  tlsKeyFile: optionalText("TLS_KEY_FILE", "PEM private key that belongs to TLS_CERT_FILE."),
  tlsCaFile: optionalText(
    "TLS_CA_FILE",
    "PEM authorities of client certificates; when set, devices must present one.",
  ),
  teltonikaHost: text(
    "TELTONIKA_HOST",
    "Address that Teltonika trackers connect to over TCP.",
    "0.0.0.0",
  ),
  teltonikaPort: optionalInteger(
    "TELTONIKA_PORT",
    "Port of Teltonika Codec 8 and 8 Extended over TCP, by custom 5027; 0 takes any free port; unset: no listener.",
    PORT,
  ),
  osmandHost: text(
    "OSMAND_HOST",
    "Address that phones and scripts report to over HTTP (OsmAnd protocol, Traccar Client).",
    "0.0.0.0",
  ),
  osmandPort: optionalInteger(
    "OSMAND_PORT",
    "Port of the OsmAnd protocol and of Traccar Client over HTTP, by custom 5055; 0 takes any free port; unset: no listener.",
    PORT,
  ),
  dataDir: text(
    "DATA_DIR",
    "Folder of the journal, the embedded stores and the secrets.",
    "./data",
  ),
  adminApiKey: secret(
    "ADMIN_API_KEY",
    "Bootstrap key with every scope and the enterprise plan, 32 characters or more; unset: the first start makes one and prints it once.",
    32,
  ),
  secretKey: secret(
    "SECRET_KEY",
    "Pepper of every stored hash, 32 characters or more; unset: made at the first start and kept in DATA_DIR/secret.key (mode 0600).",
    32,
  ),
  databaseUrl: optionalUrl(
    "DATABASE_URL",
    "PostgreSQL 14 or newer; unset: the embedded PGlite in DATA_DIR.",
    ["postgres:", "postgresql:"],
  ),
  databaseConnections: integer(
    "DATABASE_CONNECTIONS",
    "Connections of one process to DATABASE_URL at most.",
    10,
    { min: 2, max: 500 },
  ),
  databaseStatementMs: integer(
    "DATABASE_STATEMENT_MS",
    "Longest run of one statement at DATABASE_URL, milliseconds.",
    10_000,
    { min: 1_000, max: 600_000 },
  ),
  ...INFLUX_SETTINGS,
  ...CLUSTER_SETTINGS,
  ...FILES_SETTINGS,
  ...PROCESSING_SETTINGS,
  retentionDays: integer(
    "RETENTION_DAYS",
    "Days that telemetry, events, visits and resolved alerts are kept; also the oldest device time that is believed.",
    90,
    { min: 4, max: 3_650 },
  ),
  deviceReadingsPerS: integer(
    "DEVICE_READINGS_PER_S",
    "Sustained readings per second of one device before it is read more slowly.",
    20,
    { min: 1, max: 1_000_000 },
  ),
  deviceBurstReadings: integer(
    "DEVICE_BURST_READINGS",
    "Readings that one device may send at once before DEVICE_READINGS_PER_S applies.",
    5_000,
    { min: 1_000, max: 10_000_000 },
  ),
  outboundAllowCidrs: cidrs(
    "OUTBOUND_ALLOW_CIDRS",
    "Private networks that webhooks may be posted to, readings forwarded to, fleets and images fetched from, on any port, as 192.168.7.0/24,fd00::/8; unset: public addresses on ports 80 and 443 only, and 1883 and 8883 for MQTT.",
  ),
  imageFetchAllowCidrs: cidrs(
    "IMAGE_FETCH_ALLOW_CIDRS",
    "Private networks that images may be fetched from beside those of OUTBOUND_ALLOW_CIDRS, and nothing sent to; unset: none.",
  ),
  minFreeDiskBytes: optionalInteger(
    "MIN_FREE_DISK_BYTES",
    "Free disk space at which intake stops acknowledging; unset: the larger of 1 GiB and 5 % of the disk.",
    { min: 0, max: Number.MAX_SAFE_INTEGER },
  ),
  logLevel: choice(
    "LOG_LEVEL",
    "Least severe log line that is written.",
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    "info",
  ),
} satisfies Record<string, Setting<unknown>>;

/** The settings of one run, frozen. */
export type Settings = {
  readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]["parse"]>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the whole environment at once.
 * @throws DomainError `SETTINGS_INVALID` naming every variable that is wrong.
 */
export function readSettings(environment: Environment = process.env): Settings {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const given = environment[setting.env];
    const value = given === undefined || given === "" ? setting.fallback : given;
    if (value === undefined) return [name, undefined];
    try {
      return [name, setting.parse(value)];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      problems.push(error.message);
      return [name, undefined];
    }
  });
  // The table above is the type: every name maps to what its own parser returned.
  const settings = Object.fromEntries(entries) as Settings;
  if (problems.length === 0) problems.push(...contradictions(settings));
  if (problems.length > 0) throw new DomainError("SETTINGS_INVALID", problems.join("; "));
  return Object.freeze(settings);
}

/** Rules that need more than one setting. */
function contradictions(settings: Settings): readonly string[] {
  const problems: string[] = [];
  if ((settings.tlsCertFile === undefined) !== (settings.tlsKeyFile === undefined)) {
    problems.push("TLS_CERT_FILE and TLS_KEY_FILE go together: set both or neither");
  }
  if (settings.tlsCaFile !== undefined && settings.tlsCertFile === undefined) {
    problems.push("TLS_CA_FILE needs TLS_CERT_FILE and TLS_KEY_FILE");
  }
  if (settings.teltonikaPort !== undefined && settings.mqttUrl !== undefined) {
    problems.push(
      "TELTONIKA_PORT cannot be used with MQTT_URL: a tracker's link is not handed from node to node",
    );
  }
  if (settings.osmandPort !== undefined && settings.mqttUrl !== undefined) {
    problems.push(
      "OSMAND_PORT cannot be used with MQTT_URL: the node that a phone reaches may not own its project",
    );
  }
  if (settings.role !== "all") {
    const { databaseUrl, influxUrl, s3Bucket, secretKey } = settings;
    const needed = {
      DATABASE_URL: databaseUrl,
      INFLUX_URL: influxUrl,
      S3_BUCKET: s3Bucket,
      SECRET_KEY: secretKey,
    };
    const missing = Object.entries(needed).flatMap(([name, value]) =>
      value === undefined ? [name] : [],
    );
    if (missing.length > 0) {
      problems.push(`ROLE=${settings.role} needs ${missing.join(", ")}: processes share them`);
    }
  }
  return problems;
}

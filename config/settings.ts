import { DomainError } from "../domain/errors.ts";
import { CLUSTER_SETTINGS } from "./cluster-settings.ts";
import { CONSOLE_SETTINGS } from "./console-settings.ts";
import { CORS_SETTINGS } from "./cors-settings.ts";
import { FILES_SETTINGS } from "./files-settings.ts";
import { INFLUX_SETTINGS } from "./influx-settings.ts";
import { KAFKA_SETTINGS, kafkaContradictions } from "./kafka-settings.ts";
import { isPlaceholder } from "./placeholder.ts";
import { PROCESSING_SETTINGS } from "./processing-settings.ts";
import { PROXY_SETTINGS } from "./proxy-settings.ts";
import {
  choice,
  cidrs,
  integer,
  optionalInteger,
  optionalUrl,
  port,
  type Setting,
  secret,
  text,
} from "./setting.ts";
import { tlsContradictions } from "./tls-contradictions.ts";
import { TLS_SETTINGS } from "./tls-settings.ts";

/** Every setting of the service, in the order of `.env.example` and of the table of `docs/settings.md`. */
export const SETTINGS = {
  httpHost: text("HTTP_HOST", "Address the HTTP API listens on.", "0.0.0.0"),
  httpPort: port(
    "HTTP_PORT",
    "Port of the HTTP API; 0 takes any free port; off: no listener, which needs HTTPS_PORT.",
    8080,
  ),
  mqttHost: text("MQTT_HOST", "Address the MQTT broker listens on.", "0.0.0.0"),
  mqttPort: port("MQTT_PORT", "Port of plain MQTT; 0 takes any free port; off: no listener.", 1883),
  mqttWsPort: port(
    "MQTT_WS_PORT",
    "Port of MQTT over WebSocket (path /mqtt); unset or off: no listener.",
  ),
  ...TLS_SETTINGS,
  ...PROXY_SETTINGS,
  ...CORS_SETTINGS,
  ...CONSOLE_SETTINGS,
  teltonikaHost: text(
    "TELTONIKA_HOST",
    "Address that Teltonika trackers connect to over TCP.",
    "0.0.0.0",
  ),
  teltonikaPort: port(
    "TELTONIKA_PORT",
    "Port of Teltonika Codec 8 and 8 Extended over TCP, by custom 5027; 0 takes any free port; unset or off: no listener.",
  ),
  osmandHost: text(
    "OSMAND_HOST",
    "Address that phones and scripts report to over HTTP (OsmAnd protocol, Traccar Client).",
    "0.0.0.0",
  ),
  osmandPort: port(
    "OSMAND_PORT",
    "Port of the OsmAnd protocol and of Traccar Client over HTTP, by custom 5055; 0 takes any free port; unset or off: no listener.",
  ),
  dataDir: text(
    "DATA_DIR",
    "Folder of the journal, the embedded stores and the secrets; only its owner may enter it (mode 0700).",
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
  ...KAFKA_SETTINGS,
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
    "Readings that one device may send at once before DEVICE_READINGS_PER_S applies; the default is what a device saves up in 5.5 h at one a second.",
    20_000,
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
  diskMarginBytes: optionalInteger(
    "DISK_MARGIN_BYTES",
    "Free disk space above MIN_FREE_DISK_BYTES that only intake may use: below both together uploads, survey products, caches and backups are refused (507); unset: as much as MIN_FREE_DISK_BYTES, at most 10 GiB.",
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
 * Reads and checks the whole environment at once; of a `command`, without what only a process of a role needs.
 * @throws DomainError `SETTINGS_INVALID` naming every variable that is wrong.
 */
export function readSettings(
  environment: Environment = process.env,
  reader: "service" | "command" = "service",
): Settings {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const given = environment[setting.env];
    const value = given === undefined || given === "" ? setting.fallback : given;
    if (value === undefined) return [name, undefined];
    if (isPlaceholder(value)) {
      problems.push(`${setting.env} still holds the placeholder of an example file`);
      return [name, undefined];
    }
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
  if (problems.length === 0) {
    problems.push(...contradictions(settings));
    if (reader === "service") problems.push(...roleContradictions(settings));
  }
  if (problems.length > 0) throw new DomainError("SETTINGS_INVALID", problems.join("; "));
  return Object.freeze(settings);
}

/** Rules that need more than one setting. */
function contradictions(settings: Settings): readonly string[] {
  const problems: string[] = [...tlsContradictions(settings), ...kafkaContradictions(settings)];
  if (settings.httpPort === undefined && settings.httpsPort === undefined) {
    problems.push("HTTP_PORT=off needs HTTPS_PORT: the API would listen nowhere");
  }
  if (settings.mapTileUrl !== undefined && settings.mapAttribution === undefined) {
    problems.push("MAP_TILE_URL needs MAP_ATTRIBUTION: licences of map tiles ask for it");
  }
  return problems;
}

/** Rules of the role that a process has. */
function roleContradictions(settings: Settings): readonly string[] {
  const problems: string[] = [];
  if (settings.role === "all" && settings.kafkaBrokers.length > 0) {
    problems.push(
      "KAFKA_BROKERS needs ROLE=ingest beside processes of the other roles: ROLE=all has its journal in DATA_DIR",
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

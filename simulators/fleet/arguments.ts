import { parseArgs } from "node:util";
import type { SimulatorSettings } from "../../config/simulator-settings.ts";
import type { Shift } from "../../domain/project.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { type NumberRange, readNumber } from "../command-line/number-argument.ts";
import { SimulatorError } from "../command-line/simulator-error.ts";
import {
  FLEET_FORMATS,
  FORMAT_CHOICES,
  type FormatChoice,
  type ListenerPorts,
  listenerOf,
} from "./formats/fleet-formats.ts";
import { FLEET_DEFAULTS, type FleetOptions } from "./options.ts";

const RANGES = {
  assets: { min: 1, max: 10_000, whole: true },
  rate: { min: 0.001, max: 100, whole: false },
  hours: { min: 0.001, max: 8_760, whole: false },
  speedup: { min: 1, max: 100_000, whole: false },
  seed: { min: 0, max: 2 ** 32 - 1, whole: true },
  projects: { min: 1, max: 100, whole: true },
  fences: { min: 0, max: 1_000, whole: true },
  "teltonika-port": { min: 1, max: 65_535, whole: true },
  "osmand-port": { min: 1, max: 65_535, whole: true },
} satisfies Record<string, NumberRange>;

/** Asset ids add up to 20 characters to the project's, and ids have at most 64. */
const PROJECT_ID = /^[A-Za-z0-9_-]{1,40}$/;
const SHIFT = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

export const FLEET_HELP = `npm run simulate -- fleet [options]

Simulates a fleet on generated sites: creates projects, fences and assets in a running service, reports
over MQTT, TCP and HTTP as real trackers do (noise, gaps, backlogs, duplicates), and writes the truth beside.

  --assets N        machines, 1 to 10000 (${FLEET_DEFAULTS.assets})
  --format NAME     what the devices speak (${FLEET_DEFAULTS.format}): ${FORMAT_CHOICES.slice(0, 5).join(", ")},
                    ${FORMAT_CHOICES.slice(5, 11).join(", ")},
                    ${FORMAT_CHOICES.slice(11).join(", ")} (each in turn, as far as ports are known)
  --rate N          readings per second and machine, 0.001 to 100 (${FLEET_DEFAULTS.rate})
  --hours N         simulated length, 0.001 to 8760, or "forever" (${FLEET_DEFAULTS.hours})
  --speedup N       simulated seconds per second, 1 to 100000 (${FLEET_DEFAULTS.speedup})
  --seed N          0 to 4294967295; same seed and start, same tracks (${FLEET_DEFAULTS.seed})
  --out FOLDER      where truth.json and fences.json go (./simulation)
  --projects N      sites, 1 to 100, at most one per machine (${FLEET_DEFAULTS.projects})
  --fences N        generated fences over all sites, 0 to 1000 (${FLEET_DEFAULTS.fences})
  --project-id ID   first project; further ones get -2, -3, ... (${FLEET_DEFAULTS.projectId})
  --start TIME      ISO 8601; default: now, or now - hours with --speedup above 1 or --backlog
  --shift HH:MM-HH:MM   working hours of new projects (00:00-24:00)
  --time-zone NAME  IANA zone of new projects (${FLEET_DEFAULTS.timeZone})
  --backlog         send as fast as the broker acknowledges instead of on time
  --clean           devices without noise or faults
  --no-accuracy     devices that do not say how exact they are
  --outliers        rare fixes at (0, 0) or kilometres away
  --url URL         service (PLUMBLINE_URL, http://127.0.0.1:8080)
  --mqtt-url URL    broker (port 1883 of the service's host)
  --teltonika-port N    the service's TELTONIKA_PORT, which teltonika-codec8 goes to over TCP
  --osmand-port N       the service's OSMAND_PORT, which osmand goes to over HTTP
  --key KEY         API key (PLUMBLINE_API_KEY)
  --help
`;

/**
 * Reads the command line of the fleet simulator; `undefined`: help was asked for.
 * @throws SimulatorError naming the argument and its allowed range.
 */
export function parseFleetArguments(
  args: readonly string[],
  settings: SimulatorSettings,
  nowMs: number,
): FleetOptions | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const key = values.key ?? settings.plumblineApiKey;
  if (key === undefined || key === "") {
    throw new SimulatorError(
      "no API key: set PLUMBLINE_API_KEY or --key (the demo prints its key)",
    );
  }
  const mqttUrl = values["mqtt-url"];
  const options: FleetOptions = {
    url: urlOf("--url", values.url ?? settings.plumblineUrl ?? "", ["http:", "https:"]),
    key,
    ...(mqttUrl !== undefined && {
      mqttUrl: urlOf("--mqtt-url", mqttUrl, ["mqtt:", "mqtts:", "ws:", "wss:"]),
    }),
    ports: {
      ...portOf("teltonika", values["teltonika-port"]),
      ...portOf("osmand", values["osmand-port"]),
    },
    assets: numberOf("assets", values.assets),
    format: formatOf(values.format ?? FLEET_DEFAULTS.format),
    rate: numberOf("rate", values.rate),
    hours: values.hours === "forever" ? Number.POSITIVE_INFINITY : numberOf("hours", values.hours),
    speedup: numberOf("speedup", values.speedup),
    seed: numberOf("seed", values.seed),
    out: values.out ?? "./simulation",
    projects: numberOf("projects", values.projects),
    fences: numberOf("fences", values.fences),
    projectId: values["project-id"] ?? FLEET_DEFAULTS.projectId,
    ...(values.start !== undefined && { startMs: timeOf(values.start) }),
    backlog: values.backlog ?? false,
    clean: values.clean ?? false,
    reportsAccuracy: !(values["no-accuracy"] ?? false),
    outliers: values.outliers ?? false,
    shift: values.shift === undefined ? FLEET_DEFAULTS.shift : shiftOf(values.shift),
    timeZone: zoneOf(values["time-zone"] ?? FLEET_DEFAULTS.timeZone),
  };
  checkTogether(options, nowMs);
  return options;
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        assets: text,
        format: text,
        rate: text,
        hours: text,
        speedup: text,
        seed: text,
        out: text,
        projects: text,
        fences: text,
        "project-id": text,
        start: text,
        shift: text,
        "time-zone": text,
        backlog: flag,
        clean: flag,
        "no-accuracy": flag,
        outliers: flag,
        url: text,
        "mqtt-url": text,
        "teltonika-port": text,
        "osmand-port": text,
        key: text,
        help: flag,
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SimulatorError(`${error.message} (--help lists the options)`);
  }
}

function portOf(listener: keyof ListenerPorts, text: string | undefined): ListenerPorts {
  const name = `${listener}-port` as const;
  return text === undefined ? {} : { [listener]: readNumber(`--${name}`, text, RANGES[name]) };
}

function numberOf(
  name: keyof typeof FLEET_DEFAULTS & keyof typeof RANGES,
  text: string | undefined,
): number {
  return text === undefined ? FLEET_DEFAULTS[name] : readNumber(`--${name}`, text, RANGES[name]);
}

function formatOf(name: string): FormatChoice {
  const format = FORMAT_CHOICES.find((choice) => choice === name);
  if (format !== undefined) return format;
  throw new SimulatorError(`--format "${name}" is not one of ${FORMAT_CHOICES.join(", ")}`);
}

function urlOf(name: string, text: string, protocols: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !protocols.includes(url.protocol)) {
    const allowed = protocols.map((protocol) => `${protocol}//`).join(", ");
    throw new SimulatorError(`${name} "${text}" is not a URL that starts with one of ${allowed}`);
  }
  return text;
}

/** ISO 8601 with a zone; a date alone is midnight UTC. */
function timeOf(text: string): number {
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const timeMs = isIso ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(timeMs)) {
    throw new SimulatorError(
      `--start "${text}" is not an ISO 8601 time with a zone, such as 2026-03-01T06:00:00Z`,
    );
  }
  return timeMs;
}

function shiftOf(text: string): Shift {
  const [, start, end] = SHIFT.exec(text) ?? [];
  if (start === undefined || end === undefined) {
    throw new SimulatorError(`--shift "${text}" is not HH:MM-HH:MM, from 00:00 to 24:00`);
  }
  return { start, end };
}

function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) && name;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SimulatorError(
      `--time-zone "${name}" is not an IANA time zone, such as Europe/Berlin`,
    );
  }
}

/** Rules that need more than one argument. */
function checkTogether(options: FleetOptions, nowMs: number): void {
  const { assets, projects, projectId, hours, speedup, backlog, startMs, format, ports } = options;
  if (!PROJECT_ID.test(projectId)) {
    throw new SimulatorError(
      `--project-id "${projectId}" is not 1 to 40 characters of A-Z a-z 0-9 _ -`,
    );
  }
  if (projects > assets) {
    throw new SimulatorError(`--projects ${projects} is more than --assets ${assets}`);
  }
  const spoken = FLEET_FORMATS.find(({ name }) => name === format);
  const listener = spoken && listenerOf(spoken);
  if (listener !== undefined && ports[listener] === undefined) {
    throw new SimulatorError(
      `--format ${format} does not go over MQTT: --${listener}-port has to name the service's ${listener.toUpperCase()}_PORT`,
    );
  }
  const isFast = speedup > 1 || backlog;
  if (isFast && !Number.isFinite(hours)) {
    throw new SimulatorError("--hours forever goes with --speedup 1 and without --backlog only");
  }
  if (startMs === undefined) return;
  if (startMs > nowMs) throw new SimulatorError("--start lies in the future");
  if (isFast && startMs + hours * HOUR_MS > nowMs) {
    const latest = new Date(nowMs - hours * HOUR_MS).toISOString();
    throw new SimulatorError(
      `--start plus --hours lies in the future, which a run faster than life would reach: start at ${latest} or before`,
    );
  }
}

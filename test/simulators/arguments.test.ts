import { describe, expect, it } from "vitest";
import { readSimulatorSettings } from "../../config/simulator-settings.ts";
import { parseFleetArguments } from "../../simulators/fleet/arguments.ts";
import { FLEET_DEFAULTS, startOf } from "../../simulators/fleet/options.ts";

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const settings = readSimulatorSettings({ PLUMBLINE_API_KEY: "key" });
const parse = (...args: string[]) => parseFleetArguments(args, settings, NOW_MS);

describe("parseFleetArguments", () => {
  it("parseFleetArguments takes 20 assets at one reading a second for an hour when nothing is said", () => {
    expect(parse()).toEqual({
      ...FLEET_DEFAULTS,
      url: "http://127.0.0.1:8080",
      key: "key",
      out: "./simulation",
    });
  });

  it("parseFleetArguments takes every argument", () => {
    const line =
      "--assets 200 --format mixed --rate 0.5 --hours 2 --speedup 60 --seed 9 --out /tmp/x --projects 2 --fences 0 --project-id north --start 2026-06-01T08:00:00Z --shift 07:00-17:00 --time-zone UTC --backlog --clean --no-accuracy --outliers --url https://a.example --mqtt-url mqtts://b.example:8883 --teltonika-port 5027 --osmand-port 5055 --key k2";
    expect(parse(...line.split(" "))).toEqual({
      url: "https://a.example",
      key: "k2",
      mqttUrl: "mqtts://b.example:8883",
      ports: { teltonika: 5_027, osmand: 5_055 },
      assets: 200,
      format: "mixed",
      rate: 0.5,
      hours: 2,
      speedup: 60,
      seed: 9,
      out: "/tmp/x",
      projects: 2,
      fences: 0,
      projectId: "north",
      startMs: Date.UTC(2026, 5, 1, 8),
      backlog: true,
      clean: true,
      reportsAccuracy: false,
      outliers: true,
      shift: { start: "07:00", end: "17:00" },
      timeZone: "UTC",
    });
  });

  it("parseFleetArguments yields nothing for --help, with a key or without", () => {
    expect(parseFleetArguments(["--help"], readSimulatorSettings({}), NOW_MS)).toBeUndefined();
  });

  it.each([
    [["--assets", "0"], '--assets "0" is not a whole number from 1 to 10000'],
    [["--assets", "2.5"], '--assets "2.5" is not a whole number from 1 to 10000'],
    [["--format", "gpx"], '--format "gpx" is not one of plumbline, owntracks, teltonika, nmea'],
    [
      ["--format", "teltonika-codec8"],
      "--format teltonika-codec8 does not go over MQTT: --teltonika-port has to name the service's TELTONIKA_PORT",
    ],
    [["--format", "osmand"], "--osmand-port has to name the service's OSMAND_PORT"],
    [["--osmand-port", "0"], '--osmand-port "0" is not a whole number from 1 to 65535'],
    [["--rate", "fast"], '--rate "fast" is not a number from 0.001 to 100'],
    [["--rate", ""], '--rate "" is not a number from 0.001 to 100'],
    [["--hours", "9000"], '--hours "9000" is not a number from 0.001 to 8760'],
    [["--speedup", "0.5"], '--speedup "0.5" is not a number from 1 to 100000'],
    [["--seed", "-1"], "--seed"],
    [["--fences", "1001"], '--fences "1001" is not a whole number from 0 to 1000'],
    [["--project-id", "a/b"], '--project-id "a/b" is not 1 to 40 characters'],
    [["--projects", "3", "--assets", "2"], "--projects 3 is more than --assets 2"],
    [["--start", "yesterday"], '--start "yesterday" is not an ISO 8601 time with a zone'],
    [["--start", "2026-06-01T08:00:00"], "is not an ISO 8601 time with a zone"],
    [["--start", "2026-06-02T00:00:00Z"], "--start lies in the future"],
    [["--start", "2026-06-01T11:30:00Z", "--speedup", "2"], "start at 2026-06-01T11:00:00.000Z"],
    [["--hours", "forever", "--backlog"], "--hours forever goes with --speedup 1"],
    [["--shift", "7-17"], '--shift "7-17" is not HH:MM-HH:MM'],
    [["--time-zone", "Mars/Olympus"], '--time-zone "Mars/Olympus" is not an IANA time zone'],
    [
      ["--url", "localhost:8080"],
      '--url "localhost:8080" is not a URL that starts with one of http://',
    ],
    [["--mqtt-url", "http://x"], "is not a URL that starts with one of mqtt://"],
    [["--bogus"], "Unknown option '--bogus'"],
    [["stray"], "Unexpected argument 'stray'"],
  ])("parseFleetArguments refuses %j and says what is allowed", (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it("parseFleetArguments asks for a key when there is none", () => {
    const none = readSimulatorSettings({});
    expect(() => parseFleetArguments([], none, NOW_MS)).toThrow("PLUMBLINE_API_KEY or --key");
  });
});

describe("readSimulatorSettings", () => {
  it("readSimulatorSettings refuses an address that is not HTTP, naming the variable", () => {
    expect(() => readSimulatorSettings({ PLUMBLINE_URL: "mqtt://x" })).toThrow("PLUMBLINE_URL");
  });
});

describe("startOf", () => {
  const options = { ...FLEET_DEFAULTS, url: "", key: "" };
  it("startOf begins now at life's pace, and `hours` ago when faster or as a backlog", () => {
    expect(startOf(options, NOW_MS + 999)).toBe(NOW_MS);
    expect(startOf({ ...options, speedup: 60 }, NOW_MS)).toBe(NOW_MS - 3_600_000);
    expect(startOf({ ...options, backlog: true, hours: 2 }, NOW_MS)).toBe(NOW_MS - 7_200_000);
    expect(startOf({ ...options, hours: Number.POSITIVE_INFINITY }, NOW_MS)).toBe(NOW_MS);
    expect(startOf({ ...options, startMs: 5_500 }, NOW_MS)).toBe(5_000);
  });
});

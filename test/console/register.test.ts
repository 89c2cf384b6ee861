import { describe, expect, it } from "vitest";
import { addressesOf } from "../../console/pages/register/addresses.ts";
import {
  idFor,
  publishCommand,
  samplePayload,
  shellWord,
} from "../../console/pages/register/commands.ts";
import { readPlace } from "../../console/pages/register/place.ts";
import {
  type ConnectionEntry,
  condense,
  decisive,
  type MessageEntry,
  sightingsOf,
} from "../../console/pages/register/sightings.ts";

const PLAIN = { host: "site.example", port: 1883, isTls: false, asksForCertificate: false };
const PUBLICATION = {
  address: PLAIN,
  username: "digger-1",
  password: "it's$secret",
  topic: "sites/north/assets/digger-1/telemetry",
  payload: '{"latitude":52.5}',
};

describe("the command that does what a device will do", () => {
  it("is one word of the shell for each value, whatever is in it", () => {
    expect(shellWord("a-b_c/d.e:1")).toBe("a-b_c/d.e:1");
    expect(shellWord("it's $HOME")).toBe(`'it'\\''s $HOME'`);
    expect(shellWord("")).toBe("''");
    const command = publishCommand(PUBLICATION);
    expect(command).toContain("mosquitto_pub -h site.example -p 1883");
    expect(command).toContain(`-u digger-1 -P 'it'\\''s$secret'`);
    expect(command).toContain(`-m '{"latitude":52.5}'`);
    expect(command).not.toContain("--cafile");
  });

  it("names the authority where there is TLS, and a certificate where the broker asks for one", () => {
    const tls = { ...PLAIN, port: 8883, isTls: true };
    expect(publishCommand({ ...PUBLICATION, address: tls })).toContain("--cafile ca.crt");
    expect(publishCommand({ ...PUBLICATION, address: tls })).not.toContain("--cert");
    const strict = { ...tls, asksForCertificate: true };
    expect(publishCommand({ ...PUBLICATION, address: strict })).toContain("--cert device.crt");
  });

  it("takes a file where the console has no example of the format", () => {
    expect(publishCommand({ ...PUBLICATION, payload: undefined })).toContain("-f message");
  });

  it("puts the machine at its place, to the tenth of a metre", () => {
    expect(JSON.parse(samplePayload({ latitude: 52.123456789, longitude: -0.1 }))).toEqual({
      latitude: 52.123457,
      longitude: -0.1,
      speed_kmh: 0,
      engine_on: true,
    });
  });
});

it.each([
  { name: "Bagger Nr. 7", id: "bagger-nr-7" },
  { name: "  Größe & Straße ", id: "grosse-strasse" },
  { name: "Кран", id: "" },
  { name: "x".repeat(80), id: "x".repeat(64) },
])("an id for $name is $id", ({ name, id }) => {
  expect(idFor(name)).toBe(id);
});

describe("a place that a person typed", () => {
  it("is none, or both numbers, with a point or a comma", () => {
    expect(readPlace("", " ")).toEqual({});
    expect(readPlace("52,5", "13.4")).toEqual({ location: { latitude: 52.5, longitude: 13.4 } });
  });

  it("is refused where a half is missing or is no number", () => {
    expect(readPlace("52", "")).toEqual({ problem: "half_place" });
    expect(readPlace("52", "east")).toEqual({ problem: "not_degrees" });
  });
});

describe("where devices connect", () => {
  it("is the host of the page with the ports that the service has", () => {
    const listeners = { mqtt_port: 1884, mqtts_port: 8884, mqtts_asks_for_certificate: true };
    expect(addressesOf(listeners, "site.example")).toEqual({
      plain: { ...PLAIN, port: 1884 },
      tls: { host: "site.example", port: 8884, isTls: true, asksForCertificate: true },
      isGuess: false,
    });
  });

  it("is an external broker where there is one, with the port of the standard if it names none", () => {
    const listeners = { mqtts_asks_for_certificate: false, broker_url: "mqtts://broker.example" };
    expect(addressesOf(listeners, "site.example")).toEqual({
      plain: undefined,
      tls: { host: "broker.example", port: 8883, isTls: true, asksForCertificate: false },
      isGuess: false,
    });
  });

  it("is a guess where another process has the listeners", () => {
    expect(addressesOf(null, "site.example")).toMatchObject({ plain: PLAIN, isGuess: true });
  });
});

describe("what the service saw of a device", () => {
  const connection = (at: string, outcome: string): ConnectionEntry => ({
    at: `2026-03-05T12:00:${at}.000Z`,
    outcome,
    listener: "mqtt",
  });
  const message = (at: string, outcome: MessageEntry["outcome"]): MessageEntry => ({
    received_at: `2026-03-05T12:00:${at}.000Z`,
    outcome,
    topic: "sites/north/assets/digger-1/telemetry",
    payload_bytes: 20,
    qos: 1,
    readings: 1,
  });
  const seen = (
    connections: readonly ConnectionEntry[],
    messages: readonly MessageEntry[],
    unknown: readonly ConnectionEntry[] = [],
  ) => sightingsOf({ connections, messages, unknown }, Date.parse("2026-03-05T12:00:00Z"));
  const saying = (...given: Parameters<typeof seen>) => decisive(seen(...given))?.text;

  it("is nothing before anything came, and nothing from before the registration counts", () => {
    expect(saying([], [])).toBeUndefined();
    const old = { ...connection("00", "accepted"), at: "2026-03-05T11:59:59.000Z" };
    expect(saying([old], [])).toBeUndefined();
  });

  it("a message says more than the log-in before it and the end of its connection after it", () => {
    const connections = [connection("03", "disconnect"), connection("01", "accepted")];
    expect(saying(connections, [message("02", "quarantined")])).toBe("message.quarantined");
    expect(saying(connections, [])).toBe("link.disconnect");
  });

  it("of several messages the newest counts", () => {
    const messages = [message("05", "stored"), message("02", "quarantined")];
    expect(saying([connection("01", "accepted")], messages)).toBe("message.stored");
  });

  it("a refusal after the last message is what has to be put right", () => {
    const connections = [connection("09", "wrong_password"), connection("01", "accepted")];
    expect(saying(connections, [message("02", "stored")])).toBe("link.wrong_password");
  });

  it("a log-in under another name counts while the device itself was not seen", () => {
    const unknown = [connection("04", "unknown_user")];
    expect(saying([], [], unknown)).toBe("link.unknown_user");
    expect(saying([connection("02", "wrong_password")], [], unknown)).toBe("link.wrong_password");
    expect(seen([], [], unknown)).toHaveLength(1);
    expect(seen([connection("05", "accepted")], [], unknown)).toHaveLength(1);
    expect(seen([], [message("05", "stored")], unknown)).toHaveLength(1);
  });

  it("has an outcome that this page does not know as it came", () => {
    const [only] = seen([connection("01", "brand_new")], []);
    expect([only?.text, only?.entry.outcome]).toEqual(["link.other", "brand_new"]);
  });

  it("has messages that say the same as one, and what has a reason by itself", () => {
    const bad = { ...message("03", "quarantined"), reason: "not JSON" };
    const messages = [message("05", "stored"), message("04", "stored"), bad, { ...bad }];
    expect(condense(seen([], messages)).map(({ newest, count }) => [newest.text, count])).toEqual([
      ["message.stored", 2],
      ["message.quarantined", 1],
      ["message.quarantined", 1],
    ]);
  });

  it("of one moment has the log-in before the message, and keys that stay when more comes", () => {
    const first = seen([connection("01", "accepted")], [message("01", "stored")]);
    expect(first.map(({ kind }) => kind)).toEqual(["message", "connection"]);
    const later = seen(
      [connection("05", "cut"), connection("01", "accepted")],
      [message("01", "stored")],
    );
    expect(later.map(({ key }) => key)).toEqual(
      expect.arrayContaining(first.map(({ key }) => key)),
    );
  });
});

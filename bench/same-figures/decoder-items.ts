import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DAY_MS } from "../../domain/time.ts";
import { inTurns } from "../../test/support/in-turns.ts";
import { openDevice } from "../../test/support/mqtt-device.ts";
import type { DeviceAccess } from "../../test/support/site.ts";
import { CLOCK_START_MS, plain } from "./by-nature.ts";
import { CONTROL } from "./compare.ts";
import { type Entry, groupedBy, publishedEvents, wholeList, wholeSeries } from "./lists.ts";
import type { Side } from "./side.ts";

const CASES = fileURLToPath(new URL("../../test/ingest/cases/", import.meta.url));
const INPUTS = ["input.json", "input.txt", "input.bin"];
const PROJECT = "golden";
/** Devices at work at the same time. */
const AT_ONCE = 8;
/** When the golden cases are received, as their tests have it. */
const RECEIVED_AT = "2026-11-20T00:00:00.000Z";
const DAY = /\b\d{4}-\d{2}-\d{2}(?=T)/g;
/** The device that a network server of LoRaWAN names. */
const EUI = /"(?:dev_eui|devEui)"\s*:\s*"([0-9A-Fa-f]{16})"/;

interface GoldenCase {
  readonly name: string;
  readonly decoder: string;
  readonly payload: Buffer;
  readonly mapping: unknown;
  readonly options: unknown;
}

/** Every golden payload of the repository. */
function goldenCases(): readonly GoldenCase[] {
  return readdirSync(CASES).flatMap((decoder) =>
    readdirSync(join(CASES, decoder)).flatMap((name): GoldenCase[] => {
      const folder = join(CASES, decoder, name);
      const file = INPUTS.map((one) => join(folder, one)).find(existsSync);
      if (file === undefined) return [];
      const json = (one: string): unknown =>
        existsSync(join(folder, one))
          ? JSON.parse(readFileSync(join(folder, one), "utf8"))
          : undefined;
      return [
        {
          ...{ name, decoder, payload: readFileSync(file) },
          ...{ mapping: json("mapping.json"), options: json("options.json") },
        },
      ];
    }),
  );
}

/**
 * Every golden payload: what a dry run makes of it, and what the service stores, refuses, lists and publishes
 * when a device of its own sends it over MQTT.
 */
export async function decoderItems(side: Side): Promise<ReadonlyMap<string, unknown>> {
  const cases = goldenCases();
  const [first] = cases;
  if (first === undefined) throw new Error(`no golden cases in ${CASES}`);
  const items = new Map<string, unknown>();
  const location = { latitude: 53.54, longitude: 9.99 };
  await side.expect("POST", "/projects", { id: PROJECT, name: PROJECT, location });
  const devices = devicesOf(cases);
  const daysOf = new Map<string, readonly string[]>();
  await inTurns(devices, AT_ONCE, async (device) => {
    const access = await createDevice(side, device);
    for (const one of device.cases) {
      const name = `decoders/${one.decoder}/${one.name}`;
      const { answer, days } = await dryRun(side, one);
      items.set(`${name}/dry run`, answer);
      daysOf.set(device.id, [...(daysOf.get(device.id) ?? []), ...days]);
      items.set(`${name}/sent`, await publish(side, access, one));
    }
  });
  const { answer } = await dryRun(side, controlOf(side, first));
  items.set(`decoders/${CONTROL}/two bytes less`, answer);

  await side.settled();
  const events = groupedBy(await publishedEvents(side, PROJECT), "asset_id");
  const quarantine = groupedBy(await wholeList(side, "/equipment/quarantine"), "asset_id");
  let found = 0;
  await inTurns(devices, AT_ONCE, async ({ id, name }) => {
    const path = `/equipment/assets/${id}`;
    const read = {
      asset: await side.expect("GET", path),
      readings: await readingsOf(side, path, daysOf.get(id) ?? []),
      messages: await wholeList(side, `${path}/messages`),
      events: events.get(id) ?? [],
      quarantine: quarantine.get(id) ?? [],
    };
    found += read.readings.length;
    for (const [what, value] of Object.entries(read)) {
      items.set(`decoders/${name}/${what}`, plain(value));
    }
  });
  if (found === 0) throw new Error(`${side.name}: no reading of a golden case was found`);
  return items;
}

/** What is stored of an asset, on the days that its messages name and on that of receipt. */
async function readingsOf(
  side: Side,
  path: string,
  days: readonly string[],
): Promise<readonly Entry[]> {
  const dates = [...new Set([...days, dayOf(CLOCK_START_MS)])].toSorted();
  const readings: Entry[] = [];
  for (const date of dates) {
    const to = dayOf(Date.parse(date) + DAY_MS);
    const range = `from=${date}T00:00:00Z&to=${to}T00:00:00Z`;
    readings.push(...(await wholeSeries(side, `${path}/telemetry?${range}`)));
  }
  return readings;
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** A device and what it sends, in order. */
interface Device {
  readonly id: string;
  readonly name: string;
  readonly eui: string | undefined;
  readonly cases: readonly GoldenCase[];
}

/** A device for each case; for LoRaWAN one for each EUI, which belongs to one asset. */
function devicesOf(cases: readonly GoldenCase[]): readonly Device[] {
  const devices = new Map<string, Device>();
  for (const [i, one] of cases.entries()) {
    const eui = EUI.exec(one.payload.toString("latin1"))?.[1]?.toUpperCase();
    const known = eui === undefined ? undefined : devices.get(eui);
    const id = `${one.decoder}-${i}`;
    const device = known ?? { id, name: `${one.decoder}/${one.name}`, eui, cases: [] };
    devices.set(eui ?? id, { ...device, cases: [...device.cases, one] });
  }
  return [...devices.values()];
}

/** What a dry run says, and the days that are named in it. */
async function dryRun(
  side: Side,
  one: GoldenCase,
): Promise<{ readonly answer: unknown; readonly days: readonly string[] }> {
  const answer = await side.request("POST", "/equipment/dry-run", {
    decoder: one.decoder,
    payload_base64: one.payload.toString("base64"),
    received_at: RECEIVED_AT,
    ...(one.mapping !== undefined && { mapping: one.mapping }),
    ...(one.options !== undefined && { decoder_options: one.options }),
  });
  const days = JSON.stringify(answer.body).match(DAY) ?? [];
  return { answer: plain(answer), days: days.filter((day) => !Number.isNaN(Date.parse(day))) };
}

/** For the later checkout: one input without its last two bytes. */
const controlOf = ({ name }: Side, one: GoldenCase): GoldenCase =>
  name === "after" ? { ...one, payload: one.payload.subarray(0, -2) } : one;

/** Registers the device as its first case needs it. */
async function createDevice(side: Side, { id, eui, cases }: Device): Promise<DeviceAccess> {
  const [first] = cases;
  if (first === undefined) throw new Error(`${id} sends nothing`);
  const { decoder, mapping, options } = first;
  if (mapping !== undefined) await side.expect("PUT", `/equipment/mappings/${id}`, mapping);
  const made = (await side.expect("POST", "/equipment/assets", {
    ...{ id, name: id, project_id: PROJECT, decoder },
    type: mapping === undefined ? "van" : id,
    ...(options !== undefined && { decoder_options: options }),
    ...(eui !== undefined && { hardware_id: eui }),
  })) as { readonly mqtt: DeviceAccess };
  return made.mqtt;
}

/** Whether the message was acknowledged, or the connection ended instead. */
async function publish(side: Side, access: DeviceAccess, one: GoldenCase): Promise<string> {
  const device = await openDevice({ access, port: side.mqttPort, keepalive: 0 });
  try {
    const topic = `sites/${PROJECT}/assets/${access.username}/device`;
    await device.publish({ payload: one.payload, topic });
    return "acknowledged";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    device.cut();
  }
}

/**
 * Commands to devices through kill -9 of the service and of the devices, at every state. None is lost, none comes
 * twice without saying so, and each device has them in order. The devices are mosquitto_sub, paho-mqtt on our own
 * topic and as ThingsBoard, a Codec 12 tracker and a Sparkplug edge node with a device behind it. Exit code 1 when
 * an expectation fails.
 *
 *   npm run test:commands -- --count 200      commands, over all devices (36)
 *     --seed 1                                of the moments at which the service is killed
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { seededRandom } from "../../support/seeded-random.ts";
import { createAsset, createSite } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import {
  type CommandDevice,
  mosquittoDevice,
  pahoDevice,
  sparkplugDevices,
  trackerDevice,
} from "./clients.ts";
import { type CommandView, openCommandWorld, PROJECT } from "./world.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "36" },
    seed: { type: "string", default: "1" },
  },
});
const count = Number(values.count);
if (!Number.isInteger(count) || count < 6) {
  console.error(`--count "${values.count}" is not a whole number from 6`);
  process.exit(2);
}
const random = seededRandom(Number(values.seed));
/** Commands between two kills of the service, and of a device. */
const SERVICE_EVERY = 9;
const DEVICE_EVERY = 5;
/** Attempts of the commands that must arrive; each kill may cost one. */
const ATTEMPTS = 10;
/** Longest wait until a command has come to a state, ms. */
const PATIENT_MS = 90_000;
const SERVICE_POINTS = ["queued", "sent", "delivered", "answered", "at random"] as const;
const ENDS = ["answered", "failed", "expired", "cancelled"];

interface Posted {
  readonly command: CommandView;
  /** What the device's log has it by. */
  readonly mark: string;
}

const world = await openCommandWorld();
const { api, dir, mqttPort } = world;
await createSite(api, PROJECT, []);
const access = async (id: string) => ({
  assetId: id,
  password: (await createAsset(api, PROJECT, id)).password,
});
const registered = async (id: string, decoder: string, hardware_id?: string) => {
  const body = { id, name: id, type: "van", project_id: PROJECT, decoder, hardware_id };
  const made = await api.post<{ mqtt: { password: string } }>("/equipment/assets", body);
  return { assetId: id, password: made.mqtt.password };
};
const IMEI = "356307042441013";
const own = { port: mqttPort, dir };
const edge = await registered("edge", "sparkplug", "yard/edge");
await registered("pump", "sparkplug", "yard/edge/pump");
await registered("tracker", "teltonika-codec8", IMEI);
const [edgeNode, pump] = sparkplugDevices({
  ...own,
  nodeId: "edge",
  deviceId: "pump",
  password: edge.password,
  names: ["yard", "edge", "pump"],
});
const devices: readonly CommandDevice[] = [
  mosquittoDevice({ ...own, ...(await access("mosquitto")) }),
  pahoDevice({ ...own, ...(await access("paho")), mode: "own" }),
  pahoDevice({ ...own, ...(await registered("board", "thingsboard")), mode: "thingsboard" }),
  trackerDevice({ port: world.teltonikaPort, assetId: "tracker", imei: IMEI, dir }),
  edgeNode,
  pump,
];
const isSparkplug = ({ assetId }: CommandDevice) => assetId === "edge" || assetId === "pump";
const posted = new Map<string, Posted[]>(devices.map(({ assetId }) => [assetId, []]));

function bodyFor(device: CommandDevice, number: number, maxAttempts: number): object {
  const common = { max_attempts: maxAttempts };
  if (isSparkplug(device)) return { ...common, name: "rate", parameters: number };
  if (device.assetId === "tracker") return { ...common, name: `setparam ${number}` };
  return { ...common, name: "set_interval", parameters: { seconds: number } };
}

async function post(device: CommandDevice, number: number, maxAttempts: number): Promise<Posted> {
  const body = bodyFor(device, number, maxAttempts);
  const command = await world.command(device.assetId, body, `command-${number}`);
  const mark = device.assetId === "tracker" ? command.name : command.id;
  const made = { command, mark };
  posted.get(device.assetId)?.push(made);
  return made;
}

const read = (assetId: string, id: string): Promise<CommandView> =>
  api.get<CommandView>(`/equipment/assets/${assetId}/commands/${id}`);

/** Kills the service when the command is in that state, or has passed it. */
async function killServiceAt(
  point: (typeof SERVICE_POINTS)[number],
  device: CommandDevice,
  { command, mark }: Posted,
): Promise<void> {
  if (point === "at random") await delay(random() * 150);
  if (point === "sent") {
    await until(
      "the device has it",
      () => device.receipts().some(({ got }) => got === mark),
      PATIENT_MS,
    );
  }
  if (point === "delivered" || point === "answered") {
    const states = point === "delivered" ? ["delivered", ...ENDS] : ENDS;
    await until(
      `a command is ${point}`,
      async () => states.includes((await read(device.assetId, command.id)).status),
      PATIENT_MS,
    );
  }
  await world.restart();
}

console.log(`${count} commands over ${devices.length} devices`);
const killPoints = new Map<string, number>();
const noteKill = (what: string) => killPoints.set(what, (killPoints.get(what) ?? 0) + 1);
for (let i = 0; i < count; i += 1) {
  const device = devices[i % devices.length];
  if (device === undefined) throw new Error("no device");
  const number = i + 1;
  if (i % DEVICE_EVERY === 2) {
    const point = device.points[Math.floor(i / DEVICE_EVERY) % device.points.length] ?? "logged";
    noteKill(`device ${point}`);
    device.killAt(point, 1);
  }
  const made = await post(device, number, ATTEMPTS);
  if (i % SERVICE_EVERY === 4) {
    const point = SERVICE_POINTS[Math.floor(i / SERVICE_EVERY) % SERVICE_POINTS.length] ?? "sent";
    noteKill(`service ${point}`);
    await killServiceAt(point, device, made);
  }
}

// Each device's protocol without a mark of its own: one attempt, and a kill before the answer.
const once: { readonly device: CommandDevice; readonly made: Posted }[] = [];
for (const [i, device] of devices.entries()) {
  if (device.assetId !== "tracker" && device.assetId !== "edge") continue;
  await until("all before have ended", async () => (await open(device)) === 0, PATIENT_MS);
  const killedMs = Date.now();
  device.killAt("logged", 1);
  // What is sent to the life that was just killed reaches nobody, and is not sent again.
  await until(
    "its next life is connected",
    async () => {
      const newest = await newestConnection(device);
      // An earlier life that was just coming back is not the one that will be killed.
      return newest?.outcome === "accepted" && Date.parse(newest.at) > killedMs;
    },
    PATIENT_MS,
  );
  once.push({ device, made: await post(device, 1_000_000 + i, 1) });
}

async function listed(device: CommandDevice): Promise<readonly CommandView[]> {
  const commands: CommandView[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await api.get<{ data: CommandView[]; pagination: { has_more: boolean } }>(
      `/equipment/assets/${device.assetId}/commands?limit=100&offset=${offset}`,
    );
    commands.push(...page.data);
    if (!page.pagination.has_more) return commands;
  }
}
async function newestConnection({ assetId }: CommandDevice) {
  const { data } = await api.get<{ data: readonly { at: string; outcome: string }[] }>(
    `/equipment/assets/${assetId}/connections?limit=1`,
  );
  return data[0];
}
async function open(device: CommandDevice): Promise<number> {
  return (await listed(device)).filter(({ status }) => !ENDS.includes(status)).length;
}

let stuck = 0;
for (const device of devices) {
  await until(
    `${device.assetId} has ended all`,
    async () => (await open(device)) === 0,
    PATIENT_MS,
  ).catch(async () => {
    stuck += await open(device);
  });
}

interface Outbox {
  readonly data: readonly {
    readonly type: string;
    readonly sequence: number;
    readonly data: { readonly command_id?: string; readonly attempt?: number };
  }[];
}
const eventsByCommand = new Map<string, string[]>();
for (let after = 0; ; ) {
  const page = await api.get<Outbox>(`/events?cursor=${after}&type=equipment.command.*&limit=1000`);
  for (const { type, data } of page.data) {
    const id = data.command_id ?? "";
    const events = eventsByCommand.get(id) ?? [];
    eventsByCommand.set(id, [...events, `${type.split(".")[2]} ${data.attempt}`]);
  }
  const last = page.data.at(-1)?.sequence;
  if (last === undefined) break;
  after = last;
}

let lost = 0;
let doubledUnmarked = 0;
let doubledMarked = 0;
let outOfOrder = 0;
let missing = 0;
let badEvents = 0;
let unanswered = 0;
for (const device of devices) {
  const records = new Map((await listed(device)).map((command) => [command.id, command]));
  const made = posted.get(device.assetId) ?? [];
  const receipts = device.receipts();
  for (const { command, mark } of made) {
    const record = records.get(command.id);
    if (record === undefined) {
      missing += 1;
      continue;
    }
    const own = receipts.filter(({ got }) => got === mark);
    const isOnce = once.some((one) => one.made.command.id === command.id);
    if (own.length === 0 && record.status === "answered") lost += 1;
    if (own.length === 0 && !isOnce) lost += 1;
    if (record.status !== "answered" && !isOnce) {
      unanswered += 1;
      console.log(`not answered: ${device.assetId} ${JSON.stringify(record)}`);
    }
    const attempts = own.map(({ attempt }) => attempt);
    const isUnmarked =
      own.length > record.attempt ||
      (attempts[0] !== undefined && new Set(attempts).size < attempts.length);
    if (isUnmarked) {
      doubledUnmarked += 1;
      console.log(`twice unmarked: ${device.assetId} ${JSON.stringify({ record, own })}`);
    } else if (own.length > 1) doubledMarked += 1;
    const events = eventsByCommand.get(command.id) ?? [];
    const sent = events.filter((event) => event.startsWith("sent"));
    const wanted = Array.from({ length: record.attempt }, (_, i) => `sent ${i + 1}`);
    const isComplete =
      events[0] === "queued 0" &&
      sent.join() === wanted.join() &&
      events.at(-1) === `${record.status} ${record.attempt}`;
    if (!isComplete) {
      badEvents += 1;
      console.log(`events of ${command.id} (${record.status}): ${events.join(", ")}`);
    }
  }
  const order = made.map(({ mark }) => mark);
  const firsts = [...new Set(receipts.map(({ got }) => got))].map((got) => order.indexOf(got));
  if (firsts.some((place, i) => i > 0 && place < (firsts[i - 1] ?? 0))) {
    outOfOrder += 1;
    console.log(`order of ${device.assetId}: ${firsts.join(" ")}`);
  }
}
const onceSeen = once.map(({ device, made }) => ({
  seen: device.receipts().filter(({ got }) => got === made.mark).length,
  id: made.command.id,
  device,
}));
const onceStates = await Promise.all(onceSeen.map(({ device, id }) => read(device.assetId, id)));
const deviceKills =
  new Set(devices).size === 0
    ? 0
    : devices.reduce((n, device) => n + device.kills(), 0) - pump.kills();

console.log(`kill -9: service ${world.kills}, devices ${deviceKills}`);
console.log(`at: ${[...killPoints].map(([point, times]) => `${point} ${times}`).join(", ")}`);
console.log(`came twice and said so: ${doubledMarked}`);
const checks: readonly (readonly [string, boolean])[] = [
  [`all ${count + once.length} commands have a record (missing ${missing})`, missing === 0],
  [`all have ended (open ${stuck})`, stuck === 0],
  [`none is lost (${lost})`, lost === 0],
  [`all with ${ATTEMPTS} attempts are answered (not ${unanswered})`, unanswered === 0],
  [`none came twice without saying so (${doubledUnmarked})`, doubledUnmarked === 0],
  [`each device has them in order (not ${outOfOrder})`, outOfOrder === 0],
  [`every state and attempt is an event (not ${badEvents})`, badEvents === 0],
  [
    `with one attempt a killed device gets a command once (${onceSeen.map(({ seen }) => seen).join(", ")})`,
    onceSeen.every(({ seen }) => seen === 1),
  ],
  [
    `and its record says that nothing confirmed it (${onceStates.map(({ failure }) => failure).join(", ")})`,
    onceStates.every(({ status, failure }) => status === "failed" && failure === "unconfirmed"),
  ],
  ["service and devices were killed", world.kills > 0 && deviceKills > 0],
];
for (const device of devices) device.close();
await world.close();
let failed = 0;
for (const [what, isSo] of checks) {
  if (!isSo) failed += 1;
  console.log(`${isSo ? "ok  " : "FAIL"} ${what}`);
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

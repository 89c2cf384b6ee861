import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mosquittoFiles } from "../../../cli/mosquitto-files.ts";
import { deviceFilters } from "../../../domain/equipment/topics.ts";
import { mosquittoHash } from "../../../domain/platform/mosquitto-hash.ts";
import { openRecordStore } from "../../../storage/records/open.ts";
import { asset, assetId, hash32, project } from "../../contracts/records/rows.ts";
import { freshDataDir } from "../../support/databases.ts";
import { MOSQUITTO_BROKER, type MosquittoServer, startMosquitto } from "../../support/mosquitto.ts";
import { openDevice } from "../../support/mqtt-device.ts";
import { connectOf, rawClient } from "../../support/raw-mqtt.ts";

const SERVICE = { username: "plumbline", password: "the service's" };
const NOT_AUTHORIZED = 5;

let dataDir: string;
let folder: string;
let said: string[];

beforeAll(async () => {
  dataDir = await freshDataDir();
  folder = await mkdtemp(join(tmpdir(), "plumbline-files-"));
  const records = await openRecordStore({
    dataDir: join(dataDir, "records"),
    databaseUrl: undefined,
  });
  await records.projects.insert(project("p1"));
  await records.assets.insert(asset("new"), hash32(1), await mosquittoHash("new-secret"));
  await records.assets.insert(asset("old"), hash32(2));
  await records.assets.insert(asset("turned"), hash32(3));
  await records.assets.setSecret(
    assetId("turned"),
    hash32(4),
    await mosquittoHash("turned-secret"),
  );
  // A rotation by an older program must not leave the hash of the former secret behind.
  await records.assets.insert(asset("stale"), hash32(5), await mosquittoHash("former"));
  await records.assets.setSecret(assetId("stale"), hash32(6));
  await records.assets.insert(
    asset("phone", { decoder: "owntracks", hardware_id: "fred/pixel" }),
    hash32(7),
    await mosquittoHash("phone-secret"),
  );
  const board = asset("board", { decoder: "thingsboard" });
  await records.assets.insert(board, hash32(8), await mosquittoHash("board-secret"));
  await records.assets.insert(
    asset("gateway", { decoder: "sparkplug", hardware_id: "Quarry 7/Edge 1" }),
    hash32(10),
    await mosquittoHash("gateway-secret"),
  );
  const pump = asset("pump", { decoder: "sparkplug", hardware_id: "Quarry 7/Edge 1/Pump" });
  await records.assets.insert(pump, hash32(11), await mosquittoHash("pump-secret"));
  const gone = asset("gone", { decoder: "owntracks" });
  await records.assets.insert(gone, hash32(9), await mosquittoHash("gone-secret"));
  await records.assets.delete(gone.id, Date.now());
  await records.close();
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

async function write(): Promise<{ readonly passwords: string; readonly acl: string }> {
  vi.stubEnv("DATA_DIR", dataDir);
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("MQTT_USERNAME", SERVICE.username);
  vi.stubEnv("MQTT_PASSWORD", SERVICE.password);
  said = [];
  await mosquittoFiles.run(["--to", folder], {
    signal: new AbortController().signal,
    say: (line) => said.push(line),
  });
  return {
    passwords: await readFile(join(folder, "passwords"), "utf8"),
    acl: await readFile(join(folder, "acl"), "utf8"),
  };
}

describe("plumbline mosquitto-files", () => {
  it("plumbline mosquitto-files writes what it can and names the assets that need new credentials", async () => {
    const { passwords } = await write();
    const names = passwords.split("\n").map((line) => line.split(":")[0]);
    expect(names).toEqual([
      "plumbline",
      ...["board", "gateway", "new", "phone", "pump", "turned"],
      "",
    ]);
    expect(said.at(-1)).toContain("for old, stale");
  });

  it("plumbline mosquitto-files lets devices publish on their vendors' topics that name them, and the service read them", async () => {
    const { acl } = await write();
    const rules = acl.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
    expect(rules).toEqual([
      "user plumbline",
      "topic read sites/+/assets/+/+",
      "topic read sites/+/assets/+/owntracks/+",
      "topic read sites/+/assets/+/device/+",
      "topic read #",
      "topic write sites/+/events/+",
      "topic write spBv1.0/+/NCMD/+",
      "pattern write sites/+/assets/%u/+",
      "pattern write sites/+/assets/%u/owntracks/+",
      "pattern write sites/+/assets/%u/device/+",
      "pattern read sites/+/assets/%u/cmd/#",
      "user phone",
      "topic write owntracks/phone/+/#",
      "topic write owntracks/fred/pixel/#",
      "user gateway",
      "topic write spBv1.0/Quarry 7/+/Edge 1",
      "topic write spBv1.0/Quarry 7/+/Edge 1/+",
      "topic read spBv1.0/Quarry 7/NCMD/Edge 1/#",
      "topic read spBv1.0/Quarry 7/DCMD/Edge 1/#",
      "topic read spBv1.0/STATE/+",
      "topic read STATE/+",
    ]);
  });

  it("plumbline mosquitto-files refuses to write files that shut the service out", async () => {
    vi.stubEnv("DATA_DIR", dataDir);
    vi.stubEnv("MQTT_USERNAME", "");
    const run = mosquittoFiles.run(["--to", folder], {
      signal: new AbortController().signal,
      say: () => undefined,
    });
    await expect(run).rejects.toMatchObject({ code: "SETTINGS_INVALID" });
  });
});

it.runIf(MOSQUITTO_BROKER.required)("mosquitto is there, as required", () => {
  expect(MOSQUITTO_BROKER.absent).toBeUndefined();
});

describe.skipIf(MOSQUITTO_BROKER.absent !== undefined)(
  `a real Mosquitto with these files${MOSQUITTO_BROKER.absent === undefined ? "" : ` (skipped: ${MOSQUITTO_BROKER.absent})`}`,
  () => {
    let mosquitto: MosquittoServer;

    beforeAll(async () => {
      const { passwords, acl } = await write();
      mosquitto = await startMosquitto({
        files: { passwords, acl },
        lines: ["password_file $DIR/passwords", "acl_file $DIR/acl"],
      });
    });
    afterAll(() => mosquitto.close());

    const login = (username: string, password: string) =>
      openDevice({
        access: { username, password, topic: `sites/p1/assets/${username}/telemetry` },
        port: mosquitto.port,
      });

    it("Mosquitto takes from a device what it publishes under its own names, and nothing else", async () => {
      const service = rawClient(mosquitto.port);
      service.send({
        ...connectOf("reader"),
        username: SERVICE.username,
        password: Buffer.from(SERVICE.password),
      });
      await service.hear("connack");
      service.send({
        cmd: "subscribe",
        messageId: 1,
        subscriptions: ["owntracks/#", ...deviceFilters("p1", "+"), "v1/#"].map((topic) => ({
          topic,
          qos: 1,
        })),
      });
      await service.hear("suback");
      const published: readonly (readonly [username: string, topic: string])[] = [
        ["new", "owntracks/fred/pixel"],
        ["phone", "owntracks/fred/other"],
        ["board", "v1/devices/me/telemetry"],
        ["new", "sites/p1/assets/phone/owntracks/event"],
        ["phone", "owntracks/fred/pixel/event"],
        ["phone", "owntracks/phone/x"],
        ["phone", "sites/p1/assets/phone/device"],
        ["phone", "sites/p1/assets/phone/owntracks/event"],
      ];
      for (const [username, topic] of published) {
        const device = await login(username, `${username}-secret`);
        // Mosquitto acknowledges what its ACL does not let through, and drops it.
        await device.publish({ topic, payload: "{}", qos: 1 });
        await device.disconnect();
      }
      await service.hear("publish", 4);
      const heard = service.heard.flatMap((one) => (one.cmd === "publish" ? [one.topic] : []));
      expect(heard).toEqual(published.slice(4).map(([, topic]) => topic));
      service.end();
    });

    it("Mosquitto lets an edge node with a space in its name publish, and alone hear its commands", async () => {
      const subscribed = async (username: string, password: string, ...filters: string[]) => {
        const client = rawClient(mosquitto.port);
        client.send({
          ...connectOf(username),
          username,
          password: Buffer.from(password),
        });
        await client.hear("connack");
        const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }));
        client.send({ cmd: "subscribe", messageId: 1, subscriptions });
        await client.hear("suback");
        return client;
      };
      const own = "spBv1.0/Quarry 7/NCMD/Edge 1";
      const service = await subscribed(SERVICE.username, SERVICE.password, "spBv1.0/#");
      const stranger = await subscribed("phone", "phone-secret", own, "spBv1.0/STATE/+");
      const gateway = await subscribed("gateway", "gateway-secret", `${own}/#`, "spBv1.0/STATE/+");
      const say = (topic: string) =>
        ({ cmd: "publish", topic, payload: "x", qos: 0, dup: false, retain: false }) as const;
      gateway.send(say("spBv1.0/Quarry 7/DDATA/Edge 1/Pump"));
      await service.hear("publish", 1);
      service.send(say(own));
      await gateway.hear("publish", 1);
      stranger.send({ cmd: "pingreq" });
      await stranger.hear("pingresp");
      expect(
        [gateway, stranger].map(({ heard }) =>
          heard.flatMap((one) => (one.cmd === "publish" ? [one.topic] : [])),
        ),
      ).toEqual([[own], []]);
      for (const client of [service, stranger, gateway]) client.end();
    });

    it("Mosquitto lets devices in with the secrets that they have, and with no others", async () => {
      for (const [username, password, code] of [
        ["new", "new-secret", 0],
        ["turned", "turned-secret", 0],
        ["plumbline", SERVICE.password, 0],
        ["new", "turned-secret", NOT_AUTHORIZED],
        ["stale", "former", NOT_AUTHORIZED],
        ["old", "", NOT_AUTHORIZED],
      ] as const) {
        const device = await login(username, password);
        expect([username, device.returnCode]).toEqual([username, code]);
        device.cut();
      }
    });
  },
);

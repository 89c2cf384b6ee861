import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { connectAsync, type IClientOptions } from "mqtt";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { TlsFailure } from "../../../tls/failure.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import type { BrokerUnderTest } from "../../support/open-broker.ts";
import {
  type connectOf,
  publishOf,
  type RawClient,
  rawClientOver,
} from "../../support/raw-mqtt.ts";
import {
  type Credentials,
  createAuthority,
  type TestAuthority,
} from "../../support/test-authority.ts";
import { openTlsBroker } from "../../support/tls-broker.ts";
import { createTlsFolder, type TlsFolder } from "../../support/tls-folder.ts";

type Transport = "mqtts" | "wss";
const WAYS = ["mqtts", "wss"] as const;

let authority: TestAuthority;
let a1: Credentials;
let revoked: Credentials;
let folder: TlsFolder;
let world: BrokerUnderTest;
const clients: RawClient[] = [];

beforeAll(async () => {
  folder = await createTlsFolder();
  ({ authority } = folder);
  [a1, revoked] = await Promise.all([
    authority.issue({ subject: "CN=a1,O=Acme", names: [{ type: "dns", value: "a1" }] }),
    authority.issue({ subject: "CN=a2", names: [{ type: "dns", value: "a2" }] }),
  ]);
  await folder.write({ "crl.pem": await authority.revoke([revoked]) });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  await world?.close();
});
afterAll(() => folder.remove());

type BrokerSettings = NonNullable<Parameters<typeof openTlsBroker>[1]>["settings"];

/** A broker that asks for certificates; yields the handshakes that fail from then on. */
async function open(settings: BrokerSettings = {}): Promise<readonly TlsFailure[]> {
  const opened = await openTlsBroker(folder, {
    settings: {
      tlsCaFile: folder.path("ca.pem"),
      tlsCrlFile: folder.path("crl.pem"),
      tlsClientIdentity: "cn",
      ...settings,
    },
  });
  world = opened.world;
  return opened.failures;
}

type LogIn = Pick<IClientOptions, "cert" | "key" | "username" | "password">;

/** Publishes one reading of a1 with mqtt.js; rejects when the broker refuses. */
async function publish(transport: Transport, logIn: LogIn): Promise<void> {
  const port = world.broker.ports[transport];
  const url = transport === "wss" ? `wss://localhost:${port}/mqtt` : `mqtts://localhost:${port}`;
  const options = { ca: authority.cert, reconnectPeriod: 0, connectTimeout: 15_000, ...logIn };
  const client = await connectAsync(url, options, false);
  await client.publishAsync("sites/p1/assets/a1/telemetry", '{"speed_kmh":7}', { qos: 1 });
  await client.endAsync();
}

/** A logged-in device over MQTTS that sends exactly the given bytes. */
async function logIn(
  { cert, key }: Credentials,
  more: Parameters<typeof connectOf>[1] = {},
): Promise<RawClient> {
  const port = world.broker.ports.mqtts ?? 0;
  const socket = connectTls({ port, host: "localhost", ca: authority.cert, cert, key });
  const client = rawClientOver(socket);
  clients.push(client);
  client.send({
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: 4,
    clean: true,
    clientId: "tracker",
    keepalive: 60,
    ...more,
  });
  expect((await client.hear("connack")).returnCode).toBe(0);
  return client;
}

const assets = async (): Promise<readonly string[]> =>
  (await world.entries()).flatMap((entry) =>
    entry.type === "readings" ? [entry.batch.assetId] : [],
  );

/** What mqtt.js says of CONNACK 4 and 5. */
const BAD_LOGIN = /Bad username or password/;
const NOT_AUTHORIZED = /Not authorized/;

describe.each(WAYS)("with TLS_CLIENT_IDENTITY=cn over %s", (transport) => {
  it("a certificate that names an asset logs in without user name and password", async () => {
    await open();
    await publish(transport, a1);

    expect(await assets()).toEqual(["a1"]);
    expect(world.stats()["logins"]).toBe(1);
  });

  it("user name and password of the same asset may come beside the certificate", async () => {
    await open();
    await publish(transport, { ...a1, username: "a1", password: "a1-secret" });
    await publish(transport, { ...a1, username: "a1" });

    expect(await assets()).toEqual(["a1", "a1"]);
  });

  it("a certificate of another asset is refused, even with the right password", async () => {
    await open();
    const logIns = [{ username: "a3" }, { username: "a3", password: "a3-secret" }];
    for (const given of logIns) {
      await expect(publish(transport, { ...a1, ...given })).rejects.toThrow(NOT_AUTHORIZED);
    }

    expect(world.stats()).toMatchObject({ logins: 0, login_wrong_certificate: 2, login_failed: 0 });
  });

  it("a wrong password beside the right certificate is refused", async () => {
    await open();
    const wrong = publish(transport, { ...a1, username: "a1", password: "a2-secret" });

    await expect(wrong).rejects.toThrow(BAD_LOGIN);
  });

  it("certificates that are revoked, expired, of another authority or for servers are refused", async () => {
    const stranger = await createAuthority();
    const past = new Date(Date.now() - 3_600_000);
    const [expired, foreign, ofServer] = await Promise.all([
      authority.issue({ subject: "CN=a1", notAfter: past }),
      stranger.issue({ subject: "CN=a1" }),
      authority.issue({ subject: "CN=a1", usage: "server" }),
    ]);
    const failures = await open();
    for (const certificate of [revoked, expired, foreign, ofServer, {}]) {
      await expect(publish(transport, certificate)).rejects.toThrow();
    }

    const address = "127.0.0.1";
    expect(failures).toMatchObject([
      { listener: transport, address, reason: "certificate_revoked", names: ["a2"] },
      { listener: transport, address, reason: "certificate_expired", names: ["a1"] },
      { listener: transport, address, reason: "certificate_not_trusted", names: ["a1"] },
      { listener: transport, address, reason: "certificate_not_trusted", code: "INVALID_PURPOSE" },
      { listener: transport, address, reason: "no_certificate", names: [] },
    ]);
    expect(world.stats()["connections"]).toBe(0);
  });
});

it("with TLS_CLIENT_IDENTITY=none a certificate is needed beside the password", async () => {
  await open({ tlsClientIdentity: "none" });
  await expect(publish("mqtts", a1)).rejects.toThrow(BAD_LOGIN);
  await publish("mqtts", { ...a1, username: "a1", password: "a1-secret" });

  expect(await assets()).toEqual(["a1"]);
});

describe("with TLS_CLIENT_IDENTITY=san", () => {
  it("a DNS name or a URN is the asset's id, and the common name is not", async () => {
    const urn = { type: "url", value: "urn:plumbline:asset:a1" } as const;
    const [byUrn, byCommonName] = await Promise.all([
      authority.issue({ subject: "CN=Roller 7", names: [urn] }),
      authority.issue({ subject: "CN=a1" }),
    ]);
    await open({ tlsClientIdentity: "san" });
    for (const certificate of [a1, byUrn]) await publish("mqtts", certificate);

    await expect(publish("mqtts", byCommonName)).rejects.toThrow(NOT_AUTHORIZED);
    expect(await assets()).toEqual(["a1", "a1"]);
  });

  it("a gateway's certificate names several assets, and the user name says which", async () => {
    const names = ["a1", "a3", "gateway.example.com"].map((value) => ({
      type: "dns" as const,
      value,
    }));
    const gateway = await authority.issue({ subject: "CN=gateway", names });
    await open({ tlsClientIdentity: "san" });
    await publish("mqtts", { ...gateway, username: "a1" });

    await expect(publish("mqtts", gateway)).rejects.toThrow(NOT_AUTHORIZED);
    await expect(publish("mqtts", { ...gateway, username: "a4" })).rejects.toThrow(NOT_AUTHORIZED);
    expect(await assets()).toEqual(["a1"]);
  });

  it("a name that reads as two in Node's text is not split", async () => {
    const value = "urn:plumbline:asset:x, DNS:a1";
    const forged = await authority.issue({ subject: "CN=x", names: [{ type: "url", value }] });
    await open({ tlsClientIdentity: "san" });

    await expect(publish("mqtts", { ...forged, username: "a1" })).rejects.toThrow(NOT_AUTHORIZED);
  });
});

it("a reader with an API key needs a certificate of the authority, whatever it names", async () => {
  await open();
  const dashboard = await authority.issue({ subject: "CN=Dashboard" });
  const client = await logIn(dashboard, {
    username: "apikey",
    password: Buffer.from("reader-key"),
  });
  client.send({
    cmd: "subscribe",
    messageId: 1,
    subscriptions: [{ topic: "sites/p1/events/#", qos: 1 }],
  });

  expect((await client.hear("suback")).granted).toEqual([1]);
});

describe("a new revocation list", () => {
  it("a new revocation list ends the sessions of revoked certificates within the reload, and no others", async () => {
    const a3 = await authority.issue({ subject: "CN=a3" });
    await open();
    const [stays, goes] = [await logIn(a1), await logIn(a3)];
    goes.send(publishOf("a3", 1));
    await goes.hear("puback");
    await folder.write({ "crl.pem": await authority.revoke([revoked, a3]) });
    await world.tls?.reload();
    await goes.closed();
    stays.send(publishOf("a1", 2));

    expect((await stays.hear("puback")).messageId).toBe(2);
    expect(world.stats()["credential_closed"]).toBe(1);
    await folder.write({ "crl.pem": await authority.revoke([revoked]) });
  });

  it("a new revocation list is not passed by with the session ticket of an earlier connection", async () => {
    const a3 = await authority.issue({ subject: "CN=a3" });
    const failures = await open();
    const first = await logIn(a3);
    const ticket = (first.socket as TLSSocket).getSession();
    const port = world.broker.ports.mqtts ?? 0;
    const { cert, key } = a3;
    const options = { port, ca: authority.cert, cert, key, ...(ticket && { session: ticket }) };
    const resumed = connectTls(options);
    await once(resumed, "secureConnect");
    expect(resumed.isSessionReused()).toBe(true);
    resumed.destroy();
    await folder.write({ "crl.pem": await authority.revoke([revoked, a3]) });
    await world.tls?.reload();
    await rawClientOver(connectTls(options)).closed();

    expect(failures.at(-1)).toMatchObject({ reason: "certificate_revoked", names: ["a3"] });
    await folder.write({ "crl.pem": await authority.revoke([revoked]) });
  });

  it("a new revocation list ends the sessions below an intermediate authority that is revoked", async () => {
    const branch = await authority.intermediate("CN=Site North CA");
    const a3 = await branch.issue({ subject: "CN=a3" });
    const lists = (await authority.revoke([])) + (await branch.revoke([]));
    await folder.write({ "both.pem": authority.cert + branch.cert, "lists.pem": lists });
    await open({ tlsCaFile: folder.path("both.pem"), tlsCrlFile: folder.path("lists.pem") });
    const client = await logIn(a3);
    const { serialNumber } = new X509Certificate(branch.cert);
    const revokedBranch = { serialNumber, cert: branch.cert, key: "" };
    const newer = (await authority.revoke([revokedBranch])) + (await branch.revoke([]));
    await folder.write({ "lists.pem": newer });
    await world.tls?.reload();

    await client.closed();
    expect(world.stats()["credential_closed"]).toBe(1);
  });
});

it("an authority that leaves TLS_CA_FILE takes the sessions of its certificates along", async () => {
  const other = await createAuthority("CN=Second CA");
  const a3 = await other.issue({ subject: "CN=a3" });
  await folder.write({ "two.pem": authority.cert + other.cert });
  await open({ tlsCaFile: folder.path("two.pem"), tlsCrlFile: undefined });
  const [stays, goes] = [await logIn(a1), await logIn(a3)];
  await folder.write({ "two.pem": authority.cert });
  await world.tls?.reload();
  await goes.closed();
  stays.send(publishOf("a1", 2));

  expect((await stays.hear("puback")).messageId).toBe(2);
});

it("a session without a password outlives the rotation of the asset's secret", async () => {
  await open();
  const [withPassword, without] = [
    await logIn(a1, { clientId: "x", username: "a1", password: Buffer.from("a1-secret") }),
    await logIn(a1, { clientId: "y" }),
  ];
  world.directory.change("a1", assetEntry("a1", "p1", "another-secret"));
  await withPassword.closed();
  without.send(publishOf("a1", 3));

  expect((await without.hear("puback")).messageId).toBe(3);
});

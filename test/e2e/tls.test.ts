import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { connectAsync } from "mqtt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { createSite, storedNumbers } from "../support/site.ts";
import {
  type Credentials,
  createAuthority,
  createPemFolder,
  issueServer,
  type PemFolder,
  type TestAuthority,
} from "../support/test-authority.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "tls-test-admin-key-of-more-than-32-letters";
const PATIENT_MS = 60_000;
const MOSQUITTO_PUB = process.env["MOSQUITTO_PUB"] ?? "/usr/bin/mosquitto_pub";
const isRequired = (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes("mosquitto");

let authority: TestAuthority;
let folder: PemFolder;
let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;
const devices = new Map<string, Credentials>();

beforeAll(async () => {
  authority = await createAuthority();
  const server = await issueServer(authority);
  for (const id of ["digger-1", "digger-2", "stolen"]) {
    devices.set(id, await authority.issue({ subject: `CN=${id},O=Acme` }));
  }
  folder = await createPemFolder({
    ...{ "server.pem": server.cert, "server.key": server.key, "ca.pem": authority.cert },
    "ca.crl": await authority.revoke([of("stolen")]),
  });
  for (const [id, { cert, key }] of devices) {
    await folder.write({ [`${id}.pem`]: cert, [`${id}.key`]: key });
  }
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-tls-service-"));
  service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment: {
      ...{ MQTT_PORT: "off", MQTTS_PORT: "0", MQTT_WSS_PORT: "0", HTTPS_PORT: "0" },
      ...{ MQTT_HOST: "0.0.0.0", TLS_CLIENT_IDENTITY: "cn" },
      TLS_CERT_FILE: folder.path("server.pem"),
      TLS_KEY_FILE: folder.path("server.key"),
      TLS_CA_FILE: folder.path("ca.pem"),
      TLS_CRL_FILE: folder.path("ca.crl"),
    },
    startMs: 140_000,
  });
  api = createApiClient(service.http, ADMIN_KEY);
  await createSite(api, "site-1", ["digger-1", "digger-2", "stolen"]);
});

afterAll(async () => {
  await service?.end("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
  await folder.remove();
});

function of(id: string): Credentials {
  const found = devices.get(id);
  if (found === undefined) throw new Error(`no certificate of ${id}`);
  return found;
}

/** Readings are dated from here on, 100 ms apart: none of them lies in the future. */
const FIRST_MS = Date.now() - 20 * 3_600_000;
let readings = 0;
/** A reading with a number of its own. */
function reading(): { readonly number: number; readonly payload: string } {
  readings += 1;
  const number = readings;
  const timestamp = new Date(FIRST_MS + number * 100).toISOString();
  return {
    number,
    payload: JSON.stringify({ timestamp, number, latitude: 52.5, longitude: 13.4 }),
  };
}

const topicOf = (id: string): string => `sites/site-1/assets/${id}/telemetry`;

/** Runs mosquitto_pub with the certificate of an asset, at QoS 1 to a topic of `digger-1`; yields its exit status. */
function mosquittoPub(certificateOf: string | undefined, ...more: readonly string[]) {
  const certificate =
    certificateOf === undefined
      ? []
      : [
          "--cert",
          folder.path(`${certificateOf}.pem`),
          "--key",
          folder.path(`${certificateOf}.key`),
        ];
  const { number, payload } = reading();
  const args = [
    ...["-h", "localhost", "-p", String(service.mqttsPort), "--cafile", folder.path("ca.pem")],
    ...["-q", "1", "-t", topicOf("digger-1"), "-m", payload, ...certificate, ...more],
  ];
  return new Promise<{ readonly number: number; readonly code: number; readonly text: string }>(
    (resolve) => {
      execFile(MOSQUITTO_PUB, args, { timeout: PATIENT_MS }, (error, stdout, stderr) =>
        resolve({
          number,
          code: error === null ? 0 : Number(error.code ?? -1),
          text: stdout + stderr,
        }),
      );
    },
  );
}

/** TCP ports that the process listens on, by /proc. */
function listeningPorts(pid: number): readonly number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed meanwhile.
        return [];
      }
    }),
  );
  const LISTEN = "0A";
  return ["tcp", "tcp6"]
    .flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, "utf8").split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTEN && inodes.has(inode ?? ""))
    .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16));
}

describe("a service with TLS_CA_FILE and MQTT_PORT=off", () => {
  it.skipIf(!existsSync("/proc/self/net/tcp"))(
    "listens on the ports with TLS and HTTP alone",
    () => {
      const urls = [service.http, service.https, service.mqttWss];
      const expected = [service.mqttsPort, ...urls.map((url) => Number(new URL(url).port))];

      expect(service.mqttPort).toBe(0);
      expect(listeningPorts(service.pid).toSorted()).toEqual(expected.toSorted());
    },
  );

  it.skipIf(!existsSync(MOSQUITTO_PUB) && !isRequired)(
    "lets mosquitto_pub in with a certificate only, and not with a revoked one or that of another asset",
    async () => {
      const alone = await mosquittoPub("digger-1");
      const named = await mosquittoPub("digger-1", "-u", "digger-1");
      expect([alone, named]).toMatchObject([{ code: 0 }, { code: 0 }]);
      const refused = [
        await mosquittoPub("stolen"),
        await mosquittoPub("digger-2", "-u", "digger-1"),
        await mosquittoPub(undefined, "-u", "digger-1", "-P", "any"),
      ];

      expect(refused.map(({ code }) => code === 0)).toEqual([false, false, false]);
      // It logs in as itself then, and a publish to another asset's topic is foreign and dropped.
      await mosquittoPub("digger-2");
      await until(
        "both are stored",
        async () => (await storedNumbers(api, "digger-1")).length >= 2,
        PATIENT_MS,
      );
      expect(await storedNumbers(api, "digger-1")).toEqual([alone.number, named.number]);
    },
  );

  it("a service with TLS_CA_FILE and MQTT_PORT=off loses nothing and cuts no connection while certificates are renewed by SIGHUP", async () => {
    const { cert, key } = of("digger-2");
    const options = { ca: authority.cert, cert, key, reconnectPeriod: 0 };
    const clients = await Promise.all([
      connectAsync(`mqtts://localhost:${service.mqttsPort}`, { ...options, clientId: "tls" }),
      connectAsync(service.mqttWss.replace("127.0.0.1", "localhost"), {
        ...options,
        clientId: "wss",
      }),
    ]);
    let closes = 0;
    for (const client of clients) client.on("close", () => (closes += 1));
    let isRenewing = true;
    const acknowledged: number[] = [];
    const publishing = clients.map(async (client) => {
      while (isRenewing) {
        const { number, payload } = reading();
        await client.publishAsync(topicOf("digger-2"), payload, { qos: 1 });
        acknowledged.push(number);
      }
    });
    for (let round = 0; round < 3; round += 1) {
      const { cert: next, key: nextKey, serialNumber } = await issueServer(authority);
      await folder.write({ "server.pem": next, "server.key": nextKey });
      process.kill(service.pid, "SIGHUP");
      const ports = [service.mqttsPort, ...[service.mqttWss, service.https].map(portOf)];
      for (const port of ports) {
        await until(
          "it is shown",
          async () => (await shownSerial(port)) === serialNumber,
          PATIENT_MS,
        );
      }
    }
    isRenewing = false;
    await Promise.all(publishing);

    expect(closes).toBe(0);
    for (const client of clients) await client.endAsync();
    await until(
      "all are stored",
      async () => (await storedNumbers(api, "digger-2")).length >= acknowledged.length,
      PATIENT_MS,
    );
    const stored = await storedNumbers(api, "digger-2");
    expect(stored.toSorted((a, b) => a - b)).toEqual(acknowledged.toSorted((a, b) => a - b));
    const metrics = await (await fetch(`${service.http}/metrics`)).text();
    expect(metrics).toMatch(
      /^plumbline_tls_expiration_timestamp_seconds\{file="TLS_CRL_FILE"\} \d/m,
    );
  });
});

const portOf = (url: string): number => Number(new URL(url).port);

/** Serial number of the certificate that a new connection is shown. */
const shownSerial = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const { cert, key } = of("digger-1");
    const socket = connectTls({ port, host: "localhost", ca: authority.cert, cert, key }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once("error", reject);
  });

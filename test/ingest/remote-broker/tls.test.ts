import { readFileSync } from "node:fs";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BrokerConnection } from "../../../ingest/mqtt-client/connection.ts";
import { openSocket } from "../../../ingest/remote-broker/address.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { type ScriptedBroker, startScriptedBroker } from "../../support/scripted-broker.ts";
import { until } from "../../support/until.ts";

const pem = (name: string): Buffer =>
  readFileSync(new URL(`../broker/tls/${name}.pem`, import.meta.url));

let broker: ScriptedBroker;
let connection: BrokerConnection | undefined;
let reasons: string[];

beforeEach(async () => {
  broker = await startScriptedBroker({ cert: pem("cert"), key: pem("key") });
  reasons = [];
});

afterEach(async () => {
  connection?.close();
  await broker.close();
});

function connect(host: string, authorities: string | undefined): BrokerConnection {
  const log = pino(
    { level: "warn" },
    { write: (line: string) => void reasons.push((JSON.parse(line) as { reason: string }).reason) },
  );
  const login = { username: "plumbline", password: "secret" };
  const address = { host, port: broker.port, tls: { authorities }, ...login };
  connection = new BrokerConnection({
    open: (ready) => openSocket(address, ready),
    login,
    clientId: "c1",
    clean: true,
    mayConnect: () => true,
    log,
    user: {
      opened: () => undefined,
      message: () => undefined,
      packet: () => undefined,
      lost: () => undefined,
    },
  });
  connection.start();
  return connection;
}

it("the service logs in at a broker whose certificate is by the given authority", async () => {
  const opened = connect("localhost", pem("cert").toString());
  await until("it is open", () => opened.isOpen, PATIENT_MS);
  expect(broker.heard[0]).toMatchObject({ cmd: "connect", username: "plumbline" });
});

it("the password is not sent to a broker whose certificate is not trusted", async () => {
  const refused = connect("localhost", undefined);
  await until("it has failed twice", () => reasons.length >= 2, PATIENT_MS);
  expect(reasons[0]).toMatch(/self-signed certificate/);
  expect(refused.isOpen).toBe(false);
  expect(broker.heard).toEqual([]);
});

import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import type { ConnectionReport } from "../../../../ingest/broker/connection-outcome.ts";
import {
  notedConnection,
  notedDevice,
  notedHandshake,
} from "../../../../ingest/device-log/connections/noted-connections.ts";
import { assetEntry, fixedDirectory } from "../../../support/fixed-directory.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const directory = fixedDirectory([assetEntry("a1")]);

const report = (change: Partial<ConnectionReport> = {}): ConnectionReport => ({
  outcome: "wrong_password",
  detail: undefined,
  address: "192.0.2.7",
  listener: "mqtts",
  username: "a1",
  clientId: "tracker",
  protocolLevel: 4,
  assetId: undefined,
  wasAccepted: false,
  atMs: NOW_MS,
  ...change,
});

describe("what the broker reports", () => {
  const subject = (change: Partial<ConnectionReport>) =>
    notedConnection(report(change), directory)?.assetId;

  it("what the broker reports belongs to the asset that logged in, else to the asset of the user name, else to none", () => {
    expect(subject({})).toBe("a1");
    expect(subject({ username: undefined, assetId: "a9" as AssetId })).toBe("a9");
    expect(subject({ username: "a2" })).toBeUndefined();
    expect(subject({ username: "not an id!" })).toBeUndefined();
  });

  it("a report of the broker says which rule was violated, under the asset that the unproven user name names", () => {
    const detail = "[MQTT-3.1.2-14] will QoS 3";
    const noted = notedConnection(report({ outcome: "malformed", detail }), directory);
    expect(noted).toMatchObject({ assetId: "a1", outcome: "malformed", detail });
  });

  it("the log of connections leaves out readers that come and go, and keeps those that are refused", () => {
    const reader = { username: "apikey", wasAccepted: true } as const;
    expect(notedConnection(report({ ...reader, outcome: "accepted" }), directory)).toBeUndefined();
    expect(notedConnection(report({ ...reader, outcome: "cut" }), directory)).toBeUndefined();
    const refused = notedConnection(report({ username: "apikey" }), directory);
    expect(refused).toMatchObject({ assetId: undefined, outcome: "wrong_password" });
  });

  it("the log of connections leaves out who leaves before saying anything, and keeps who says what is not MQTT", () => {
    const silent = { username: undefined, clientId: undefined, protocolLevel: undefined } as const;
    expect(notedConnection(report({ ...silent, outcome: "cut" }), directory)).toBeUndefined();
    const malformed = notedConnection(report({ ...silent, outcome: "malformed" }), directory);
    expect(malformed).toMatchObject({ assetId: undefined, outcome: "malformed" });
  });
});

it("a failed TLS handshake belongs to the asset that the refused certificate names", () => {
  const failure = {
    atMs: NOW_MS,
    address: "192.0.2.7",
    listener: "mqtts",
    reason: "certificate_revoked",
    code: "CERT_REVOKED",
  } as const;
  expect(notedHandshake({ ...failure, names: ["a1", "a2"] }, directory)).toMatchObject({
    assetId: "a1",
    outcome: "tls_alert",
    detail: "certificate_revoked (CERT_REVOKED)",
  });
  const nameless = notedHandshake({ ...failure, names: [] }, directory);
  expect([nameless.assetId, nameless.username]).toEqual([undefined, undefined]);
});

it("a device of another protocol is listed under what it calls itself", () => {
  const noted = notedDevice({
    listener: "teltonika",
    outcome: "unknown_user",
    assetId: undefined,
    hardwareId: "352093081452251",
    address: "192.0.2.7",
    atMs: NOW_MS,
  });
  expect(noted).toMatchObject({ listener: "teltonika", username: "352093081452251" });
});

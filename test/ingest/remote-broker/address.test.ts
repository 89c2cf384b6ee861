import { describe, expect, it } from "vitest";
import { brokerAddress } from "../../../ingest/remote-broker/address.ts";

const settings = (mqttUrl: string | undefined, mqttCaFile?: string) => ({
  mqttUrl,
  mqttUsername: "plumbline",
  mqttPassword: "secret",
  mqttCaFile,
});

describe("the address of the external broker", () => {
  it("the address of the external broker is none without MQTT_URL", async () => {
    expect(await brokerAddress(settings(undefined))).toBeUndefined();
  });

  it("the address of the external broker has the port of its scheme unless it names one", async () => {
    expect(await brokerAddress(settings("mqtt://broker"))).toMatchObject({
      host: "broker",
      port: 1_883,
      username: "plumbline",
      tls: undefined,
    });
    expect(await brokerAddress(settings("mqtts://broker"))).toMatchObject({ port: 8_883, tls: {} });
    expect(await brokerAddress(settings("mqtts://[::1]:9000"))).toMatchObject({
      host: "::1",
      port: 9_000,
    });
  });

  it("the address of the external broker names the authority file that cannot be read", async () => {
    const broken = brokerAddress(settings("mqtts://broker", "/nowhere/ca.pem"));
    await expect(broken).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining("/nowhere/ca.pem"),
    });
  });
});

import { describe, expect, it } from "vitest";
import { readSettings } from "../../config/settings.ts";

const TLS = { TLS_CERT_FILE: "cert.pem", TLS_KEY_FILE: "key.pem" };
const WITH_CA = { ...TLS, TLS_CA_FILE: "ca.pem" };

it("every port can be turned off by name, and those that have no default are off", () => {
  expect(readSettings({})).toMatchObject({
    ...{ httpPort: 8080, mqttPort: 1883, mqttsPort: 8883 },
    ...{ httpsPort: undefined, mqttWsPort: undefined, mqttWssPort: undefined },
    ...{ teltonikaPort: undefined, osmandPort: undefined },
  });
  const off = readSettings({
    ...TLS,
    ...{ HTTP_PORT: "off", HTTPS_PORT: "0", MQTT_PORT: "off", MQTT_WS_PORT: "off" },
    ...{ MQTTS_PORT: "off", MQTT_WSS_PORT: "off", TELTONIKA_PORT: "off", OSMAND_PORT: "off" },
  });
  expect(off).toMatchObject({
    ...{ httpPort: undefined, httpsPort: 0, mqttPort: undefined, mqttWsPort: undefined },
    ...{ mqttsPort: undefined, mqttWssPort: undefined },
    ...{ teltonikaPort: undefined, osmandPort: undefined },
  });
});

describe("TLS settings that need others are refused without them", () => {
  it.each([
    [{ TLS_CA_FILE: "ca.pem" }, "TLS_CA_FILE needs TLS_CERT_FILE and TLS_KEY_FILE"],
    [{ HTTPS_PORT: "8443" }, "HTTPS_PORT needs TLS_CERT_FILE and TLS_KEY_FILE"],
    [{ MQTT_WSS_PORT: "8084" }, "MQTT_WSS_PORT needs TLS_CERT_FILE and TLS_KEY_FILE"],
    [{ ...TLS, TLS_CRL_FILE: "crl.pem" }, "TLS_CRL_FILE needs TLS_CA_FILE"],
    [{ ...TLS, TLS_CLIENT_IDENTITY: "cn" }, "TLS_CLIENT_IDENTITY needs TLS_CA_FILE"],
    [
      { ...TLS, HTTPS_CLIENT_CERTIFICATES: "required" },
      "HTTPS_CLIENT_CERTIFICATES needs TLS_CA_FILE",
    ],
  ])("%j", (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message);
  });
});

describe("TLS_CA_FILE beside a listener that asks for no certificate", () => {
  it.each([
    [{}, "MQTT_PORT=1883 on 0.0.0.0"],
    [{ MQTT_PORT: "off", MQTT_WS_PORT: "9001" }, "MQTT_WS_PORT=9001 on 0.0.0.0"],
    [{ MQTT_PORT: "off", TELTONIKA_PORT: "5027" }, "TELTONIKA_PORT=5027 on 0.0.0.0"],
    [
      { MQTT_PORT: "off", OSMAND_PORT: "5055", OSMAND_HOST: "10.0.0.7" },
      "OSMAND_PORT=5055 on 10.0.0.7",
    ],
    [
      { MQTT_HOST: "127.0.0.1", HTTPS_PORT: "0", HTTPS_CLIENT_CERTIFICATES: "required" },
      "HTTP_PORT=8080 on 0.0.0.0",
    ],
  ])("TLS_CA_FILE beside a listener that asks for no certificate is refused with %j, in one line that names the setting to allow it", (environment, what) => {
    const read = () => readSettings({ ...WITH_CA, ...environment });
    expect(read).toThrow(
      `TLS_CA_FILE demands client certificates, but ${what} takes clients without one: set the port to off or its host to 127.0.0.1, or allow it with ALLOW_PLAIN_LISTENERS=true`,
    );
    expect(() =>
      readSettings({ ...WITH_CA, ...environment, ALLOW_PLAIN_LISTENERS: "true" }),
    ).not.toThrow();
  });

  it.each([
    { MQTT_PORT: "off" },
    { MQTT_HOST: "127.0.0.1" },
    { MQTT_HOST: "::1" },
    { MQTT_HOST: "localhost" },
    // Devices publish to another broker, whose listeners are its own affair.
    { MQTT_URL: "mqtts://broker:8883" },
  ])("TLS_CA_FILE beside a listener that asks for no certificate is accepted with %j", (environment) => {
    expect(readSettings({ ...WITH_CA, ...environment }).tlsCaFile).toBe("ca.pem");
  });
});

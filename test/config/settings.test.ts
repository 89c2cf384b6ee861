import { describe, expect, it } from "vitest";
import { readSettings } from "../../config/settings.ts";

describe("settings", () => {
  it("are all optional", () => {
    expect(readSettings({})).toMatchObject({
      httpPort: 8080,
      mqttPort: 1883,
      dataDir: "./data",
      retentionDays: 90,
      databaseUrl: undefined,
    });
  });

  it("treat an empty variable as unset", () => {
    expect(readSettings({ HTTP_PORT: "", TLS_CERT_FILE: "" }).httpPort).toBe(8080);
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(readSettings({}))).toBe(true);
  });

  it.each([
    [{ HTTP_PORT: "65536" }, 'HTTP_PORT="65536" is not a whole number from 0 to 65535'],
    [{ HTTP_PORT: "eighty" }, 'HTTP_PORT="eighty" is not a whole number from 0 to 65535'],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL="loud" is not one of'],
    [{ DATABASE_URL: "mysql://x" }, 'DATABASE_URL="mysql://x" is not a URL that starts with'],
    [{ TLS_CERT_FILE: "a.pem" }, "TLS_CERT_FILE and TLS_KEY_FILE go together"],
    [{ TLS_CA_FILE: "a.pem" }, "TLS_CA_FILE needs"],
  ])("refuse %j", (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message);
  });

  it("never print a secret that is too short", () => {
    const short = "hunter2hunter2";
    expect(() => readSettings({ ADMIN_API_KEY: short })).toThrow(
      /^ADMIN_API_KEY needs 32 characters or more$/,
    );
  });

  it("name every variable that is wrong at once", () => {
    expect(() => readSettings({ HTTP_PORT: "x", RETENTION_DAYS: "1" })).toThrow(
      /HTTP_PORT.*RETENTION_DAYS/,
    );
  });
});

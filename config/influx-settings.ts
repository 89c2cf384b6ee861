import { optionalText, optionalUrl, secret } from "./setting.ts";

/** InfluxDB beside the embedded telemetry store. */
export const INFLUX_SETTINGS = {
  influxUrl: optionalUrl(
    "INFLUX_URL",
    "InfluxDB that keeps all telemetry, as http://influx:8086; unset: the embedded store alone.",
    ["http:", "https:"],
  ),
  influxToken: secret("INFLUX_TOKEN", "Token of InfluxDB 2 and 3.", 1),
  influxOrg: optionalText("INFLUX_ORG", "Organisation of InfluxDB 2."),
  influxBucket: optionalText(
    "INFLUX_BUCKET",
    "Bucket of InfluxDB 2, or database of InfluxDB 3; when set, /api/v2/write is used.",
  ),
  influxDatabase: optionalText(
    "INFLUX_DATABASE",
    "Database of InfluxDB 1; unset, and INFLUX_BUCKET too: plumbline.",
  ),
  influxUsername: optionalText("INFLUX_USERNAME", "User name of InfluxDB 1."),
  influxPassword: secret("INFLUX_PASSWORD", "Password of InfluxDB 1.", 1),
};

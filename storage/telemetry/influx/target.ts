import type { Settings } from "../../../config/settings.ts";

/** The settings that name an InfluxDB. */
export type InfluxSettings = Pick<
  Settings,
  | "influxUrl"
  | "influxToken"
  | "influxOrg"
  | "influxBucket"
  | "influxDatabase"
  | "influxUsername"
  | "influxPassword"
>;

/** One InfluxDB, and how it is spoken to. */
export interface InfluxTarget {
  /** Without a slash at its end. */
  readonly url: string;
  /** `v1`: `/write` with database and retention policy. `v2`: `/api/v2/write` with org and bucket; also version 3. */
  readonly dialect: "v1" | "v2";
  /** Database of version 1; bucket of version 2, database of version 3. */
  readonly database: string;
  /** Organisation; "" where there is none. */
  readonly org: string;
  /** `Authorization` and nothing else; empty where the server asks for none. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Database, or bucket, where the settings name none. */
const DEFAULT_DATABASE = "plumbline";

/** Our retention policy in a database of version 1; what others keep there is left alone. */
export const RETENTION_POLICY = "plumbline";

/** The InfluxDB of the settings; `undefined` without `INFLUX_URL`. */
export function influxTarget(settings: InfluxSettings): InfluxTarget | undefined {
  if (settings.influxUrl === undefined) return undefined;
  const url = settings.influxUrl.replace(/\/+$/, "");
  if (settings.influxBucket !== undefined || settings.influxToken !== undefined) {
    return {
      url,
      dialect: "v2",
      database: settings.influxBucket ?? DEFAULT_DATABASE,
      org: settings.influxOrg ?? "",
      headers:
        settings.influxToken === undefined
          ? {}
          : { Authorization: `Token ${settings.influxToken}` },
    };
  }
  const { influxUsername: user, influxPassword: password = "" } = settings;
  return {
    url,
    dialect: "v1",
    database: settings.influxDatabase ?? DEFAULT_DATABASE,
    org: "",
    headers:
      user === undefined
        ? {}
        : { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
  };
}

/** Path and query that lines are posted to, times in milliseconds. */
export function writePath({ dialect, database, org }: InfluxTarget): string {
  if (dialect === "v1") {
    const query = new URLSearchParams({ db: database, rp: RETENTION_POLICY, precision: "ms" });
    return `/write?${query}`;
  }
  // Version 3 would store the good lines of a batch and answer 201 or 400; others ignore the parameter.
  const query = new URLSearchParams({
    org,
    bucket: database,
    precision: "ms",
    accept_partial: "false",
  });
  return `/api/v2/write?${query}`;
}

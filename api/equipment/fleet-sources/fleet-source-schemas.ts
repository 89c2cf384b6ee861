import { type Static, Type } from "typebox";
import { FLEET_SERIES } from "../../../domain/equipment/fleet-series.ts";
import { FleetSourceId } from "../../../domain/ids.ts";
import { MAX_URL_LENGTH } from "../../../outbound/target.ts";
import { listOf } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  title: "FleetUrl",
  description:
    "Base such as https://api.example.com/iso15143-3, which /Fleet/1 is added to, or the whole first page; public addresses, and those of OUTBOUND_ALLOW_CIDRS",
});
const Interval = Type.Integer({
  minimum: 60,
  maximum: 86_400,
  description: "Seconds between the starts of two polls; default 900",
});
const Series = Type.Array(Type.Enum([...FLEET_SERIES]), {
  maxItems: FLEET_SERIES.length,
  uniqueItems: true,
  title: "FleetSeries",
  description:
    "What is polled of each registered machine over time, beside the fleet as it is now: Faults (fault codes, which raise the same alerts as those of J1939) and values. Each costs one request per machine and poll; default: none",
});
const Status = Type.Enum(["active", "disabled"]);

/** Text that a header may contain; secrets have it too, and are never shown. */
const headerText = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: "^[!-~](?:[ -~]*[!-~])?$" });
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const NONE = { kind: Type.Literal("none") };
const BASIC = { kind: Type.Literal("basic"), username: text(200) };
const BEARER = { kind: Type.Literal("bearer") };
const OAUTH = {
  kind: Type.Literal("oauth2_client_credentials"),
  token_url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH }),
  client_id: text(500),
  scope: Type.Optional(text(1_000)),
};
const OAUTH_PASSWORD = {
  ...OAUTH,
  kind: Type.Literal("oauth2_password"),
  username: text(200),
  client_id: Type.Optional(text(500)),
};
const HEADER = {
  kind: Type.Literal("api_key_header"),
  name: Type.String({ pattern: "^[A-Za-z0-9-]{1,100}$", description: "Name of the header" }),
};

/** Credentials as they are given. */
export const GivenAuth = Type.Union(
  [
    Type.Object(NONE),
    Type.Object({ ...BASIC, password: text(1_000) }),
    Type.Object({ ...BEARER, token: headerText(8_192) }),
    Type.Object({ ...OAUTH, client_secret: text(1_000) }),
    Type.Object({
      ...OAUTH_PASSWORD,
      password: text(1_000),
      client_secret: Type.Optional(text(1_000)),
    }),
    Type.Object({ ...HEADER, value: headerText(8_192) }),
  ],
  {
    title: "GivenFleetAuth",
    description: "Credentials for the server; its secrets are stored sealed and never shown",
  },
);
export type GivenAuth = Static<typeof GivenAuth>;

/** Credentials as they are shown. */
const ShownAuth = Type.Union(
  [
    Type.Object(NONE),
    Type.Object(BASIC),
    Type.Object(BEARER),
    Type.Object(OAUTH),
    Type.Object(OAUTH_PASSWORD),
    Type.Object(HEADER),
  ],
  { title: "FleetAuth", description: "Without its secrets" },
);

export const NewFleetSource = Type.Object(
  {
    url: Url,
    name: Type.Optional(Name),
    auth: Type.Optional(GivenAuth),
    interval_s: Type.Optional(Interval),
    series: Type.Optional(Series),
  },
  { title: "NewFleetSource" },
);

export const FleetSourceChange = Type.Object(
  {
    url: Type.Optional(Url),
    name: Type.Optional(Name),
    auth: Type.Optional(GivenAuth),
    interval_s: Type.Optional(Interval),
    series: Type.Optional(Series),
    status: Type.Optional(Status),
  },
  { title: "FleetSourceChange" },
);

const Count = Type.Integer({ minimum: 0 });

const FleetPoll = Type.Object(
  {
    started_at: Timestamp,
    finished_at: Timestamp,
    outcome: Type.Enum(["ok", "failed"]),
    failure: Type.Optional(Type.String({ description: "Why it failed" })),
    http_status: Type.Optional(Type.Integer({ description: "Of the last answer" })),
    consecutive_failures: Count,
    pages: Count,
    pages_unchanged: Count,
    machines: Count,
    machines_matched: Type.Integer({
      minimum: 0,
      description: "Those that match an asset",
    }),
    readings: Type.Integer({ minimum: 0, description: "New ones, stored" }),
    series_pages: Type.Integer({
      minimum: 0,
      description: "Pages of series of single machines; their new readings count above",
    }),
    problems: Type.Optional(
      Type.Array(Type.Object({ where: Type.String(), problem: Type.String() }), {
        description: "The first 50; not in lists of sources",
      }),
    ),
    problem_count: Count,
    unmatched: Type.Optional(
      Type.Array(
        Type.Object({
          OEMName: Type.Optional(Type.String()),
          Model: Type.Optional(Type.String()),
          EquipmentID: Type.Optional(Type.String()),
          SerialNumber: Type.Optional(Type.String()),
          PIN: Type.Optional(Type.String()),
        }),
        {
          description:
            "The first 100 machines that no asset is registered for: its hardware_id must be the PIN, serial number or equipment id; not in lists of sources",
        },
      ),
    ),
    unmatched_count: Count,
  },
  { title: "FleetPoll" },
);

export const FleetSource = Type.Object(
  {
    id: FleetSourceId,
    name: Type.String(),
    url: Type.String(),
    first_page: Type.String({ description: "Where polls begin" }),
    auth: ShownAuth,
    interval_s: Type.Integer(),
    series: Series,
    status: Status,
    next_poll_at: Type.Optional(
      Type.String({ format: "date-time", description: "Absent: at once, or disabled" }),
    ),
    last_poll: Type.Optional(FleetPoll),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "FleetSource" },
);
export type FleetSource = Static<typeof FleetSource>;

export const FleetSourceList = listOf("FleetSourceList", FleetSource);

export const FleetSourcePath = Type.Object({ source_id: FleetSourceId });

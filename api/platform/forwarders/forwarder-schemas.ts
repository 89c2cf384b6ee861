import { type Static, Type } from "typebox";
import { MAX_TOPIC_BYTES } from "../../../domain/equipment/topics.ts";
import { ForwarderId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { MAX_URL_LENGTH } from "../../../outbound/target.ts";
import {
  FORWARD_FORMATS,
  FORWARDER_KINDS,
  type ForwarderProgress,
  type Forwarder as StoredForwarder,
} from "../../../storage/ports/events/forwarders.ts";
import { listOf } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Kind = Type.Enum([...FORWARDER_KINDS], {
  description: "`traccar_http`: one POST per position; `mqtt`: QoS 1 to another broker",
});
const Format = Type.Enum([...FORWARD_FORMATS], {
  title: "ForwardFormat",
  description:
    "`traccar`: a position as a Traccar server forwards it, the only one over HTTP; `plumbline`: our own JSON",
});
const Url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  description:
    "http(s)://... or mqtt(s)://host:port; public addresses, and those of OUTBOUND_ALLOW_CIDRS",
});
const Topic = Type.String({
  minLength: 1,
  maxLength: MAX_TOPIC_BYTES,
  description: "MQTT topic; {project}, {asset} and {hardware_id} are filled in",
  examples: ["sites/{project}/assets/{asset}/telemetry"],
});
const Projects = Type.Array(ProjectId, {
  title: "ProjectIds",
  minItems: 1,
  maxItems: 1_000,
  uniqueItems: true,
});
const Status = Type.Enum(["active", "disabled"]);
const Credentials = Type.Object(
  {
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    password: Type.Optional(Type.String({ maxLength: 1_000 })),
    header: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: "HTTP only, e.g. X-Api-Key" }),
    ),
    value: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })),
  },
  {
    title: "ForwarderCredentials",
    description: "`username` and `password`, or `header` and `value`; never shown again",
  },
);
export type Credentials = Static<typeof Credentials>;

export const NewForwarder = Type.Object(
  {
    kind: Kind,
    url: Url,
    name: Type.Optional(Name),
    project_ids: Type.Optional(Projects),
    credentials: Type.Optional(Credentials),
    topic: Type.Optional(Topic),
    format: Type.Optional(Format),
    from: Type.Optional(
      Type.Enum(["now"], {
        description: "Where it begins: with readings acknowledged from now on",
      }),
    ),
  },
  { title: "NewForwarder" },
);

export const ForwarderChange = Type.Object(
  {
    url: Type.Optional(Url),
    name: Type.Optional(Name),
    project_ids: Type.Optional(
      Type.Union([Projects, Type.Null()], { description: "null: every project" }),
    ),
    credentials: Type.Optional(
      Type.Union([Credentials, Type.Null()], {
        description: "null: none; needed anew when the URL leads to another server",
      }),
    ),
    topic: Type.Optional(Topic),
    format: Type.Optional(Format),
    status: Type.Optional(Status),
    skip_missed: Type.Optional(
      Type.Boolean({
        description: "With `status` active: skip what was received while it was disabled",
      }),
    ),
  },
  { title: "ForwarderChange" },
);

const Progress = Type.Object(
  {
    journal_id: Type.String({ description: "Journal of one ingest process" }),
    sequence: Type.Integer({ description: "Last record up to which everything is done" }),
    sent: Type.Integer({ description: "Readings that were confirmed" }),
    skipped: Type.Record(Type.String(), Type.Integer(), {
      description:
        "What was left out, by reason: readings; with `no_longer_kept` records of the journal",
    }),
    last_sent_at: Type.Optional(Timestamp),
    last_error: Type.Optional(Type.String()),
    last_error_at: Type.Optional(Timestamp),
    held_since: Type.Optional({ ...Timestamp, description: "Nothing was delivered since" }),
    lag_records: Type.Integer({ description: "Records of the journal that are not done" }),
    lag_s: Type.Number({ description: "Since the oldest of them was acknowledged" }),
  },
  { title: "ForwarderProgress" },
);

export const Forwarder = Type.Object(
  {
    id: ForwarderId,
    name: Type.String(),
    kind: Kind,
    url: Type.String(),
    format: Format,
    topic: Type.Optional(Type.String()),
    project_ids: Type.Optional(
      Type.Array(ProjectId, { description: "Absent: every project, also later ones" }),
    ),
    has_credentials: Type.Boolean(),
    status: Status,
    progress: Type.Array(Progress),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Forwarder" },
);
export type Forwarder = Static<typeof Forwarder>;

export const ForwarderList = listOf("ForwarderList", Forwarder);

export const ForwarderPath = Type.Object({ forwarder_id: ForwarderId });

/** A forwarder as clients read it, without its credentials; `progress` of this one alone. */
export function forwarderView(
  forwarder: StoredForwarder,
  progress: readonly ForwarderProgress[],
  nowMs: number,
): Forwarder {
  const { topic, projectIds } = forwarder;
  return {
    id: forwarder.id,
    name: forwarder.name,
    kind: forwarder.kind,
    url: forwarder.url,
    format: forwarder.format,
    ...(topic === undefined ? {} : { topic }),
    ...(projectIds === undefined ? {} : { project_ids: [...projectIds] }),
    has_credentials: forwarder.credentials !== undefined,
    status: forwarder.status,
    progress: progress.map((row) => progressView(row, nowMs)),
    created_at: isoTime(forwarder.createdAtMs),
    updated_at: isoTime(forwarder.updatedAtMs),
  };
}

function progressView(row: ForwarderProgress, nowMs: number): Static<typeof Progress> {
  const { lastSentAtMs, lastError, heldSinceMs, behind } = row;
  return {
    journal_id: row.journalId,
    sequence: row.sequence,
    sent: row.sent,
    skipped: { ...row.skipped },
    ...(lastSentAtMs === undefined ? {} : { last_sent_at: isoTime(lastSentAtMs) }),
    ...(lastError === undefined
      ? {}
      : { last_error: lastError.reason, last_error_at: isoTime(lastError.atMs) }),
    ...(heldSinceMs === undefined ? {} : { held_since: isoTime(heldSinceMs) }),
    lag_records: behind?.records ?? 0,
    lag_s: behind === undefined ? 0 : Math.max(0, nowMs - behind.sinceMs) / 1_000,
  };
}

import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { Age } from "../../parts/time.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import {
  type ConnectionEntry,
  condense,
  decisive,
  type MessageEntry,
  type Sighting,
  sightingsOf,
} from "./sightings.ts";

/**
 * How often the service is asked, ms: an installer stands beside the machine. Three small requests in 3 s are 60 of
 * the 1,000 that a session has in a minute.
 */
const EVERY_MS = 3_000;
/** Entries of each kind that are asked for, and rows that are shown. */
const ENTRIES = 20;
const ROWS = 12;

interface WatchPaneProps {
  readonly assetId: string;
  /** The device's own; absent: not known here, and every topic is named. */
  readonly topic?: string;
  /** What was before is not shown, ms since the Unix epoch by the clock of the service; 0: all of it. */
  readonly sinceMs: number;
}

interface Seen {
  readonly connections: readonly ConnectionEntry[];
  readonly unknown: readonly ConnectionEntry[];
  readonly messages: readonly MessageEntry[];
  readonly recordedSince: string | undefined;
}

/** Waits for a device and says what the service sees of it: log-ins, refusals, messages and what became of them. */
export function WatchPane({ assetId, topic, sinceMs }: WatchPaneProps) {
  const seen = useAnswer<Seen>(() => readSeen(assetId), assetId, EVERY_MS);
  const { value } = seen.data;
  const sightings = value === undefined ? [] : sightingsOf(value, sinceMs);
  const now = decisive(sightings);
  return (
    <section class="card" aria-labelledby="watch">
      <h2 id="watch">{t("watch.title")}</h2>
      <p class={now === undefined ? "notice" : `notice notice-${now.tone}`} role="status">
        {now === undefined
          ? t("watch.waiting", { time: sinceMs === 0 ? "–" : show.clock(sinceMs) })
          : verdict(now)}
        {now?.todo === undefined ? null : <span class="small">{t(now.todo)}</span>}
      </p>
      {seen.failure.value === undefined ? null : <FailureNotice failure={seen.failure.value} />}
      <p class="muted small">{t("watch.polled", { seconds: EVERY_MS / 1_000 })}</p>
      <h3>{t("watch.list")}</h3>
      {sightings.length === 0 ? <p class="muted">{t("watch.none")}</p> : null}
      <ol class="sightings">
        {condense(sightings)
          .slice(0, ROWS)
          .map(({ newest, count }) => (
            <li key={newest.key} class={`sighting sighting-${newest.tone}`}>
              <SightingLine sighting={newest} count={count} topic={topic} />
            </li>
          ))}
      </ol>
      <p class="muted small">
        {t(may("admin") ? "watch.unknown_note" : "watch.no_unknown")}
        {value?.recordedSince === undefined
          ? null
          : ` ${t("watch.since_start", { time: show.dateTime(Date.parse(value.recordedSince)) })}`}
      </p>
    </section>
  );
}

async function readSeen(assetId: string): Promise<Outcome<Seen>> {
  const path = { asset_id: assetId };
  const query = { limit: ENTRIES };
  const [connections, messages, unknown] = await Promise.all([
    outcomeOf(
      api.GET("/api/v1/equipment/assets/{asset_id}/connections", { params: { path, query } }),
    ),
    outcomeOf(api.GET("/api/v1/equipment/assets/{asset_id}/messages", { params: { path, query } })),
    may("admin")
      ? outcomeOf(api.GET("/api/v1/equipment/unknown-connections", { params: { query } }))
      : undefined,
  ]);
  if ("failure" in connections) return connections;
  if ("failure" in messages) return messages;
  return {
    value: {
      connections: connections.value.data,
      messages: messages.value.data,
      // A key of some projects may not see them, and the list does without.
      unknown: unknown !== undefined && "value" in unknown ? unknown.value.data : [],
      recordedSince: messages.value.recorded_since,
    },
  };
}

/** What the decisive sighting means, as a sentence. */
function verdict(sighting: Sighting): string {
  if (sighting.kind === "message") {
    const { outcome, reason, notices, topic } = sighting.entry;
    const why = reason ?? t("value.unknown");
    if (outcome === "quarantined") return t("watch.quarantined", { reason: why });
    if (outcome === "foreign_topic") return t("watch.foreign_topic", { topic });
    if (outcome === "duplicate") return t("watch.duplicate");
    if (outcome === "ignored") return t("watch.ignored");
    return t(
      notices === undefined || notices.length === 0 ? "watch.stored" : "watch.stored_partly",
    );
  }
  const reason = t(sighting.text, { outcome: sighting.entry.outcome });
  if (sighting.tone === "bad") return t("watch.refused", { reason });
  return sighting.entry.outcome === "accepted"
    ? t("watch.connected")
    : t("watch.ended", { reason });
}

interface SightingLineProps {
  readonly sighting: Sighting;
  /** How many like it came one after the other. */
  readonly count: number;
  readonly topic: string | undefined;
}

function SightingLine({ sighting, count, topic }: SightingLineProps) {
  const { atMs, text, todo } = sighting;
  return (
    <>
      <p>
        <Age ms={atMs} />: {t(text, { outcome: sighting.entry.outcome })}
        {count > 1 ? ` (${tn("watch.before", count - 1)})` : null}
      </p>
      <p class="muted small">
        {sighting.kind === "message"
          ? messageFacts(sighting.entry, topic)
          : connectionFacts(sighting.entry, sighting.isUnknown)}
      </p>
      {sighting.kind === "message" && sighting.entry.reason !== undefined ? (
        <p class="small">{sighting.entry.reason}</p>
      ) : null}
      {sighting.kind === "message"
        ? sighting.entry.notices?.map((notice) => (
            <p key={notice} class="small">
              {notice}
            </p>
          ))
        : null}
      {todo === undefined ? null : <p class="small">{t(todo)}</p>}
    </>
  );
}

function messageFacts(entry: MessageEntry, topic: string | undefined): string {
  return [
    // Its own topic is above, and long.
    entry.topic === topic ? undefined : t("watch.topic", { topic: entry.topic }),
    t("watch.bytes", { bytes: show.number(entry.payload_bytes) }),
    `QoS ${entry.qos}`,
    tn("watch.readings", entry.readings),
  ]
    .filter((one) => one !== undefined)
    .join(" · ");
}

function connectionFacts(entry: ConnectionEntry, isUnknown: boolean): string {
  const { username, address, listener, detail } = entry;
  const name = isUnknown
    ? username === undefined
      ? t("watch.no_name")
      : t("watch.name", { name: username })
    : undefined;
  return [
    name,
    address === undefined ? undefined : t("watch.from", { address }),
    t("watch.by", { listener }),
    detail,
  ]
    .filter((one) => one !== undefined)
    .join(" · ");
}

import type { components } from "../../../client/index.ts";
import type { MessageKey } from "../../i18n/en.ts";

export type ConnectionEntry = components["schemas"]["ConnectionEntry"];
export type MessageEntry = components["schemas"]["MessageEntry"];

/** One thing that the service saw of a device. */
export type Sighting = {
  readonly key: string;
  /** Clock of the service, ms since the Unix epoch. */
  readonly atMs: number;
  /** What it means for who installs the device. */
  readonly tone: "good" | "bad" | "neutral";
  readonly text: MessageKey;
  /** What to do about it. */
  readonly todo: MessageKey | undefined;
} & (
  | { readonly kind: "connection"; readonly entry: ConnectionEntry; readonly isUnknown: boolean }
  | { readonly kind: "message"; readonly entry: MessageEntry }
);

interface Words {
  readonly text: MessageKey;
  readonly tone: Sighting["tone"];
  readonly todo?: MessageKey;
}

/** Outcomes as `docs/devices/not-online.md` has them. */
const CONNECTIONS: Readonly<Record<string, Words>> = {
  accepted: { text: "link.accepted", tone: "good" },
  unknown_user: { text: "link.unknown_user", tone: "bad", todo: "todo.unknown_user" },
  wrong_password: { text: "link.wrong_password", tone: "bad", todo: "todo.wrong_password" },
  barred: { text: "link.barred", tone: "bad", todo: "todo.barred" },
  version_refused: { text: "link.version_refused", tone: "bad", todo: "todo.version_refused" },
  client_id: { text: "link.client_id", tone: "bad", todo: "todo.client_id" },
  takeover: { text: "link.takeover", tone: "bad", todo: "todo.takeover" },
  takeover_banned: { text: "link.takeover_banned", tone: "bad", todo: "todo.takeover" },
  too_soon: { text: "link.too_soon", tone: "bad", todo: "todo.too_soon" },
  command_unanswered: { text: "link.command_unanswered", tone: "neutral" },
  tls_alert: { text: "link.tls_alert", tone: "bad", todo: "todo.tls_alert" },
  unavailable: { text: "link.unavailable", tone: "bad", todo: "todo.unavailable" },
  connect_timeout: { text: "link.connect_timeout", tone: "bad", todo: "todo.malformed" },
  malformed: { text: "link.malformed", tone: "bad", todo: "todo.malformed" },
  oversized: { text: "link.oversized", tone: "bad", todo: "todo.malformed" },
  quota: { text: "link.quota", tone: "neutral" },
  keep_alive: { text: "link.keep_alive", tone: "neutral" },
  cut: { text: "link.cut", tone: "neutral" },
  disconnect: { text: "link.disconnect", tone: "neutral" },
  credential_changed: { text: "link.credential_changed", tone: "neutral" },
  asset_gone: { text: "link.asset_gone", tone: "neutral" },
  shutdown: { text: "link.shutdown", tone: "neutral" },
};
/** A service that is newer than this page may have more. */
const OTHER: Words = { text: "link.other", tone: "neutral" };

const MESSAGES: Readonly<Record<MessageEntry["outcome"], Words>> = {
  stored: { text: "message.stored", tone: "good" },
  late: { text: "message.late", tone: "good" },
  duplicate: { text: "message.duplicate", tone: "neutral" },
  quarantined: { text: "message.quarantined", tone: "bad", todo: "todo.quarantined" },
  foreign_topic: { text: "message.foreign_topic", tone: "bad", todo: "todo.foreign_topic" },
  ignored: { text: "message.ignored", tone: "neutral" },
};

interface Seen {
  readonly connections: readonly ConnectionEntry[];
  /** Attempts under names that no machine has. */
  readonly unknown: readonly ConnectionEntry[];
  readonly messages: readonly MessageEntry[];
}

/**
 * What was seen from a time on (ms since the Unix epoch, the service's clock), the newest first. Log-ins under names
 * that no machine has are of interest until the device itself is let in.
 */
export function sightingsOf(seen: Seen, sinceMs: number): readonly Sighting[] {
  const connection = (entry: ConnectionEntry, i: number, isUnknown: boolean): Sighting => ({
    kind: "connection",
    // The newest come first and push the others on: counted from the end a place stays.
    key: `${isUnknown ? "unknown" : "own"}-${entry.at}-${entry.outcome}-${i}`,
    atMs: Date.parse(entry.at),
    entry,
    isUnknown,
    ...wordsOf(CONNECTIONS[entry.outcome] ?? OTHER),
  });
  // A device that is let in is not the one that gives another name.
  const wellMs = Math.max(
    0,
    ...seen.connections.filter(isAccepted).map(({ at }) => Date.parse(at)),
  );
  const toldMs = Math.max(wellMs, ...seen.messages.map((one) => Date.parse(one.received_at)));
  const unknown = seen.unknown.filter(({ at }) => Date.parse(at) > toldMs);
  return [
    ...seen.connections.map((entry, i) => connection(entry, seen.connections.length - i, false)),
    ...unknown.map((entry, i) => connection(entry, unknown.length - i, true)),
    ...seen.messages.map(
      (entry, i): Sighting => ({
        kind: "message",
        key: `message-${entry.received_at}-${seen.messages.length - i}`,
        atMs: Date.parse(entry.received_at),
        entry,
        ...wordsOf(MESSAGES[entry.outcome]),
      }),
    ),
  ]
    .filter(({ atMs }) => atMs >= sinceMs)
    .sort((a, b) => b.atMs - a.atMs || order(b) - order(a));
}

const isAccepted = ({ outcome }: ConnectionEntry): boolean => outcome === "accepted";

const wordsOf = ({ text, tone, todo }: Words) => ({ text, tone, todo });

/** Of one moment: a device logs in before it sends. */
const order = ({ kind }: Sighting): number => (kind === "message" ? 1 : 0);

/** A sighting, and how many like it came one after the other. */
interface Sightings {
  readonly newest: Sighting;
  readonly count: number;
}

/**
 * Messages that came one after the other and say the same, as one: a machine at work sends one a second. What has a
 * reason or a notice stays by itself.
 */
export function condense(sightings: readonly Sighting[]): readonly Sightings[] {
  const groups: { newest: Sighting; count: number }[] = [];
  for (const sighting of sightings) {
    const last = groups.at(-1);
    if (last !== undefined && isLike(last.newest, sighting)) last.count += 1;
    else groups.push({ newest: sighting, count: 1 });
  }
  return groups;
}

function isLike(a: Sighting, b: Sighting): boolean {
  if (a.kind !== "message" || b.kind !== "message") return false;
  const isPlain = ({ reason, notices }: MessageEntry) =>
    reason === undefined && notices === undefined;
  return (
    a.entry.outcome === b.entry.outcome &&
    a.entry.topic === b.entry.topic &&
    isPlain(a.entry) &&
    isPlain(b.entry)
  );
}

/**
 * What all of it says at this moment: the newest message if there is one, because a message says more than the end of
 * its connection; else the newest log-in of the device itself, else one under another name.
 */
export function decisive(sightings: readonly Sighting[]): Sighting | undefined {
  const own = sightings.filter((one) => one.kind === "message" || !one.isUnknown);
  const message = own.find(({ kind }) => kind === "message");
  // A refusal after the message is what has to be put right now.
  const refused = own.find((one) => one.tone === "bad");
  if (message !== undefined) {
    return refused !== undefined && refused.atMs > message.atMs ? refused : message;
  }
  return own[0] ?? sightings[0];
}

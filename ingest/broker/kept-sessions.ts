import type { Logger } from "pino";
import type { EventSubscription } from "../../storage/ports/events/event-readers.ts";
import type { MqttConnection } from "./connection.ts";
import type { AnsweredRefusal } from "./connection-outcome.ts";
import { KeptSession, type KeptSessionParts } from "./kept-session.ts";

/** Beginning of the ids of kept sessions among the readers of the outbox. */
const PREFIX = "mqtt-session/";
/** Kept sessions of one API key: each holds a row, and reads the outbox when it comes back. */
const MAX_PER_KEY = 50;
/** Longest client id of a kept session, characters; longer ones are random, and would never come back. */
export const MAX_KEPT_CLIENT_ID = 256;

/** The owner of a session: the client id is the client's own within its API key. */
interface SessionIdentity {
  readonly keyId: string;
  readonly clientId: string;
}

/** The sessions of readers that asked for a kept one, by API key and client id. */
export interface KeptSessions {
  /**
   * Gives a connection whose log-in is right the session that it asked for: the one that it had, else a new
   * one that begins with the next event. Forgets it where a clean session was asked for [MQTT-3.1.2-6].
   * Another connection with that session is closed [MQTT-3.1.4-2]. Yields why the log-in is refused after
   * all.
   */
  admit(connection: MqttConnection, keyId: string): Promise<AnsweredRefusal | undefined>;
  /** The subscriptions that aedes restores, by its own id of a client. */
  subscriptionsOf(sessionId: string): readonly Pick<EventSubscription, "filter" | "qos">[];
}

export interface KeptSessionsOptions extends KeptSessionParts {
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, "warn">;
}

export function createKeptSessions(options: KeptSessionsOptions): KeptSessions {
  const { records, now, log } = options;
  const held = new Map<string, { readonly session: KeptSession; readonly close: () => void }>();
  const bySessionId = new Map<string, KeptSession>();

  async function takeOver(id: string): Promise<void> {
    const holder = held.get(id);
    if (holder === undefined) return;
    held.delete(id);
    // Its place is stored before the next connection reads it.
    await holder.session.end();
    holder.close();
  }

  /** @throws DomainError `STORE_UNAVAILABLE`. */
  async function open(
    identity: SessionIdentity,
    connection: MqttConnection,
  ): Promise<KeptSession | undefined> {
    const id = idOf(identity);
    await takeOver(id);
    const isNew = (await records.find(id)) === undefined;
    if (isNew && (await records.count(prefixOf(identity))) >= MAX_PER_KEY) return undefined;
    const session = new KeptSession(id, await records.open(id, now()), connection, options);
    const holder = { session, close: () => connection.finish("takeover") };
    const { sessionId } = connection;
    held.set(id, holder);
    bySessionId.set(sessionId, session);
    const leave = () => {
      if (held.get(id) === holder) held.delete(id);
      if (bySessionId.get(sessionId) === session) bySessionId.delete(sessionId);
      void session.end();
    };
    if (connection.destroyed) leave();
    else connection.once("close", leave);
    return session;
  }

  return {
    async admit(connection, keyId) {
      const { clientId = "", cleanSession = true } = connection.connect ?? {};
      if (clientId === "") return undefined;
      const identity = { keyId, clientId };
      try {
        if (!cleanSession) {
          connection.kept = await open(identity, connection);
          if (connection.kept !== undefined) return undefined;
          log.warn({ keyId, limit: MAX_PER_KEY }, "an API key has too many kept MQTT sessions");
          return "client_id";
        }
        const id = idOf(identity);
        await takeOver(id);
        await records.remove(id);
        return undefined;
      } catch (error) {
        log.warn({ err: error }, "kept MQTT sessions cannot be read");
        return "unavailable";
      }
    },

    subscriptionsOf: (sessionId) => bySessionId.get(sessionId)?.subscriptions ?? [],
  };
}

const prefixOf = ({ keyId }: Pick<SessionIdentity, "keyId">): string => `${PREFIX}${keyId}/`;

/** Percent-encoded: a client id may hold what a database does not take. */
const idOf = ({ keyId, clientId }: SessionIdentity): string =>
  `${prefixOf({ keyId })}${encodeURIComponent(Buffer.from(clientId).toString())}`;

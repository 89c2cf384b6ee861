import { Aedes, type AedesOptions, type Client, type PublishPacket } from "aedes";

type Done = (error?: Error) => void;

/** Where the subscriptions of kept sessions are; aedes restores them before CONNACK. */
export interface KeptSubscriptions {
  of(clientId: string): readonly { readonly filter: string; readonly qos: 0 | 1 | 2 }[];
  /** Resolves when the removal is stored; UNSUBACK waits for it. */
  remove(client: Client, filters: readonly string[]): Promise<void>;
}

/** The part of aedes' persistence that belongs to kept sessions; its types leave it out. */
interface SessionPersistence {
  subscriptionsByClient(client: { readonly id: string }): Promise<unknown>;
  addSubscriptions(client: Client, subscriptions: unknown): Promise<void>;
  removeSubscriptions(client: Client, filters: readonly string[]): Promise<void>;
  outgoingClearMessageId(client: Client, packet: unknown): Promise<void>;
}

/**
 * aedes that forwards what we publish and nothing else. What a client published ends in the
 * journal: no client may subscribe to it, and a device must not be able to speak to readers.
 */
export class DeviceAedes extends Aedes {
  declare readonly persistence: SessionPersistence;

  override publish(packet: PublishPacket, from: Client | Done | null, done?: Done): void {
    if (typeof from === "function") super.publish(packet, from);
    else done?.();
  }
}

/**
 * Opens it with the settings of docs/decisions/001. aedes keeps nothing of a session itself: it would queue
 * messages in memory without bound. Kept sessions have their subscriptions in `kept` and their messages
 * in the outbox.
 */
export async function openDeviceAedes(
  hooks: AedesOptions,
  kept: KeptSubscriptions,
): Promise<DeviceAedes> {
  const aedes = new DeviceAedes({
    ...hooks,
    // One stuck subscriber otherwise holds up awaited publishes for 60 s.
    drainTimeout: 2_000,
    // The default, 42, cuts clients that send more right behind CONNECT; publishes wait in
    // MqttConnection, unread, and bytes are bounded there.
    queueLimit: 10_000,
    connectTimeout: 10_000,
    // The session's own id is longer than the client's by the user name.
    maxClientsIdLength: 65_535,
    // No limit to the messages in flight at once: one counts until its slowest subscriber has taken it,
    // so at a limit a stuck one holds up all. Bytes per subscriber are bounded instead. (At its limit
    // mqemitter 7 also queues, and overflows the stack when 10,000 wait and a subscriber leaves.)
    concurrency: 0,
  });
  await aedes.listen();
  Object.assign(aedes.persistence, {
    subscriptionsByClient: async ({ id }) =>
      kept.of(id).map(({ filter, qos }) => ({ topic: filter, qos })),
    // Stored when they are granted, before SUBACK.
    addSubscriptions: async () => undefined,
    removeSubscriptions: (client, filters) => kept.remove(client, filters),
    outgoingClearMessageId: async () => undefined,
  } satisfies SessionPersistence);
  return aedes;
}

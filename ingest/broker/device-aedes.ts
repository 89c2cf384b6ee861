import { Aedes, type AedesOptions, type Client, type PublishPacket } from "aedes";

type Done = (error?: Error) => void;

/**
 * aedes that forwards what we publish and nothing else. What a client published ends in the
 * journal: nobody may subscribe to it, and a device must not be able to speak to readers.
 */
export class DeviceAedes extends Aedes {
  override publish(packet: PublishPacket, from: Client | Done | null, done?: Done): void {
    if (typeof from === "function") super.publish(packet, from);
    else done?.();
  }
}

/** Opens it with the settings of DESIGN 3.1. */
export async function openDeviceAedes(hooks: AedesOptions): Promise<DeviceAedes> {
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
    // No limit to the messages on their way at once: one counts until its slowest subscriber has taken
    // it, so at a limit a stuck one holds up all. Bytes per subscriber are bounded instead. (At its
    // limit mqemitter 7 also queues, and overflows the stack when 10,000 wait and a subscriber leaves.)
    concurrency: 0,
  });
  await aedes.listen();
  return aedes;
}

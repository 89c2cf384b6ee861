import { connectAsync } from "mqtt";

/** Somebody who reads events at the external broker. */
export interface EventReader {
  /** Ids of the events that were read. */
  readonly ids: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Reads the events of all projects from now on, in a session that the broker keeps. */
export async function readEvents(port: number): Promise<EventReader> {
  const ids = new Set<string>();
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    clientId: "reader-of-events",
    clean: false,
  });
  client.on("message", (_topic, payload) => {
    ids.add((JSON.parse(payload.toString()) as { readonly id: string }).id);
  });
  await client.subscribeAsync("sites/+/events/#", { qos: 1 });
  return { ids, close: () => client.endAsync(true) };
}

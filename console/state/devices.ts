import { signal } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { outcomeOf } from "../api/outcome.ts";

/** Where devices connect, as the service says it. */
export type DeviceListeners = components["schemas"]["DeviceListeners"];

/** Listeners of the service; `null`: another process has them; `undefined`: not asked yet. */
export const deviceListeners = signal<DeviceListeners | null | undefined>(undefined);

/** Asks once in the life of the page: ports change with a start of the service. */
export async function readDeviceListeners(): Promise<void> {
  const outcome = await outcomeOf(api.GET("/api/v1/console/config"));
  // Without an answer it is as if another process had them.
  deviceListeners.value = ("value" in outcome ? outcome.value.devices : undefined) ?? null;
}

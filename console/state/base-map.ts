import { signal } from "@preact/signals";
import { api } from "../api/client.ts";
import type { BaseTiles } from "../map/style.ts";

/** Tiles under the map, if an administrator set an address; else it has plain ground. */
export const baseTiles = signal<BaseTiles | undefined>(undefined);

/** Reads what the console starts with; without an answer the ground stays plain. */
export async function readBaseMap(): Promise<void> {
  const { data } = await api.GET("/api/v1/console/config").catch(() => ({ data: undefined }));
  if (data?.map.kind !== "tiles") return;
  const { url_template: url, attribution, max_zoom: maxZoom } = data.map;
  baseTiles.value = { url, attribution, maxZoom };
}

import { signal } from "@preact/signals";
import { api } from "../api/client.ts";
import type { BaseMap } from "../map/base-map.ts";

/** What is under the map, if an administrator set or put there any; else it has plain ground. */
export const baseMap = signal<BaseMap | undefined>(undefined);

/** Files of which each is read by itself: more are several hundred requests of a view that shows them all. */
const FILES = 8;

/** Reads what the console starts with; without an answer the ground stays plain. */
export async function readBaseMap(): Promise<void> {
  const { data } = await api.GET("/api/v1/console/config").catch(() => ({ data: undefined }));
  const map = data?.map;
  if (map?.kind === "tiles") {
    const { url_template: url, attribution, max_zoom: maxZoom } = map;
    baseMap.value = { kind: "tiles", url, attribution, maxZoom };
  }
  if (map?.kind === "pmtiles") {
    const urls = map.files.slice(0, FILES).map(({ path }) => `${location.origin}${path}`);
    // What reads such files is loaded where there are any.
    const archives = await import("../map/archives.ts")
      .then(({ openArchives }) => openArchives(urls))
      .catch(() => []);
    baseMap.value = archives.length === 0 ? undefined : { kind: "archives", archives };
  }
}

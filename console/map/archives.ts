import { addProtocol } from "maplibre-gl";
import { PMTiles, Protocol, TileType } from "pmtiles";
import { type Archive, attributionOf } from "./base-map.ts";

let protocol: Protocol | undefined;

/**
 * Opens map files of the service: reads the header and the metadata of each, and lets the map read their tiles by
 * ranges. One that cannot be read is left out.
 *
 * @param urls Absolute addresses.
 */
export async function openArchives(urls: readonly string[]): Promise<readonly Archive[]> {
  if (protocol === undefined) {
    protocol = new Protocol();
    addProtocol("pmtiles", protocol.tile);
  }
  const opened = await Promise.all(urls.map((url) => openArchive(url, protocol)));
  return opened.filter((archive) => archive !== undefined);
}

async function openArchive(url: string, reader?: Protocol): Promise<Archive | undefined> {
  const file = new PMTiles(url);
  reader?.add(file);
  try {
    const [header, metadata] = await Promise.all([file.getHeader(), file.getMetadata()]);
    const { minLon, minLat, maxLon, maxLat, minZoom, maxZoom, tileType } = header;
    return {
      tiles: `pmtiles://${url}/{z}/{x}/{y}`,
      isVector: tileType === TileType.Mvt,
      minZoom,
      maxZoom,
      bounds: [minLon, minLat, maxLon, maxLat],
      attribution: attributionOf(metadata),
    };
  } catch {
    return undefined;
  }
}

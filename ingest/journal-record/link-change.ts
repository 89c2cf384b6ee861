import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/**
 * How an asset's last session ended. `closed`: by us, for its credentials, its behaviour or its pace. `death`:
 * reported by a gateway for a device behind it, or by the gateway's own will. Part of the format on disk: only
 * ever appended to.
 */
export const LINK_ENDS = ["disconnect", "cut", "keep_alive", "closed", "death"] as const;
export type LinkEnd = (typeof LINK_ENDS)[number];

/** An asset got its first MQTT session or lost its last one, or a gateway said so of it. */
export interface LinkChange {
  readonly assetId: AssetId;
  /** The asset's project at that moment. */
  readonly projectId: ProjectId;
  /** Server clock, ms since the Unix epoch. */
  readonly atMs: number;
  /** `undefined`: the link is up. */
  readonly end: LinkEnd | undefined;
}

/** Byte of a link that is up; an end is its place in {@link LINK_ENDS}. */
const UP = 255;

const writer = new ByteWriter();

/** The journal body of a link that went up or down; {@link decodeLinkChange} is its inverse. */
export function encodeLinkChange({ assetId, projectId, atMs, end }: LinkChange): Uint8Array {
  writer.begin();
  writer.text(assetId);
  writer.text(projectId);
  writer.f64(atMs);
  writer.u8(end === undefined ? UP : LINK_ENDS.indexOf(end));
  return writer.take();
}

export function decodeLinkChange(body: Uint8Array): LinkChange {
  const reader = new ByteReader(body);
  const assetId = reader.text() as AssetId;
  const projectId = reader.text() as ProjectId;
  const atMs = reader.f64();
  const code = reader.u8();
  // An end of a newer version is an end all the same.
  const end = code === UP ? undefined : (LINK_ENDS[code] ?? "closed");
  return { assetId, projectId, atMs, end };
}

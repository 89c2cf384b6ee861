import { perSession } from "../../state/per-session.ts";
import type { WorkZone } from "../../state/site-places.ts";
import type { Drawing } from "../fences/drawing.ts";
import type { Tagged } from "./requests.ts";

/** A zone that is being drawn or changed; the page and its map have it in common. */
export interface ZoneEditing {
  readonly drawing: Drawing;
  /** As it was read for this change; `undefined`: a new zone. */
  readonly stored: Tagged<WorkZone> | undefined;
}

export const zoneEditing = perSession<ZoneEditing | undefined>(undefined);

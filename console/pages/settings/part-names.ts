import { may, seesEveryProject } from "../../api/session-state.ts";

/** Parts of the page, and whether the key may see them. */
const MAY_SEE = {
  projects: () => true,
  keys: () => may("admin"),
  webhooks: () => may("events:read"),
  forwarders: () => may("equipment:read"),
  "fleet-sources": () => may("equipment:read") && seesEveryProject(),
  mappings: () => may("equipment:read"),
  plans: () => may("equipment:read"),
} as const;

export type PartName = keyof typeof MAY_SEE;

const NAMES = Object.keys(MAY_SEE) as readonly PartName[];

/** Parts that the key may see, in their order. */
export const visibleParts = (): readonly PartName[] => NAMES.filter((name) => MAY_SEE[name]());

import type { components } from "../../../client/index.ts";
import type { Machine } from "../../state/machine.ts";

/** A machine with all that the API has of it. */
export type AssetDetail = components["schemas"]["AssetDetail"];

/** What a part of the page is given. */
export interface TabProps {
  readonly asset: AssetDetail;
  /** Entity tag of the state that `asset` was read in. */
  readonly etag: string;
  /** As the live stream has it. */
  readonly machine: Machine;
  /** Reads the asset again, after a change of it. */
  readonly onChange: () => void;
}

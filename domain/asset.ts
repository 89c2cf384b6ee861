import { type Static, Type } from "typebox";
import { Location } from "./geodesy.ts";
import { AssetId, ProjectId } from "./ids.ts";

const Timestamp = Type.String({ format: "date-time", description: "ISO 8601, UTC" });

/** The decoders an asset may be registered with. */
export const DECODER_NAMES = ["plumbline"] as const;

/** What a person registered about an asset; what the machine reports is live state. */
export const AssetRegistration = Type.Object(
  {
    id: AssetId,
    project_id: ProjectId,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    type: Type.String({ minLength: 1, maxLength: 64, examples: ["excavator"] }),
    decoder: Type.Enum([...DECODER_NAMES], { description: "Format the device speaks" }),
    location: Type.Optional(Location),
    maintenance: Type.Boolean({ description: "A person took the machine out of service" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "AssetRegistration" },
);
export type AssetRegistration = Static<typeof AssetRegistration>;

/** `status` of the contract's asset. */
export const ASSET_STATUSES = ["active", "idle", "maintenance"] as const;
export type AssetStatus = (typeof ASSET_STATUSES)[number];

import { type TSchema, Type } from "typebox";
import { NAMESPACE } from "./xml.ts";

const Datetime = Type.String({
  format: "date-time",
  description: "Of this section alone; UTC, whole seconds",
});

/** A section's `datetime` and its own properties. */
const Section = Type.Object({ datetime: Datetime }, { additionalProperties: true });

const Links = Type.Array(
  Type.Object({
    rel: Type.Enum(["self", "first", "prev", "next", "last"]),
    href: Type.String({ description: "Path at this service" }),
  }),
);

const EquipmentHeader = Type.Object({
  UnitInstallDateTime: Type.String({ description: "When the asset was registered" }),
  Model: Type.String({ description: "Type of the asset" }),
  EquipmentID: Type.String({ description: "Name of the asset" }),
  SerialNumber: Type.String({ description: "`hardware_id` of the asset, else its id" }),
  PIN: Type.Optional(Type.String({ description: "`hardware_id` when it is a PIN or VIN" })),
});

const EQUIPMENT = {
  EquipmentHeader,
  Location: Type.Optional(Section),
  CumulativeOperatingHours: Type.Optional(Section),
  FuelUsed: Type.Optional(Section),
  Distance: Type.Optional(Section),
  CumulativeIdleHours: Type.Optional(Section),
  FuelRemaining: Type.Optional(Section),
  DEFRemaining: Type.Optional(Section),
  EngineStatus: Type.Optional(Section),
  CumulativeLoadCount: Type.Optional(Section),
};

const SNAPSHOT = { version: Type.String(), snapshotTime: Type.String({ format: "date-time" }) };

export const FleetBody = Type.Object(
  { ...SNAPSHOT, Equipment: Type.Array(Type.Object(EQUIPMENT)), links: Links },
  { title: "Iso15143Fleet" },
);

export const EquipmentBody = Type.Object(
  { ...SNAPSHOT, ...EQUIPMENT },
  { title: "Iso15143Equipment" },
);

export const SeriesBody = Type.Object(
  { links: Links },
  {
    title: "Iso15143Series",
    additionalProperties: Type.Array(Section),
    description: "Beside the links the sections, ascending, under their name, such as `Location`",
  },
);

/** The contents of a 200: XML, and JSON of this schema. */
export function xmlOrJson(description: string, schema: TSchema) {
  return {
    description,
    content: {
      "application/xml": {
        schema: Type.String({ description: `Namespace ${NAMESPACE}` }),
      },
      "application/json": { schema },
    },
  };
}

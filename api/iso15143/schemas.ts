import { type TSchema, Type } from "typebox";
import { ELEMENTS } from "./elements.ts";
import { NAMESPACE } from "./xml.ts";

const Datetime = Type.String({
  format: "date-time",
  description: "Of this section alone; UTC, whole seconds",
});

/** A section's `datetime` and its own properties. */
const Section = Type.Object(
  { datetime: Datetime },
  { title: "Iso15143Section", additionalProperties: true },
);

const Links = Type.Array(
  Type.Object({
    rel: Type.Enum(["self", "first", "prev", "next", "last"]),
    href: Type.String({ description: "Path at this service" }),
  }),
  { title: "Iso15143Links" },
);

const EquipmentHeader = Type.Object(
  {
    UnitInstallDateTime: Type.String({ description: "When the asset was registered" }),
    OEMName: Type.Optional(Type.String({ description: "`make` of the asset" })),
    Model: Type.String({ description: "`model` of the asset, else its type" }),
    EquipmentID: Type.String({ description: "Name of the asset" }),
    SerialNumber: Type.String({
      description: "`serial_number` of the asset, else its `hardware_id`, else its id",
    }),
    PIN: Type.Optional(Type.String({ description: "`hardware_id` when it is a PIN or VIN" })),
  },
  { title: "Iso15143Header" },
);

const Equipment = Type.Object(
  {
    EquipmentHeader,
    ...Object.fromEntries(ELEMENTS.map(({ name }) => [name, Type.Optional(Section)])),
  },
  { title: "Iso15143Machine" },
);

const SNAPSHOT = { version: Type.String(), snapshotTime: Type.String({ format: "date-time" }) };

export const FleetBody = Type.Object(
  { ...SNAPSHOT, Equipment: Type.Array(Equipment), links: Links },
  { title: "Iso15143Fleet" },
);

export const EquipmentBody = Type.Object(
  { ...SNAPSHOT, ...Equipment.properties },
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

import { type TSchema, Type } from "typebox";
import { CSV_TYPE, GEOJSON_TYPE } from "./negotiation.ts";

/** The contents of a 200 that is also there as CSV. */
export function jsonOrCsv(description: string, schema: TSchema) {
  return {
    description,
    content: {
      "application/json": { schema },
      [CSV_TYPE]: {
        schema: Type.String({ title: "Csv", description: "RFC 4180, one header line" }),
      },
    },
  };
}

/** A GeoJSON object (RFC 7946), positions as [longitude, latitude]. */
const GeoJson = Type.Object(
  { type: Type.String() },
  { title: "GeoJSON", additionalProperties: true },
);

/** As `jsonOrCsv`, and as GeoJSON. */
export function jsonOrGeo(description: string, schema: TSchema) {
  const { content } = jsonOrCsv(description, schema);
  return { description, content: { ...content, [GEOJSON_TYPE]: { schema: GeoJson } } };
}

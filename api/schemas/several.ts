import { type TSchema, Type } from "typebox";

/**
 * The query parameter of a filter that takes several values. `explode` is OpenAPI's word for repeating it, which we
 * refuse.
 */
export const severalOf = <Value extends TSchema>(value: Value) =>
  Type.Optional(
    Type.Array(value, {
      minItems: 1,
      explode: false,
      description: "Separated by commas; absent: all",
    }),
  );

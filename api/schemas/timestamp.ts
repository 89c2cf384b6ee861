import { Type } from "typebox";

/** An instant in an answer: ISO 8601, UTC, with milliseconds. */
export const Timestamp = Type.String({
  title: "Timestamp",
  format: "date-time",
  description: "ISO 8601, UTC",
});

/** An instant whose meaning the name of its field does not say. */
export const timestampOf = (description: string) =>
  Type.String({ format: "date-time", description });

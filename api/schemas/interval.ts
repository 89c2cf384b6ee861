import { Type } from "typebox";

/** Low and high end of 95 % of a figure, in an answer. */
export const Interval95 = Type.Union(
  [Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), Type.Null()],
  { title: "Interval95", description: "Low and high end of 95 %; null: it cannot be bounded" },
);

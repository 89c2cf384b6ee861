import type { ReadingRemark } from "./reading.ts";

/** A remark as a person reads it. Without the value, so that it is one and the same from message to message. */
export const remarkText = ({ name, problem }: Pick<ReadingRemark, "name" | "problem">): string =>
  `${name}: ${problem}`;

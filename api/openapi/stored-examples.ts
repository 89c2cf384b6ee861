import { readFileSync } from "node:fs";

/** Requests that routes accept and answers that they gave, with short ids, addresses and signatures. */
interface StoredExamples {
  /** By status: one for each code. */
  readonly errors: Readonly<
    Record<string, readonly { readonly error: { readonly code: string } }[]>
  >;
  /** Bodies by the operation that takes them. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** By the name of the schema, of an answer or of a row of a list. */
  readonly schemas: Readonly<Record<string, unknown>>;
}

export const EXAMPLES = JSON.parse(
  readFileSync(new URL("./examples.json", import.meta.url), "utf8"),
) as StoredExamples;

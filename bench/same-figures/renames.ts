import { readFile } from "node:fs/promises";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";

const Texts = Type.Record(Type.String(), Type.String());

/** What was changed on purpose between the two checkouts (`--renames`). */
const Renames = Type.Object(
  {
    /** Field names of answers, old to new; applied to those of `--before`. */
    fields: Type.Optional(Texts),
    /** Fields of answers that only one side has; they are left out. */
    only_before: Type.Optional(Type.Array(Type.String())),
    only_after: Type.Optional(Type.Array(Type.String())),
    /** Text in paths and JSON bodies of requests, new to old; applied to requests to `--before`. */
    requests: Type.Optional(Texts),
  },
  { additionalProperties: false },
);
export type Renames = Static<typeof Renames>;

const renames = Compile(Renames);

/** Reads a file of renames. @throws Error when it has another form. */
export async function readRenames(file: string): Promise<Renames> {
  const given: unknown = JSON.parse(await readFile(file, "utf8"));
  if (!renames.Check(given)) {
    const [first] = renames.Errors(given);
    throw new Error(`${file}: ${first?.instancePath} ${first?.message}`);
  }
  return given;
}

/** Translates one side's requests and answers, and counts what it did by name. */
export interface Translator {
  readonly counts: ReadonlyMap<string, number>;
  request(text: string): string;
  answer(body: unknown): unknown;
}

export function createTranslator(side: "before" | "after", given: Renames): Translator {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const fields = new Map(Object.entries(side === "before" ? (given.fields ?? {}) : {}));
  const requests = Object.entries(side === "before" ? (given.requests ?? {}) : {});
  const omitted = new Set(side === "before" ? given.only_before : given.only_after);

  const answer = (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(answer);
    if (typeof body !== "object" || body === null) return body;
    const entries = Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
      if (omitted.has(key)) {
        count(`${key} (only ${side})`);
        return [];
      }
      const renamed = fields.get(key);
      if (renamed !== undefined) count(`${key} -> ${renamed}`);
      return [[renamed ?? key, answer(value)]];
    });
    return Object.fromEntries(entries);
  };

  return {
    counts,
    answer,
    request(text) {
      let translated = text;
      for (const [now, then] of requests) {
        if (!translated.includes(now)) continue;
        count(`request: ${now} -> ${then}`);
        translated = translated.replaceAll(now, then);
      }
      return translated;
    },
  };
}

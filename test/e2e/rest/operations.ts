import { readFile } from "node:fs/promises";
import { inlined } from "../../support/inlined-api.ts";

/** The parts of JSON Schema that the description uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | readonly Schema[];
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** One operation of the description. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** As described, with `{parameters}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Media types of the body, with their schemas; empty: it takes none. */
  readonly bodies: Content;
  /** By status, or class of statuses (`2XX`). */
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; readonly headers?: object }>
  >;
}

/** The description that is committed, with all references written out; `npm run docs` keeps it equal to the one that is served. */
export interface Description {
  readonly document: object;
  readonly operations: readonly Operation[];
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: { readonly content: Content };
            readonly responses: Operation["responses"];
          }
        >
      >
    >
  >;
}

export async function readDescription(): Promise<Description> {
  const file = new URL("../../../openapi.json", import.meta.url);
  const document = inlined(JSON.parse(await readFile(file, "utf8")) as Document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      bodies: described.requestBody?.content ?? {},
      responses: described.responses,
    })),
  );
  return { document, operations };
}

/** A JSON object of an OpenAPI document. */
export type JsonObject = Record<string, unknown>;

/** One operation, as far as this folder looks into it. */
export interface DescribedOperation extends JsonObject {
  operationId: string;
  tags?: string[];
  parameters?: JsonObject[];
  requestBody?: { content: Record<string, DescribedContent> };
  responses: Record<string, DescribedResponse>;
}

export interface DescribedContent extends JsonObject {
  schema?: JsonObject;
}

export interface DescribedResponse extends JsonObject {
  description?: string;
  headers?: JsonObject;
  content?: Record<string, DescribedContent>;
}

/** An OpenAPI 3.1 document, as far as this folder looks into it. */
export interface ApiDocument extends JsonObject {
  components: Record<string, JsonObject>;
  paths: Record<string, Record<string, DescribedOperation>>;
}

/** Every operation, in the order of the document. */
export const operationsOf = ({ paths }: ApiDocument): DescribedOperation[] =>
  Object.values(paths).flatMap((operations) => Object.values(operations));

/** Whether a value is an object with names, and not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

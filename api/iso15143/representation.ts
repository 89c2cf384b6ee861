/** What a client reads: the standard's XML, unless it asks for JSON. */
export type Representation = "xml" | "json";

export const CONTENT_TYPES: Readonly<Record<Representation, string>> = {
  xml: "application/xml; charset=utf-8",
  json: "application/json; charset=utf-8",
};

/** How much a client wants something (RFC 9110 section 12.4.2), and whether it named it. */
interface Wish {
  quality: number;
  isNamed: boolean;
}

/**
 * What the Accept header prefers. `+json` and `+xml` types of makers count as JSON and XML. Without a
 * preference it is XML; an Accept that takes neither is not an error, as everywhere in the API.
 */
export function representationOf(accept: string | undefined): Representation {
  if (accept === undefined) return "xml";
  const wishes: Record<Representation, Wish> = {
    xml: { quality: 0, isNamed: false },
    json: { quality: 0, isNamed: false },
  };
  for (const part of accept.split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const quality = qualityOf(parameters);
    const named = representationOfType(range);
    if (named !== undefined) {
      const { quality: before, isNamed } = wishes[named];
      wishes[named] = { quality: isNamed ? Math.max(before, quality) : quality, isNamed: true };
    } else if (range === "*/*" || range === "application/*") {
      for (const wish of Object.values(wishes)) if (!wish.isNamed) wish.quality = quality;
    }
  }
  const { xml, json } = wishes;
  if (json.quality !== xml.quality) return json.quality > xml.quality ? "json" : "xml";
  return json.quality > 0 && json.isNamed && !xml.isNamed ? "json" : "xml";
}

function representationOfType(type: string): Representation | undefined {
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return "json";
  if (type === "application/xml" || type === "text/xml" || type.endsWith("+xml")) return "xml";
  return undefined;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return quality >= 0 && quality <= 1 ? quality : 0;
}

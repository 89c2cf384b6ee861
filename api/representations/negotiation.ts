const JSON_TYPE = "application/json";
export const GEOJSON_TYPE = "application/geo+json";
export const CSV_TYPE = "text/csv";
export const HTML_TYPE = "text/html";

/**
 * The offered media type that the Accept header prefers (RFC 9110 section 12.5.1). JSON when the
 * header is absent, accepts nothing that is offered, or cannot be read: an unknown Accept is not an
 * error (docs/rules.md#keys-and-requests).
 */
export function preferredType<const T extends string>(
  accept: string | undefined,
  offers: readonly T[],
): T | typeof JSON_TYPE {
  if (accept === undefined || accept === "*/*" || accept === JSON_TYPE) return JSON_TYPE;
  let best: T | typeof JSON_TYPE = JSON_TYPE;
  let bestQuality = qualityOf(JSON_TYPE, accept);
  for (const offer of offers) {
    const quality = qualityOf(offer, accept);
    if (quality > bestQuality) {
      best = offer;
      bestQuality = quality;
    }
  }
  return best;
}

/** The quality of one media type: that of the most specific range that matches it, 0 for none. */
function qualityOf(type: string, accept: string): number {
  const [major] = type.split("/");
  let quality = 0;
  let specificity = 0;
  for (const part of accept.split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const matched = range === type ? 3 : range === `${major}/*` ? 2 : range === "*/*" ? 1 : 0;
    if (matched <= specificity) continue;
    specificity = matched;
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    const parsed = given === undefined ? 1 : Number(given.slice(2));
    quality = parsed >= 0 && parsed <= 1 ? parsed : 0;
  }
  return quality;
}

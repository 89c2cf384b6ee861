import type { EventLoopPauses } from "../uploads/event-loop-pauses.ts";
import { FenceFileError, MOST_FEATURES } from "./fence-feature.ts";

/** A FeatureCollection cut into the texts of its features, and the rest of it. */
interface FeatureTexts {
  readonly features: readonly string[];
  /** The document with an empty list of features. */
  readonly rest: string;
  readonly hasFeatures: boolean;
}

/** Characters that are read before the event loop is released: some 0.5 ms. */
const SLICE_CHARS = 65_536;
/** Deepest nesting; a GeoJSON polygon has 8 levels, a property that is an object some more. */
const MOST_DEPTH = 64;
/** Longest document without its features, characters: parsing it holds the event loop up. */
const MOST_REST_CHARS = 262_144;

/**
 * Finds the texts of the features in a GeoJSON document, so that each can be parsed by itself: a document of
 * 8 MiB as a whole would hold the event loop up for 0.2 s. What is between them is checked with the rest.
 * @throws FenceFileError for more than 10,000 features, and for a document that is mostly something else.
 */
export async function cutFeatures(text: string, pauses: EventLoopPauses): Promise<FeatureTexts> {
  const features: string[] = [];
  let depth = 0;
  let key = "";
  let lastText = "";
  /** Where the list of features begins and ends; `undefined`: it was not met yet. */
  let listStart: number | undefined;
  let listEnd: number | undefined;
  let elementStart = 0;
  const isInList = () => listStart !== undefined && listEnd === undefined;

  for (let i = 0; i < text.length; i += 1) {
    if (i % SLICE_CHARS === 0) {
      const pause = pauses.due();
      if (pause !== undefined) await pause;
    }
    switch (text[i]) {
      case '"': {
        const end = endOfText(text, i);
        if (depth === 1) lastText = text.slice(i + 1, end);
        i = end;
        break;
      }
      case ":":
        if (depth === 1) key = lastText;
        break;
      case "{":
      case "[":
        if (depth === 1 && key === "features" && text[i] === "[" && listStart === undefined) {
          listStart = i;
          elementStart = i + 1;
        }
        depth += 1;
        if (depth > MOST_DEPTH) {
          throw new FenceFileError(`is nested more than ${MOST_DEPTH} levels deep`);
        }
        break;
      case "}":
      case "]":
        depth -= 1;
        if (depth === 1 && isInList()) {
          addElement(i);
          listEnd = i;
        }
        break;
      case ",":
        if (depth === 2 && isInList()) {
          addElement(i);
          elementStart = i + 1;
        }
        break;
    }
  }
  const rest = `${text.slice(0, (listStart ?? -1) + 1)}${text.slice(listEnd ?? (listStart === undefined ? 0 : text.length))}`;
  if (rest.length > MOST_REST_CHARS) {
    throw new FenceFileError(
      `has ${rest.length} characters beside its features; ${MOST_REST_CHARS} are allowed`,
    );
  }
  return { features, rest, hasFeatures: listStart !== undefined };

  function addElement(end: number): void {
    const element = text.slice(elementStart, end).trim();
    // `[]` has no element; `[1,]` has one that does not parse.
    if (element === "" && features.length === 0 && text[end] === "]") return;
    features.push(element);
    if (features.length > MOST_FEATURES) {
      throw new FenceFileError(`has more than ${MOST_FEATURES} features`);
    }
  }
}

/** Index of the closing quotation mark of the text that begins at `start`, or the end of the document. */
function endOfText(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}

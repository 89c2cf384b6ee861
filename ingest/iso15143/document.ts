import { isUtf8 } from "node:buffer";
import { SaxesParser } from "saxes";
import { DomainError } from "../../domain/errors.ts";
import { exceededBound } from "../../domain/json-shape.ts";

/**
 * A part of a document, of XML and JSON alike. Makers differ in what is an attribute, in the case of names
 * and in namespaces. So names are lower case and local, and attributes are parts like elements.
 */
export interface DocumentNode {
  /** Trimmed; "" where there are only parts. */
  readonly text: string;
  /** The parts of that name, which is lower case. */
  list(name: string): readonly DocumentNode[];
  /** Whether the name is there; it may be an empty list of JSON. */
  has(name: string): boolean;
  /** The first node with parts of that name, itself first; `undefined`: there is none. */
  holderOf(name: string): DocumentNode | undefined;
}

/**
 * Deepest nesting; a fleet has five levels. Deeper lets a document of an attacker take stack; shallower could
 * refuse extensions.
 */
const MAX_DEPTH = 16;
/**
 * Most parts of a document: 1,000 machines of 100. More take memory at a time; fewer refuse servers with larger
 * pages.
 */
const MAX_PARTS = 200_000;
/**
 * Longest text that is kept; names and numbers are shorter. Longer lets texts take memory; shorter could cut a
 * long name.
 */
const MAX_TEXT = 4_096;

class OpenNode implements DocumentNode {
  text = "";
  readonly #parts = new Map<string, OpenNode[]>();

  list(name: string): readonly OpenNode[] {
    return this.#parts.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.#parts.has(name);
  }

  holderOf(name: string): OpenNode | undefined {
    if (this.list(name).length > 0) return this;
    for (const parts of this.#parts.values()) {
      for (const part of parts) {
        const found = part.holderOf(name);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  add(name: string, ...parts: readonly OpenNode[]): void {
    // `@datetime`: what converters from XML make of an attribute.
    const key = name.replace(/^@/, "").toLowerCase();
    const known = this.#parts.get(key);
    if (known === undefined) this.#parts.set(key, [...parts]);
    else known.push(...parts);
  }
}

const textNode = (text: string): OpenNode => {
  const node = new OpenNode();
  node.text = text.slice(0, MAX_TEXT).trim();
  return node;
};

const failed = (problem: string, cause?: unknown) =>
  new DomainError("DECODE_FAILED", problem, { cause });

/**
 * The document of a body, a node around its root.
 * @throws DomainError `DECODE_FAILED`: neither XML nor JSON, with a document type, or too deep or large.
 */
export function readDocument(body: Uint8Array): DocumentNode {
  // White space (for JavaScript also a byte order mark) is not part of it. Some send an empty line in
  // front of the XML declaration, where a strict parser wants nothing.
  const text = textOfBody(body).trimStart();
  return text.startsWith("<") ? readXmlText(text) : readJsonText(text);
}

/** Encodings by what an XML declaration calls them; UTF-8 needs none, and many that say UTF-16 are UTF-8. */
const ENCODINGS: Readonly<Record<string, string>> = {
  "iso-8859-1": "windows-1252",
  "windows-1252": "windows-1252",
  "us-ascii": "windows-1252",
};
const DECLARED = /^\s*<\?xml[^>]{0,100}encoding=["']([\w-]{1,20})["']/;

/** @throws DomainError `DECODE_FAILED` for bytes that are not text, or in an unknown encoding. */
function textOfBody(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (isUtf8(bytes)) return bytes.toString();
  const declared = DECLARED.exec(bytes.subarray(0, 200).toString("latin1"))?.[1]?.toLowerCase();
  const encoding = Object.hasOwn(ENCODINGS, declared ?? "") ? ENCODINGS[declared ?? ""] : undefined;
  if (encoding === undefined) throw failed("the answer is not UTF-8 text");
  return new TextDecoder(encoding).decode(bytes);
}

function readXmlText(xml: string): DocumentNode {
  const parser = new SaxesParser();
  const document = new OpenNode();
  const path: OpenNode[] = [document];
  let parts = 0;
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  parser.on("error", (error) => {
    throw failed(`the answer is not XML: ${error.message}`);
  });
  // Entities that a document defines make documents possible that unfold without end.
  parser.on("doctype", () => {
    throw failed("the answer has a document type");
  });
  // Before the tag has ended: it may have attributes for megabytes.
  parser.on("attribute", () => {
    parts += 1;
    checkSize(path.length, parts);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const node = new OpenNode();
    const given = Object.entries(attributes);
    parts += 1;
    checkSize(path.length, parts);
    for (const [key, value] of given) node.add(local(key), textNode(value));
    path.at(-1)?.add(local(name), node);
    path.push(node);
  });
  const take = (text: string) => {
    const node = path.at(-1);
    if (node !== undefined && node.text.length < MAX_TEXT) node.text += text.slice(0, MAX_TEXT);
  };
  parser.on("text", take);
  parser.on("cdata", take);
  parser.on("closetag", () => {
    const node = path.pop();
    if (node !== undefined) node.text = node.text.trim();
  });
  parser.write(xml).close();
  return document;
}

function checkSize(depth: number, parts: number): void {
  if (depth > MAX_DEPTH) throw failed(`nested deeper than ${MAX_DEPTH} levels`);
  if (parts > MAX_PARTS) throw failed(`more than ${MAX_PARTS} parts`);
}

function readJsonText(json: string): DocumentNode {
  // Before it is parsed: 8 MiB of brackets would cost the parser 2.6 s.
  if (exceededBound(Buffer.from(json), { depth: MAX_DEPTH }) !== undefined) {
    throw failed(`nested deeper than ${MAX_DEPTH} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw failed("the answer is neither XML nor JSON", cause);
  }
  const document = new OpenNode();
  let parts = 0;
  const fill = (node: OpenNode, name: string, given: unknown, depth: number): void => {
    parts += 1;
    checkSize(depth, parts);
    if (Array.isArray(given)) {
      node.add(name);
      for (const one of given) fill(node, name, one, depth + 1);
    } else if (typeof given === "object" && given !== null) {
      const part = new OpenNode();
      node.add(name, part);
      for (const [key, inner] of Object.entries(given)) fill(part, key, inner, depth + 1);
    } else if (given !== null && given !== undefined) {
      node.add(name, textNode(String(given)));
    }
  };
  fill(document, "json", value, 0);
  return document;
}

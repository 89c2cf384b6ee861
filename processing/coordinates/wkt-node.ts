/** An element of well-known text: `KEYWORD["value", child[...], ...]`. */
export interface WktNode {
  /** In capital letters. */
  readonly keyword: string;
  /** Texts without their quotes, numbers and words, in their order. */
  readonly values: readonly string[];
  readonly children: readonly WktNode[];
  /** The element as it was written. */
  readonly source: string;
}

/** Deeper than any real definition; a text of brackets alone must not use up the stack. */
const MAX_DEPTH = 40;
const WORD = /\s*([A-Za-z0-9_.+-]+)\s*/y;
const TEXT = /\s*"((?:[^"]|"")*)"\s*/y;

/** Reads WKT 1 (OGC 01-009, and as Esri writes it) or WKT 2 (ISO 19162); `undefined`: it is neither. */
export function parseWkt(text: string): WktNode | undefined {
  const read = node(text, 0, 0);
  return read !== undefined && text.slice(read.end).trim() === "" ? read.node : undefined;
}

function node(text: string, from: number, depth: number): Read | undefined {
  const word = match(WORD, text, from);
  if (word === undefined || !/[[(]/.test(text.charAt(word.end)) || depth > MAX_DEPTH) {
    return undefined;
  }
  const values: string[] = [];
  const children: WktNode[] = [];
  let at = word.end;
  do {
    at += 1;
    const quoted = match(TEXT, text, at);
    const child = quoted === undefined ? node(text, at, depth + 1) : undefined;
    const plain = quoted ?? (child === undefined ? match(WORD, text, at) : undefined);
    if (plain !== undefined) values.push(plain.value);
    else if (child !== undefined) children.push(child.node);
    else return undefined;
    at = (plain ?? child)?.end ?? at;
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  } while (text.charAt(at) === ",");
  if (!/[\])]/.test(text.charAt(at))) return undefined;
  const source = text.slice(from, at + 1).trim();
  const keyword = word.value.toUpperCase();
  return { node: { keyword, values, children, source }, end: at + 1 };
}

interface Read {
  readonly node: WktNode;
  readonly end: number;
}

function match(pattern: RegExp, text: string, from: number) {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found === null ? undefined : { value: found[1] ?? "", end: pattern.lastIndex };
}

/** The first child of one of these keywords. */
export function childOf(parent: WktNode, ...keywords: readonly string[]): WktNode | undefined {
  return parent.children.find(({ keyword }) => keywords.includes(keyword));
}

/** The EPSG code that an element itself carries. */
export function epsgOf(parent: WktNode): number | undefined {
  const [authority, code] = childOf(parent, "AUTHORITY", "ID")?.values ?? [];
  return authority?.toUpperCase() === "EPSG" && /^\d+$/.test(code ?? "") ? Number(code) : undefined;
}

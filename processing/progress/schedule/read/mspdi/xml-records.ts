import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { EventLoopPauses } from "../../../../uploads/event-loop-pauses.ts";
import { oneLine, quoted } from "../../../../uploads/file-words.ts";
import { unreadable } from "../draft/schedule-error.ts";

/** Which parts of an element are kept: texts of these children, and records of those. */
export interface RecordShape {
  readonly texts: ReadonlySet<string>;
  readonly records: Readonly<Record<string, RecordShape>>;
}

/** What is kept of one element. */
export interface XmlRecord {
  readonly line: number;
  /** Trimmed; "" where there is none. */
  text(name: string): string;
  list(name: string): readonly XmlRecord[];
}

/** What becomes of the elements at a path from the root, such as "Tasks/Task", when they end. */
export interface XmlTarget {
  readonly shape: RecordShape;
  take(record: XmlRecord): void;
}

/** Deepest nesting; MSPDI has 8 levels. It bounds what a hostile file makes the reader keep. */
const MOST_DEPTH = 32;
/** Longest text that is kept, characters. */
const MOST_TEXT_CHARS = 8_192;
/** MSPDI has one attribute in all, the namespace. The parser keeps them all until the tag ends. */
const MOST_ATTRIBUTES = 32;
/**
 * Most records within one element: 5 shifts, 11 baselines, exceptions of a century. All of an element are kept
 * until it ends.
 */
const MOST_RECORDS = 50_000;

const DOCTYPE = "<!DOCTYPE";
/** The first of a document type and an element, whichever comes first. */
const DOCTYPE_OR_ROOT = /(<!DOCTYPE)|<[A-Za-z_:]/;

class OpenRecord implements XmlRecord {
  readonly line: number;
  readonly shape: RecordShape;
  readonly texts = new Map<string, string>();
  readonly lists = new Map<string, OpenRecord[]>();

  constructor(line: number, shape: RecordShape) {
    this.line = line;
    this.shape = shape;
  }

  text(name: string): string {
    return this.texts.get(name) ?? "";
  }

  list(name: string): readonly OpenRecord[] {
    return this.lists.get(name) ?? [];
  }
}

/**
 * Reads the wanted elements of an XML one by one, and keeps nothing of the others; yields the texts of the
 * root's own children. There is no document type, so there are no entities but the five of XML; depth,
 * attributes and texts have limits.
 * @throws ScheduleError
 */
export async function readXmlRecords(
  pieces: Iterable<string>,
  root: { readonly name: string; readonly texts: ReadonlySet<string> },
  targets: Readonly<Record<string, XmlTarget>>,
  pauses: EventLoopPauses,
): Promise<XmlRecord> {
  const parser = new SaxesParser();
  const head = new OpenRecord(1, { texts: root.texts, records: {} });
  /** Names from the root's children down, as far as no target has begun. */
  const path: string[] = [];
  let depth = 0;
  let hasRoot = false;
  let attributes = 0;
  /** Records that are open, outermost first; empty outside of targets. */
  const open: OpenRecord[] = [];
  let target: XmlTarget | undefined;
  /** Depth of the element whose content is ignored. */
  let passedOverAt: number | undefined;
  /** Name of the child whose text is being read. */
  let textName: string | undefined;
  let text = "";

  const fail = (message: string) => unreadable(`line ${parser.line}`, message);

  function refuseDoctype(): never {
    throw fail("has a document type (DTD), which is refused: MS Project writes none");
  }

  function begin({ name }: SaxesTagPlain): void {
    hasRoot = true;
    depth += 1;
    attributes = 0;
    if (depth > MOST_DEPTH) throw fail(`is nested deeper than ${MOST_DEPTH} elements`);
    if (passedOverAt !== undefined) return;
    if (depth === 1) {
      if (name !== root.name) throw fail(`begins a ${quoted(name)}, which is not MS Project's XML`);
      return;
    }
    const record = open.at(-1);
    if (record === undefined) {
      if (depth === 2 && textName === undefined && root.texts.has(name)) {
        textName = name;
        text = "";
        return;
      }
      if (textName !== undefined) {
        passedOverAt = depth;
        return;
      }
      path.push(name);
      const key = path.join("/");
      target = Object.hasOwn(targets, key) ? targets[key] : undefined;
      if (target !== undefined) open.push(new OpenRecord(parser.line, target.shape));
      else if (!prefixes.has(key)) passOver();
      return;
    }
    if (textName === undefined && record.shape.texts.has(name)) {
      textName = name;
      text = "";
      return;
    }
    const shape = Object.hasOwn(record.shape.records, name)
      ? record.shape.records[name]
      : undefined;
    if (textName !== undefined || shape === undefined) {
      passedOverAt = depth;
      return;
    }
    const child = new OpenRecord(parser.line, shape);
    const list = record.lists.get(name);
    if (list === undefined) record.lists.set(name, [child]);
    else if (list.push(child) > MOST_RECORDS) throw fail(`is one ${name} too many`);
    open.push(child);
  }

  function passOver(): void {
    passedOverAt = depth;
    path.pop();
  }

  function end(): void {
    depth -= 1;
    if (passedOverAt !== undefined) {
      if (depth < passedOverAt) passedOverAt = undefined;
      return;
    }
    const record = open.at(-1);
    if (textName !== undefined) {
      const { texts } = record ?? head;
      // The first of several, as in schemas that allow one.
      if (!texts.has(textName)) texts.set(textName, text.trim());
      textName = undefined;
      return;
    }
    if (record === undefined) {
      path.pop();
      return;
    }
    open.pop();
    if (open.length === 0) {
      path.pop();
      target?.take(record);
    }
  }

  function add(part: string): void {
    if (textName === undefined || passedOverAt !== undefined) return;
    text += part;
    if (text.length > MOST_TEXT_CHARS) {
      throw fail(`has a ${textName} of more than ${MOST_TEXT_CHARS} characters`);
    }
  }

  const prefixes = new Set(
    Object.keys(targets).flatMap((key) =>
      key.split("/").map((_, i, names) => names.slice(0, i + 1).join("/")),
    ),
  );
  parser.on("opentag", begin);
  parser.on("closetag", end);
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) throw fail(`has more than ${MOST_ATTRIBUTES} attributes`);
  });
  parser.on("doctype", refuseDoctype);
  parser.on("error", (error) => {
    throw fail(`is not well-formed XML: ${oneLine(error.message.replace(/^\d+:\d+: /, ""))}`);
  });
  let before = "";
  for (const piece of pieces) {
    if (!hasRoot) {
      // Earlier than the parser, which keeps a document type whole until it ends.
      const prolog = before + piece;
      const tag = DOCTYPE_OR_ROOT.exec(prolog);
      if (tag?.[1] !== undefined) {
        parser.write(prolog.slice(before.length, Math.max(before.length, tag.index)));
        refuseDoctype();
      }
      before = prolog.slice(-DOCTYPE.length);
    }
    parser.write(piece);
    const pause = pauses.due();
    if (pause !== undefined) await pause;
  }
  parser.close();
  return head;
}

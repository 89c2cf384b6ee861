import { SaxesParser } from "saxes";

/** An element as it was read back; names without prefix, texts joined. */
export interface XmlNode {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

interface OpenNode extends XmlNode {
  readonly children: OpenNode[];
  text: string;
}

/** Reads a well-formed document; namespace declarations are left out of the attributes. */
export function readXml(xml: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true });
  const path: OpenNode[] = [];
  let root: OpenNode | undefined;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    const attributes = Object.values(tag.attributes)
      .filter(({ name, prefix }) => name !== "xmlns" && prefix !== "xmlns")
      .map(({ name, value }) => [name, value]);
    const node: OpenNode = {
      name: tag.local,
      namespace: tag.uri,
      attributes: Object.fromEntries(attributes),
      children: [],
      text: "",
    };
    path.at(-1)?.children.push(node);
    path.push(node);
    root ??= node;
  });
  parser.on("text", (text) => {
    const node = path.at(-1);
    if (node !== undefined) node.text += text;
  });
  parser.on("closetag", () => path.pop());
  parser.write(xml).close();
  if (root === undefined) throw new Error("no element");
  return root;
}

/** The children of that name. */
export function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

/** The text at a path of names below a node; `undefined`: there is no such element. */
export function textAt(node: XmlNode, ...path: readonly string[]): string | undefined {
  let at: XmlNode | undefined = node;
  for (const name of path) at = at && childrenOf(at, name)[0];
  return at?.text;
}

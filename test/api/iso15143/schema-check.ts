import { readFileSync } from "node:fs";
import { childrenOf, readXml, type XmlNode } from "./xml-tree.ts";

/** What our schema uses of XML Schema; anything else in it is refused, so that nothing is passed over. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  "xs:string": () => true,
  "xs:anyURI": (text) => text !== "" && !text.includes(" "),
  "xs:boolean": (text) => text === "true" || text === "false",
  "xs:decimal": (text) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text),
  "xs:nonNegativeInteger": (text) => /^\d+$/.test(text),
  // The standard has whole seconds of UTC, which is less than xs:dateTime takes.
  "xs:dateTime": (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text)),
};

interface Child {
  readonly name: string;
  readonly type: string;
  readonly min: number;
  readonly max: number;
}

interface Complex {
  readonly children: readonly Child[];
  /** Type by name; all are required. */
  readonly attributes: ReadonlyMap<string, string>;
}

interface Schema {
  readonly namespace: string;
  readonly roots: ReadonlyMap<string, string>;
  readonly complex: ReadonlyMap<string, Complex>;
  readonly simple: ReadonlyMap<string, (text: string) => boolean>;
}

const attribute = (node: XmlNode, name: string): string => node.attributes[name] ?? "";

function readSchema(file: URL): Schema {
  const root = readXml(readFileSync(file, "utf8"));
  const types = childrenOf(root, "complexType");
  const complexNamed = new Map(types.map((type) => [attribute(type, "name"), type]));
  const complexOf = (node: XmlNode): Complex => {
    const extension = childrenOf(node, "complexContent")[0]?.children[0];
    if (extension === undefined) return { children: sequenceOf(node), attributes: namesOf(node) };
    const base = complexOf(complexNamed.get(attribute(extension, "base")) ?? node);
    const attributes = new Map([...base.attributes, ...namesOf(extension)]);
    return { children: [...base.children, ...sequenceOf(extension)], attributes };
  };
  return {
    namespace: attribute(root, "targetNamespace"),
    roots: new Map(
      childrenOf(root, "element").map((one) => [attribute(one, "name"), attribute(one, "type")]),
    ),
    complex: new Map(types.map((type) => [attribute(type, "name"), complexOf(type)])),
    simple: new Map(
      childrenOf(root, "simpleType").map((type) => [attribute(type, "name"), simpleOf(type)]),
    ),
  };
}

function sequenceOf(node: XmlNode): readonly Child[] {
  for (const { name } of node.children) {
    if (name !== "sequence" && name !== "attribute")
      throw new Error(`xs:${name} is not known here`);
  }
  return childrenOf(node, "sequence").flatMap(({ children }) =>
    children.map((child) => {
      if (child.name !== "element") throw new Error(`xs:${child.name} is not known here`);
      const { name = "", type = "", minOccurs = "1", maxOccurs = "1" } = child.attributes;
      const max = maxOccurs === "unbounded" ? Number.POSITIVE_INFINITY : Number(maxOccurs);
      return { name, type, min: Number(minOccurs), max };
    }),
  );
}

function namesOf(node: XmlNode): ReadonlyMap<string, string> {
  return new Map(
    childrenOf(node, "attribute").map((one) => {
      if (attribute(one, "use") !== "required") throw new Error("an attribute is not required");
      return [attribute(one, "name"), attribute(one, "type")];
    }),
  );
}

function simpleOf(type: XmlNode): (text: string) => boolean {
  const restriction = type.children[0] ?? type;
  const base = CHECKS[attribute(restriction, "base")];
  if (base === undefined) throw new Error(`base of ${attribute(type, "name")} is not known here`);
  const allowed = childrenOf(restriction, "enumeration").map((one) => attribute(one, "value"));
  const limits = restriction.children.filter(({ name }) => name !== "enumeration");
  return (text) =>
    base(text) &&
    (allowed.length === 0 || allowed.includes(text)) &&
    limits.every((limit) => {
      const value = Number(attribute(limit, "value"));
      if (limit.name === "minInclusive") return Number(text) >= value;
      if (limit.name === "maxInclusive") return Number(text) <= value;
      throw new Error(`xs:${limit.name} is not known here`);
    });
}

const schema = readSchema(new URL("../../../docs/iso15143-3.xsd", import.meta.url));

/** What is wrong with a document by docs/iso15143-3.xsd, place by place; `[]`: nothing. */
export function schemaProblems(xml: string): readonly string[] {
  const problems: string[] = [];
  const root = readXml(xml);
  const type = schema.roots.get(root.name);
  if (type === undefined) return [`${root.name} is not a root element`];
  checkElement(root, type, root.name, problems);
  return problems;
}

function checkElement(node: XmlNode, type: string, path: string, problems: string[]): void {
  if (node.namespace !== schema.namespace) problems.push(`${path}: namespace ${node.namespace}`);
  const complex = schema.complex.get(type);
  if (complex === undefined) {
    if (node.children.length > 0) problems.push(`${path}: has elements`);
    if (!isSimple(node.text, type)) problems.push(`${path}: "${node.text}" is not of type ${type}`);
    return;
  }
  if (node.text.trim() !== "") problems.push(`${path}: has text`);
  checkAttributes(node, complex, path, problems);
  let at = 0;
  for (const child of complex.children) {
    let count = 0;
    for (; node.children[at]?.name === child.name && count < child.max; at += 1) {
      count += 1;
      const found = node.children[at] as XmlNode;
      checkElement(found, child.type, `${path}/${child.name}`, problems);
    }
    if (count < child.min) problems.push(`${path}: ${child.name} is missing`);
  }
  const stray = node.children[at];
  if (stray !== undefined) problems.push(`${path}: ${stray.name} is not allowed there`);
}

function checkAttributes(
  { attributes }: XmlNode,
  complex: Complex,
  path: string,
  problems: string[],
): void {
  for (const [name, type] of complex.attributes) {
    const value = attributes[name];
    if (value === undefined) problems.push(`${path}: no ${name}`);
    else if (!isSimple(value, type))
      problems.push(`${path}: ${name} "${value}" is not of type ${type}`);
  }
  for (const name of Object.keys(attributes)) {
    if (!complex.attributes.has(name)) problems.push(`${path}: ${name} is not allowed`);
  }
}

function isSimple(text: string, type: string): boolean {
  const check = schema.simple.get(type) ?? CHECKS[type];
  if (check === undefined) throw new Error(`type ${type} is not known here`);
  return check(text);
}

/**
 * Elements of an XML text in the order of their tags; throws where tags do not nest, attributes are not
 * quoted, or a bare `<` or `&` is left over. As much of XML 1.0 as drawings need.
 */
export function elementsOf(xml: string): { name: string; attributes: Map<string, string> }[] {
  const elements: { name: string; attributes: Map<string, string> }[] = [];
  const open: string[] = [];
  const rest = xml.replace(
    /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
    (_, ...parts) => {
      const [close, name, list, alone] = parts as string[];
      if (close === "/") {
        const expected = open.pop();
        if (expected !== name) throw new Error(`</${name}> closes <${expected}>`);
        return "";
      }
      const attributes = [...(list ?? "").matchAll(/([\w:-]+)="([^"]*)"/g)];
      const names = attributes.map(([, attribute = ""]) => attribute);
      if (new Set(names).size < names.length) throw new Error(`attribute given twice: ${list}`);
      elements.push({
        name: name ?? "",
        attributes: new Map(attributes.map(([, attribute = "", value = ""]) => [attribute, value])),
      });
      if (alone !== "/") open.push(name ?? "");
      return "";
    },
  );
  if (open.length > 0) throw new Error(`not closed: ${open.join()}`);
  const bare = /[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/.exec(xml.length === 0 ? "<" : rest);
  if (bare !== null) throw new Error(`left over: ${rest.slice(bare.index, bare.index + 40)}`);
  return elements;
}

import { XML_DECLARATION, xmlElement } from "../representations/xml-text.ts";

/** Elements of our documents are of this namespace of the standard. */
export const NAMESPACE = "http://standards.iso.org/iso/15143/-3";

/** A whole document with our namespace on its root. */
export function xmlDocument(
  root: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  return `${XML_DECLARATION}${xmlElement(root, content, { xmlns: NAMESPACE, ...attributes })}\n`;
}

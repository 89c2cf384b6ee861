import { xmlElement } from "../representations/xml-text.ts";

/** Elements of our documents are of this namespace of the standard. */
export const NAMESPACE = "http://standards.iso.org/iso/15143/-3";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A whole document with our namespace on its root. */
export function xmlDocument(
  root: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  return `${DECLARATION}${xmlElement(root, content, { xmlns: NAMESPACE, ...attributes })}\n`;
}

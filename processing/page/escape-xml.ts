const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text as it may appear in HTML, SVG or XML, between tags or in a quoted attribute. Control characters, which
 * XML does not allow, become the replacement character.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => REFERENCES[character] ?? "")
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}");
}

const MAX_LENGTH = 100;

/**
 * Name of an image for people: the fragment of its URL, which no server is sent, else the end of its path,
 * else its place in the list.
 */
export function imageName(entry: string, index: number): string {
  const fallback = `image ${index + 1}`;
  if (/^data:/i.test(entry) || !URL.canParse(entry)) return fallback;
  const { hash, pathname } = new URL(entry);
  const given = cleanName(decoded(hash.slice(1)));
  return given || cleanName(decoded(pathname.split("/").at(-1) ?? "")) || fallback;
}

/** A file's name as it may be shown and logged: without folders and control characters. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return last
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .slice(0, MAX_LENGTH);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What an image's address says of where it was taken, behind its `#`: `#camera=cam_1`, `#zone=flat-3`. */
export interface PlaceHints {
  readonly camera: string | undefined;
  readonly zone: string | undefined;
  /** The address to fetch; what else stood behind the `#` is left there, as the image's name. */
  readonly entry: string;
}

const HINT = /^(camera|zone|name)=/;

/**
 * Reads such hints. What follows a `#` is sent to no server, so hints can be added to any address, also to
 * those of POST /progress/images; several are joined by `&`.
 */
export function placeHints(entry: string): PlaceHints {
  const at = /^data:/i.test(entry) ? -1 : entry.indexOf("#");
  const fragment = at < 0 ? "" : entry.slice(at + 1);
  const parts = fragment.split("&");
  if (!parts.some((part) => HINT.test(part))) return { camera: undefined, zone: undefined, entry };
  const hint = (name: string): string | undefined => {
    const part = parts.find((one) => one.startsWith(`${name}=`));
    return part === undefined ? undefined : decoded(part.slice(name.length + 1)) || undefined;
  };
  const name = hint("name") ?? parts.find((part) => !HINT.test(part));
  const address = entry.slice(0, at);
  return {
    camera: hint("camera"),
    zone: hint("zone"),
    entry: name === undefined || name === "" ? address : `${address}#${encodeURIComponent(name)}`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const KEY = "#key=";

/** Whether the address of this page logs in. */
export const isKeyInAddress = (): boolean => location.hash.startsWith(KEY);

/** Takes a key out of the address, where servers and their logs never see it; it does not stay there. */
export function takeKeyFromAddress(): string | undefined {
  if (!isKeyInAddress()) return undefined;
  const key = decodeKey(location.hash.slice(KEY.length));
  history.replaceState(null, "", location.pathname + location.search);
  return key;
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

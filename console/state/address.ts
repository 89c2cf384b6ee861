/** An address with a parameter set, or without it. Commas need no escape in a query, and people read addresses. */
export function withParameter(address: string, name: string, value: string | undefined): string {
  const url = new URL(address);
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  url.search = url.search.replaceAll("%2C", ",");
  return url.href;
}

/** Keeps a parameter in the address of this page, so that it can be sent to a colleague; no page is left by it. */
export function keepInAddress(name: string, value: string | undefined): void {
  history.replaceState(history.state, "", withParameter(location.href, name, value));
}

/** Keeps several parameters, in one step: browsers refuse more than some 100 steps in half a minute. */
export function keepAllInAddress(values: Readonly<Record<string, string | undefined>>): void {
  const address = Object.entries(values).reduce(
    (before, [name, value]) => withParameter(before, name, value),
    location.href,
  );
  history.replaceState(history.state, "", address);
}

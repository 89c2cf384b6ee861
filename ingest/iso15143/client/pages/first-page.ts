/** A path that is a fleet's already: `.../Fleet`, `.../Fleet/1`, in any case. */
const FLEET_PATH = /\/fleet(\/\d+)?$/i;

/**
 * Where a source's first page is. It is the address itself when that ends in `/Fleet` or `/Fleet/{n}`, has a
 * query or names a file (`fleet.xml`), as AEMP 1.2 has it. Otherwise it is the base, and `/Fleet/1` follows.
 */
export function firstPageUrl(url: string): string {
  const first = new URL(url);
  const path = first.pathname.replace(/\/+$/, "");
  const isWhole = FLEET_PATH.test(path) || first.search !== "" || /\.[a-z]{3,4}$/i.test(path);
  if (!isWhole) first.pathname = `${path}/Fleet/1`;
  first.hash = "";
  return first.href;
}

/** A page of a fleet below a base: `/aemp/Fleet/1`; some servers have the first page at `/aemp/Fleet`. */
const PAGE_BELOW_BASE = /^(.+\/fleet)(?:\/\d+)?$/i;
/** A link that begins at the base and not at the server's root. */
const FROM_BASE = /^\/fleet(\/\d+(?:\?.*)?)$/i;

/** The same of a page of a machine's series, `/aemp/Fleet/Equipment/.../Faults/.../1`. */
const SERIES_BELOW_BASE = /^(.+?\/fleet)\/equipment\//i;
const SERIES_FROM_BASE = /^\/fleet(\/equipment\/.+)$/i;

/**
 * Where the link of a page leads; `undefined`: nowhere. Proemion's and Samsara's links begin at the API's root
 * (`/Fleet/2` of `https://dataportal.proemion.com/aemp`), which as a path of the server is another place.
 */
export function resolveLink(href: string, page: string): URL | undefined {
  const { pathname } = new URL(page);
  const fleet = (PAGE_BELOW_BASE.exec(pathname) ?? SERIES_BELOW_BASE.exec(pathname))?.[1];
  const rest = (FROM_BASE.exec(href) ?? SERIES_FROM_BASE.exec(href))?.[1];
  // Written as in the address that has answered: a server may distinguish `fleet` from `Fleet`.
  const link = fleet === undefined || rest === undefined ? href : `${fleet}${rest}`;
  return URL.canParse(link, page) ? new URL(link, page) : undefined;
}

/** A page of a fleet below a base: `/aemp/Fleet/1`; some servers have the first page at `/aemp/Fleet`. */
const PAGE_BELOW_BASE = /^(.+\/fleet)(?:\/\d+)?$/i;
/** A link that begins at the base and not at the server's root. */
const FROM_BASE = /^\/fleet(\/\d+(?:\?.*)?)$/i;

/**
 * Where the link of a page leads; `undefined`: nowhere. Proemion's and Samsara's links begin at the API's root
 * (`/Fleet/2` of `https://dataportal.proemion.com/aemp`), which as a path of the server is another place.
 */
export function resolveLink(href: string, page: string): URL | undefined {
  const fleet = PAGE_BELOW_BASE.exec(new URL(page).pathname)?.[1];
  const number = FROM_BASE.exec(href)?.[1];
  // Written as in the address that has answered: a server may tell `fleet` from `Fleet`.
  const link = fleet === undefined || number === undefined ? href : `${fleet}${number}`;
  return URL.canParse(link, page) ? new URL(link, page) : undefined;
}

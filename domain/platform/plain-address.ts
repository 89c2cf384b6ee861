/** The IP address of a peer; an IPv4 address of a dual-stack socket in its own notation. */
export const plainAddress = (address: string | undefined): string =>
  (address ?? "unknown").replace(/^::ffff:/, "");

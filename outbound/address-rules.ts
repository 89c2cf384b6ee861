import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Which sockets the service may open towards addresses that a client of the API named. */
export interface AddressRules {
  /**
   * Whether a connection to this IP address and port is allowed; false for text that is not an address.
   */
  allows(address: string, port: number): boolean;
}

/** Ports of the web; everything else is a service that never asked for our requests. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * IPv6 of the public internet (RFC 4291 section 2.4). It leaves out ::/96, which ipaddr.js calls
 * unicast although `::127.0.0.1` is loopback to some systems.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** IPv6 written with an IPv4 tail; ipaddr.js takes `::8.8.8.8` for the mapped `::ffff:8.8.8.8`. */
const EMBEDDED_IPV4 = /^(?!::ffff:)[0-9a-f:]*:[\d.]+\.\d+$/i;

/**
 * Public addresses on `publicPorts` (80 and 443), and `allowCidrs` on any port. Private, loopback, link-local,
 * shared (100.64/10), mapped, translated (NAT64, 6to4, Teredo) and reserved addresses are refused.
 * `allowCidrs` must be valid, as `OUTBOUND_ALLOW_CIDRS` is.
 */
export function createAddressRules(
  allowCidrs: readonly string[],
  publicPorts: ReadonlySet<number> = WEB_PORTS,
): AddressRules {
  const allowed = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return {
    allows(text, port) {
      if (!ipaddr.isValid(text) || EMBEDDED_IPV4.test(text)) return false;
      // `process` turns ::ffff:a.b.c.d into the IPv4 address that a socket would reach.
      const address = ipaddr.process(text);
      if (allowed.some((range) => isWithin(address, range))) return true;
      return publicPorts.has(port) && isPublic(address);
    },
  };
}

function isWithin(address: Address, [base, bits]: [Address, number]): boolean {
  // ipaddr.js throws when the two are of different kinds.
  return address.kind() === base.kind() && address.match(base, bits);
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isWithin(address, GLOBAL_UNICAST);
}

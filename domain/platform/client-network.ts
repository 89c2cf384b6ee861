/**
 * The caller that an IP address counts as: one per IPv4 address, and per /64 of IPv6, which is what
 * one customer is given.
 */
export function clientNetwork(ip: string): string {
  if (ip.includes(".")) return ip.slice(ip.lastIndexOf(":") + 1);
  return (ip.split("::")[0] ?? "").split(":").slice(0, 4).join(":");
}

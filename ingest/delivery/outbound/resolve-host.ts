import { lookup, Resolver } from "node:dns/promises";
import { codeOf, OutboundError } from "./failure.ts";

/** All IP addresses of a host name. @throws OutboundError `host not found`, `timeout`. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** One query to one name server, ms; two tries fit well into a connection's 10 s. Chosen. */
const QUERY = { timeout: 2_000, tries: 2 };

/**
 * Asks the name servers over sockets of its own. `dns.lookup`, which everybody uses, occupies one of
 * libuv's four threads until it has an answer: four webhooks with dead name servers would hold up
 * every fsync of the journal. It is the second resort only, for names of the hosts file and of search
 * domains, and then one at a time.
 */
export function createResolver(): ResolveHost {
  const resolver = new Resolver(QUERY);
  let systemLookups: Promise<unknown> = Promise.resolve();

  function askSystem(host: string): Promise<readonly string[]> {
    const answer = systemLookups.then(() => lookup(host, { all: true }));
    systemLookups = answer.catch(() => undefined);
    return answer.then(
      (found) => found.map(({ address }) => address),
      () => {
        throw new OutboundError("host not found");
      },
    );
  }

  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    if (addresses.length > 0) return addresses;
    const isSilent = answers.some(
      (one) => one.status === "rejected" && codeOf(one.reason) === "ETIMEOUT",
    );
    // Servers that are silent now would be asked once more, this time with a thread waiting.
    if (isSilent) throw new OutboundError("timeout");
    return askSystem(host);
  };
}

import { lookup, Resolver } from "node:dns/promises";
import { OutboundError } from "./failure.ts";

/** All IP addresses of a host name. @throws OutboundError `host not found`. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Where addresses come from; each rejects, or yields none, when it knows none. */
export interface NameSources {
  /** The name servers. */
  readonly dns: ResolveHost;
  /** What the system makes of a name: hosts file, search domains, local networks. */
  readonly system: ResolveHost;
}

/**
 * One query to one name server, ms; two tries fit well into a connection's 10 s. Less would fail at slow
 * name servers.
 */
const QUERY = { timeout: 2_000, tries: 2 };

/**
 * Asks the name servers over sockets of its own. `dns.lookup`, which everybody uses, occupies one of
 * libuv's four threads until it has an answer: four webhooks with dead name servers would hold up
 * every fsync of the journal. The system is therefore the second resort, for names that no server
 * knows, and is asked for one name at a time. A name that is being resolved is not asked for again.
 */
export function createResolver(sources: NameSources = systemSources()): ResolveHost {
  const running = new Map<string, Promise<readonly string[]>>();
  let systemLookups: Promise<unknown> = Promise.resolve();

  function askSystem(host: string): Promise<readonly string[]> {
    const answer = systemLookups.then(() => sources.system(host)).catch(() => []);
    systemLookups = answer;
    return answer;
  }

  async function ask(host: string): Promise<readonly string[]> {
    const known = await sources.dns(host).catch(() => []);
    const addresses = known.length > 0 ? known : await askSystem(host);
    if (addresses.length === 0) throw new OutboundError("host not found");
    return addresses;
  }

  return (host) => {
    const asked = running.get(host) ?? ask(host).finally(() => running.delete(host));
    running.set(host, asked);
    return asked;
  };
}

function systemSources(): NameSources {
  const resolver = new Resolver(QUERY);
  return {
    async dns(host) {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return answers.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    },
    async system(host) {
      const found = await lookup(host, { all: true });
      return found.map(({ address }) => address);
    },
  };
}

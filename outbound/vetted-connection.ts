import type { ClientRequest } from "node:http";
import { isIP, type LookupFunction, type Socket } from "node:net";
import type { AddressRules } from "./address-rules.ts";
import { OutboundError } from "./failure.ts";
import type { ResolveHost } from "./resolve-host.ts";
import type { OutboundTarget } from "./target.ts";

/**
 * A look-up for `net.connect` that resolves once and returns those very addresses: no second
 * resolution could return others. Every answer must be allowed: a name with a public and a private
 * address is an attack, or would be one by chance.
 */
export function vettedLookup(
  resolve: ResolveHost,
  rules: AddressRules,
  port: number,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new OutboundError("host not found"), "");
        else if (!addresses.every((address) => rules.allows(address, port))) {
          callback(new OutboundError("blocked"), "");
        } else if (options.all === true) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        } else callback(null, first, isIP(first));
      },
      (error: Error) => callback(error, ""),
    );
  };
}

/** Checks the address at the other end, of new and of reused connections, before anything is sent. */
export function vetConnection(
  outgoing: ClientRequest,
  socket: Socket,
  rules: AddressRules,
  target: OutboundTarget,
  onReady: () => void,
): void {
  function vet(): void {
    if (rules.allows(socket.remoteAddress ?? "", target.port)) return;
    outgoing.destroy(new OutboundError("blocked"));
  }
  if (!socket.connecting) {
    vet();
    onReady();
    return;
  }
  // First of all listeners: the one of TLS would send its greeting.
  socket.prependOnceListener("connect", vet);
  socket.once(target.isTls ? "secureConnect" : "connect", onReady);
}

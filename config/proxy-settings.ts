import { cidrs } from "./setting.ts";

/** What stands between clients and the listeners. */
export const PROXY_SETTINGS = {
  proxyProtocolFrom: cidrs(
    "PROXY_PROTOCOL_FROM",
    "Networks of balancers that begin every connection with the PROXY protocol (version 1 or 2), on every port, as 10.0.0.10/32,fd00::a/128: clients have the addresses that they name; unset: a client has the address that its connection comes from.",
  ),
};

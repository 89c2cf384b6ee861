import type { Settings } from "../config/settings.ts";
import { type AddressRules, createAddressRules } from "../outbound/address-rules.ts";

/** Where images may be fetched from. */
export function imageAddressRules({
  outboundAllowCidrs,
  imageFetchAllowCidrs,
}: Pick<Settings, "outboundAllowCidrs" | "imageFetchAllowCidrs">): AddressRules {
  return createAddressRules([...outboundAllowCidrs, ...imageFetchAllowCidrs]);
}

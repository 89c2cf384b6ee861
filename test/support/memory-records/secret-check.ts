import type { SecretCheck } from "../../../storage/ports/platform/secret-check.ts";

/** The check value of the secret key in memory. */
export function createMemorySecretCheck(): SecretCheck {
  let kept: Uint8Array | undefined;
  return {
    find: async () => kept,
    async keep(value) {
      kept ??= value;
      return kept;
    },
    async forget() {
      kept = undefined;
    },
  };
}

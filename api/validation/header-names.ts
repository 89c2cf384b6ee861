/** Most names in a header, and their longest form; the rest is noise and makes headers too long for proxies. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;

/** Names of a client's own choice as a header can carry them: percent-encoded, with commas between. */
export const headerNames = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMES)
    // A cut between surrogates would make encodeURIComponent throw; through UTF-8 it becomes U+FFFD.
    .map((name) => encodeURIComponent(Buffer.from(name.slice(0, MAX_NAME_LENGTH)).toString()))
    .join(", ");

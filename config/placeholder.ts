/**
 * What example files of this and other programs have in the place of a secret, as a word of its own:
 * `exchange-media.example.com` is a name. `deploy/check-env.sh` has the same pattern for secrets of other programs.
 */
const PLACEHOLDER = /(^|[^a-z])change[-_ ]?me([^a-z]|$)/i;

export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value);

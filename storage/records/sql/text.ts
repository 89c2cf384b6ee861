/**
 * Text that PostgreSQL can store: U+0000 becomes U+FFFD. For text that a device chose, where a
 * refusal would stop the pipeline for ever.
 */
export const withoutNul = (text: string): string => text.replaceAll("\0", "\ufffd");

/** A command line that cannot be meant; reported without a stack, with exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure that the person at the keyboard can act on; printed without a stack trace. */
export class SimulatorError extends Error {
  override readonly name = "SimulatorError";
}

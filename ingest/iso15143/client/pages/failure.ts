/** Why a poll ended early; the message is shown to the source's managers and names no address. */
export class FleetFailure extends Error {
  override readonly name = "FleetFailure";
  /** HTTP status of the answer that ended it; `undefined`: there was none, or the answer was not the cause. */
  readonly httpStatus: number | undefined;
  /** How long the server wants to be left alone, ms. */
  readonly retryAfterMs: number | undefined;
  /** The server does not want these credentials: asking again soon may lock them. */
  readonly isRefusal: boolean;

  constructor(
    problem: string,
    more: {
      readonly httpStatus?: number;
      readonly retryAfterMs?: number | undefined;
      readonly isRefusal?: boolean;
    } = {},
  ) {
    super(problem);
    this.httpStatus = more.httpStatus;
    this.retryAfterMs = more.retryAfterMs;
    this.isRefusal = more.isRefusal ?? false;
  }
}

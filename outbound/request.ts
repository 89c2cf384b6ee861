/** A request to somebody else's server. */
export interface OutboundRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: none. */
  readonly body?: string;
  /**
   * Reads the answer's body, which may have so many bytes, packed and unpacked; more end the request as
   * `too large`. Absent: not wanted.
   */
  readonly maxBodyBytes?: number;
  /** The whole request, the body of the answer included, ms; absent: the client's limit. */
  readonly totalMs?: number;
  /** Ends the request early, as `stopped`. */
  readonly signal?: AbortSignal;
}

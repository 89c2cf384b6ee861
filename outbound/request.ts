/** A request to somebody else's server. */
export interface OutboundRequest {
  readonly method: "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request early, as `stopped`. */
  readonly signal?: AbortSignal;
}

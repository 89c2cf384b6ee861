/** The stored answer to a POST with an `Idempotency-Key`; `body` is JSON text without secrets. */
export interface IdempotentAnswer {
  readonly status: number;
  readonly body: string;
}

/** What a key was used for first. */
export interface KeyedRequest {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
}

/** The right of one request to do the work of its key. */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  /** Differs for every claim: work under a claim that was taken over cannot be stored. */
  readonly token: string;
}

/** A request that had the key before and still has it: it runs, or it was answered. */
export interface EarlierRequest {
  readonly requestHash: string;
  /** `undefined` while it runs. */
  readonly answer: IdempotentAnswer | undefined;
  /** What it began, as `begin` stored it. */
  readonly begun: string | undefined;
}

/** `begun`: what a process that is gone began for the same request. */
export type ClaimOutcome =
  | { readonly claim: IdempotencyClaim; readonly begun: string | undefined }
  | { readonly earlier: EarlierRequest };

/**
 * Uses of `Idempotency-Key`, each kept for 24 h. States of a key:
 * free -> claimed        by `claim`
 * claimed -> answered    by `complete`, in the transaction that does the work
 * claimed -> claimed     by `claim` with a new token, once the lease has run out
 * claimed -> free        by `release`, unless something was begun
 * A claim that was taken over can do nothing more to its key, so the work of a key is stored once
 * even if the process that was believed to be gone was only slow.
 */
export interface IdempotencyRecords {
  /**
   * Claims a key for `leaseMs` of the database's clock. `atMs` dates the 24 h. A claim whose lease
   * has run out is taken over; one that began something only by the same request.
   */
  claim(request: KeyedRequest, atMs: number, leaseMs: number): Promise<ClaimOutcome>;
  /** Renews the leases of claims that are still held. */
  renew(claims: readonly IdempotencyClaim[], leaseMs: number): Promise<void>;
  /**
   * Stores the answer. False: the claim was taken over, and the caller must roll back. Call it within
   * the transaction that does the work.
   */
  complete(claim: IdempotencyClaim, answer: IdempotentAnswer): Promise<boolean>;
  /**
   * Stores the id of what the request began, when its answer has to wait for it. False as for
   * `complete`. Call it within the transaction that begins it.
   */
  begin(claim: IdempotencyClaim, begun: string): Promise<boolean>;
  /**
   * Ends a claim without an answer, so that the request may be tried again. What it began stays. Does
   * nothing to an answered key: the commit may have succeeded although its caller saw a failure.
   */
  release(claim: IdempotencyClaim): Promise<void>;
}

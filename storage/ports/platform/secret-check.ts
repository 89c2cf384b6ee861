/** What the record store remembers of the secret key, which does not reveal the key. */
export interface SecretCheck {
  /** `undefined`: no start has kept one yet. */
  find(): Promise<Uint8Array | undefined>;
  /** Keeps the value unless there is one, and yields the one that is there then. */
  keep(value: Uint8Array): Promise<Uint8Array>;
  /** Forgets the value: the next start keeps that of its own key. */
  forget(): Promise<void>;
}

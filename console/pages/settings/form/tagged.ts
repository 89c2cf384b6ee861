/** A thing with the entity tag of its state, which a change has to name. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

/** Takes the entity tag of an answer with its body. */
export const tagged = <T>(value: T, response: Response): Tagged<T> => ({
  value,
  etag: response.headers.get("etag") ?? "*",
});

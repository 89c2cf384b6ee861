import { useMemo } from "preact/hooks";

/** Key of a request that may reach the service twice: the same body has the same key until it is done. */
interface RepeatKey {
  (body: unknown): string;
  /** The request went well: the same body is another one from now on. */
  done(): void;
}

/**
 * Keys for `Idempotency-Key`: a second press, or one after an answer that was lost, does one thing. A form that can be
 * sent again with the same values and then means it, as a command does, says when one is done.
 */
export function useRepeatKey(): RepeatKey {
  return useMemo(() => {
    let last: { readonly text: string; readonly key: string } | undefined;
    const keyOf = (body: unknown) => {
      const text = JSON.stringify(body);
      if (last?.text !== text) last = { text, key: randomKey() };
      return last.key;
    };
    return Object.assign(keyOf, {
      done() {
        last = undefined;
      },
    });
  }, []);
}

/** `crypto.randomUUID` is not there over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

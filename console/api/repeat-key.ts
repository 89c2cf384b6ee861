import { useMemo } from "preact/hooks";
import { requestKeys } from "./outcome.ts";

/** Key of a request that may reach the service twice: the same body has the same key until it is done. */
interface RepeatKey {
  (body: unknown): string;
  /** The request went well: the same body is another one from now on. */
  done(): void;
}

/** `Idempotency-Key` for a form that can be sent again with the same values and then means it, as a command does. */
export function useRepeatKey(): RepeatKey {
  return useMemo(() => {
    let keyOf = requestKeys();
    return Object.assign((body: unknown) => keyOf(body), {
      done() {
        keyOf = requestKeys();
      },
    });
  }, []);
}

import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { NO_ANSWER } from "../api/failure.ts";
import { FailureNotice, Loading } from "./notices.tsx";

/** A page, or a part of one, whose files are loaded where it is looked at. `data` is read beside the files. */
export function lazily<P extends object>(
  read: () => Promise<FunctionComponent<P>>,
  data: () => Promise<void> = () => Promise.resolve(),
): FunctionComponent<P> {
  return function Lazy(props: P) {
    const page = useSignal<FunctionComponent<P> | undefined>(undefined);
    const hasFailed = useSignal(false);

    async function load() {
      hasFailed.value = false;
      try {
        const [found] = await Promise.all([read(), data()]);
        page.value = found;
      } catch {
        hasFailed.value = true;
      }
    }
    useEffect(() => void load(), []);

    if (hasFailed.value) return <FailureNotice failure={NO_ANSWER} onRetry={() => void load()} />;
    const Page = page.value;
    return Page === undefined ? <Loading /> : <Page {...props} />;
  };
}

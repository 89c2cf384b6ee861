import { readsWaitUntil } from "../api/patience.ts";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";

/** Says that reading waits because there were too many requests, and that it goes on by itself. */
export function WaitBar() {
  const untilMs = readsWaitUntil.value;
  if (untilMs === null) return null;
  return (
    <p class="notice" role="status">
      {t("wait.reads", { time: show.clock(untilMs) })}
    </p>
  );
}

import { t } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import type { Following } from "../../../state/use-following.ts";

/** Whether the figures are those of what is drawn now, and why there are none. */
export function FollowingState({ following }: { readonly following: Following<unknown> }) {
  const { data, failure, isBehind, again } = following;
  const bad = failure.value;
  if (bad !== undefined) return <FailureNotice failure={bad} onRetry={again} />;
  return (
    <p class="muted small measure-state" role="status">
      {isBehind.value ? t(data.value === undefined ? "measure.asking" : "measure.behind") : null}
    </p>
  );
}

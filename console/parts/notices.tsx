import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { serviceNow } from "../api/service-clock.ts";
import { shortageOf } from "../api/shortage.ts";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";
import { now } from "../state/now.ts";
import { CopyText } from "./copy-text.tsx";
import { NoRoom } from "./no-room.tsx";

/** The limit is of a minute, s; for an answer that does not say when. */
const USUAL_WAIT_S = 60;

interface FailureNoticeProps {
  readonly failure: Failure;
  /** Whose quota had no room, if that is why; absent: that of the project that is chosen. */
  readonly project?: string;
  readonly onRetry?: () => void;
}

/** What a request failed with, in words; where it helps, with a way to repeat it. */
export function FailureNotice(props: FailureNoticeProps) {
  const { status, requestId } = props.failure;
  const shortage = shortageOf(props.failure);
  return (
    <div class="notice notice-bad" role="alert">
      <p>
        {shortage !== undefined ? (
          <NoRoom of={shortage} project={props.project} />
        ) : status === 429 ? (
          <AskAgain failure={props.failure} />
        ) : (
          wordsOf(props.failure)
        )}
      </p>
      {requestId === undefined ? null : (
        <div class="request-id small">
          {t("fail.request_id")}: <CopyText name={t("fail.request_id")} text={requestId} />
        </div>
      )}
      {props.onRetry === undefined ? null : (
        <button type="button" onClick={props.onRetry}>
          {t("fail.retry")}
        </button>
      )}
    </div>
  );
}

/** There were too many requests: what was refused, and when it may be asked again. */
function AskAgain({ failure }: { readonly failure: Failure }) {
  const { message, retryAfterS = USUAL_WAIT_S } = failure;
  const untilMs = useMemo(() => serviceNow() + retryAfterS * 1_000, [failure]);
  // A time, not seconds that count: each change of an alert is read aloud.
  if (now.value >= untilMs) return <>{t("fail.many_over")}</>;
  return <>{t("fail.many", { message, time: show.clock(untilMs) })}</>;
}

function wordsOf({ status, message }: Failure): string {
  if (status === 0) return t("fail.none");
  if (status === 403) return t("fail.forbidden", { message });
  if (status === 507) return t("fail.no_room");
  if (status >= 500) return t("fail.server");
  return t("fail.other", { message });
}

/** There is nothing to show, and that is right. */
export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children === undefined ? null : <p class="muted">{props.children}</p>}
    </div>
  );
}

export function Loading() {
  return (
    <p class="loading" role="status">
      {t("app.loading")}…
    </p>
  );
}

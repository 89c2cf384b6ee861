import type { ComponentChildren } from "preact";
import type { Failure } from "../api/failure.ts";
import { t } from "../i18n/t.ts";

/** What a request failed with, in words; where it helps, with a way to repeat it. */
export function FailureNotice(props: { readonly failure: Failure; readonly onRetry?: () => void }) {
  return (
    <div class="notice notice-bad" role="alert">
      <p>{wordsOf(props.failure)}</p>
      {props.onRetry === undefined ? null : (
        <button type="button" onClick={props.onRetry}>
          {t("fail.retry")}
        </button>
      )}
    </div>
  );
}

function wordsOf({ status, message, requestId = "", retryAfterS }: Failure): string {
  if (status === 0) return t("fail.none");
  if (status === 403) return t("fail.forbidden", { message });
  if (status === 429) return t("fail.many", { seconds: retryAfterS ?? 60 });
  if (status >= 500) return t("fail.server", { id: requestId });
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

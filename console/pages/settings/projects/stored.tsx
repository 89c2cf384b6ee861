import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { toPage } from "../../../state/to-page.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { QuotaDialog } from "./quota-dialog.tsx";
import { type Project, type ProjectStorage, readStorage } from "./requests.ts";
import { fillOf, NEARLY_FULL } from "./storage-level.ts";

interface StoredProps {
  readonly project: Project;
  /** Shown at once; else by a button, because each project is a request of its own. */
  readonly isShown: boolean;
  readonly mayChange: boolean;
}

/** What the files of a project take of what it may store. */
export function Stored({ project, isShown, mayChange }: StoredProps) {
  const isAsked = useSignal(isShown);
  if (!isAsked.value) {
    return (
      <button
        type="button"
        onClick={() => {
          isAsked.value = true;
        }}
      >
        {t("proj.ask_stored")}
      </button>
    );
  }
  return <StoredFigures project={project} mayChange={mayChange} />;
}

function StoredFigures({ project: { id, name }, mayChange }: Omit<StoredProps, "isShown">) {
  const { data, failure, read } = useAnswer(() => readStorage(id), id);
  const isChanging = useSignal(false);
  const { value } = data;
  return (
    <div class="stack">
      {failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} onRetry={() => void read()} />
      )}
      {value === undefined ? (
        failure.value === undefined ? (
          <span class="muted">{t("app.loading")}…</span>
        ) : null
      ) : (
        <>
          <Usage storage={value} name={name} />
          <WhatToDo storage={value} mayChange={mayChange} />
          {mayChange ? (
            <div>
              <button
                type="button"
                class="small"
                aria-label={t("proj.quota_change_of", { name })}
                onClick={() => {
                  isChanging.value = true;
                }}
              >
                {t("proj.quota_change")}
              </button>
            </div>
          ) : null}
        </>
      )}
      {isChanging.value ? (
        <QuotaDialog
          id={id}
          name={name}
          onDone={() => {
            isChanging.value = false;
            void read();
          }}
          onClose={() => {
            isChanging.value = false;
          }}
        />
      ) : null}
    </div>
  );
}

/** Used of allowed, as figures and as a bar. */
function Usage({ storage, name }: { readonly storage: ProjectStorage; readonly name: string }) {
  const { used_bytes, files, limit_bytes, left_bytes } = storage;
  const fill = fillOf(storage);
  const used = show.bytes(used_bytes);
  if (fill === undefined || limit_bytes === null || left_bytes === null) {
    return (
      <p>
        {tn("proj.files", files, { size: used })}{" "}
        <span class="muted small">{t("proj.no_limit")}</span>
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>{t("proj.used_of", { used, limit: show.bytes(limit_bytes) })}</strong>{" "}
        <span class="muted small">
          {tn("proj.in_files", files)}{" "}
          {t("proj.used_percent", {
            percent: show.percent(fill.percent),
            left: show.bytes(left_bytes),
          })}
        </span>
      </p>
      <meter
        class="storage-bar"
        min={0}
        max={100}
        low={NEARLY_FULL}
        high={99.5}
        optimum={0}
        value={Math.min(100, fill.percent)}
        aria-label={t("proj.stored_of", { name })}
      />
    </>
  );
}

interface WhatToDoProps {
  readonly storage: ProjectStorage;
  readonly mayChange: boolean;
}

/** Where there is little room left: what helps. */
function WhatToDo({ storage, mayChange }: WhatToDoProps) {
  const level = fillOf(storage)?.level ?? "free";
  if (level === "free") return null;
  const seesSurveys = may("materials:read") || may("progress:read");
  return (
    <div class={level === "full" ? "notice notice-bad" : "notice"}>
      <div>
        <p>{t(level === "full" ? "proj.full" : "proj.nearly_full")}</p>
        <ul class="bullets">
          <li>
            {t("proj.delete_surveys")}{" "}
            {seesSurveys ? (
              <Link href={toPage("/surveys", { project: storage.project_id })}>
                {t("nav.surveys")}
              </Link>
            ) : null}
          </li>
          <li>{t("proj.expire")}</li>
          <li>{t(mayChange ? "proj.larger_quota" : "proj.ask_larger_quota")}</li>
        </ul>
      </div>
    </div>
  );
}

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import type { Outcome } from "../../api/outcome.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { Empty, FailureNotice } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { Select } from "../../parts/select.tsx";
import { projectChoices, projectId, projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { CheckList } from "./check-list.tsx";
import { type ChosenFile, checkFiles } from "./checks.ts";
import { readChosen } from "./choose-files.ts";
import { FilePicker } from "./file-picker.tsx";
import { measurePile, readPiles, sendCapture, sendSurvey } from "./requests.ts";
import { forgetFiles, type Sent, sendFiles } from "./send-files.ts";

/** Choices beside the stockpiles, which no id looks like: the project as a whole, and nothing but the survey. */
const WHOLE_PROJECT = "";
const ONLY_SURVEY = " survey";
const NO_PILES: Outcome<never[]> = { value: [] };

/** Sends a flight: checks the files, uploads them so that a cut costs nothing, and begins the work on them. */
export function UploadPage() {
  const measures = may("materials:write");
  const analyses = may("progress:write");
  if (measures || analyses) return <UploadForm measures={measures} analyses={analyses} />;
  const scope = "materials:write, progress:write";
  return (
    <div class="page">
      <PageHead title={t("upload.title")} />
      <Empty title={t("upload.no_scope", { scope })} />
    </div>
  );
}

interface UploadFormProps {
  readonly measures: boolean;
  readonly analyses: boolean;
}

function UploadForm({ measures, analyses }: UploadFormProps) {
  const chosenProject = useSignal<string | undefined>(undefined);
  const project = chosenProject.value ?? projectId.value ?? projects.value[0]?.id ?? "";
  const {
    data: piles,
    failure: unread,
    read,
  } = useAnswer(
    async () => (measures && project !== "" ? await readPiles(project) : NO_PILES),
    project,
  );
  const chosenPile = useSignal<string | undefined>(undefined);
  const chosen = useSignal<readonly ChosenFile[]>([]);
  const isReading = useSignal(false);
  const sent = useSignal<Sent | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const leaving = useRef(new AbortController());
  const keyOf = useRepeatKey();
  const [, go] = useLocation();
  useEffect(() => () => leaving.current.abort(), []);

  const targets: readonly (readonly [string, string])[] = [
    ...(piles.value ?? []).map(
      ({ id, material, location }) => [id, t("upload.pile", { material, location })] as const,
    ),
    ...(analyses
      ? ([
          [WHOLE_PROJECT, t("upload.whole_project")],
          [ONLY_SURVEY, t("upload.only_survey")],
        ] as const)
      : []),
  ];
  const target = chosenPile.value ?? targets[0]?.[0] ?? WHOLE_PROJECT;
  // Before that the first choice is not known: a flight for a stockpile would be sent for the project as a whole.
  const isKnown = piles.value !== undefined;
  const checks = checkFiles(chosen.value);
  const isSending = sent.value !== undefined;

  async function add(files: readonly File[]) {
    isReading.value = true;
    const read = await readChosen(files);
    chosen.value = [...chosen.peek(), ...read];
    isReading.value = false;
  }

  async function send() {
    failure.value = undefined;
    sent.value = { bytes: 0, files: 0 };
    const files = checks.good.map(({ file }) => file);
    const uploaded = await sendFiles(
      files,
      project,
      (now) => {
        sent.value = now;
      },
      leaving.current.signal,
    );
    if (leaving.current.signal.aborted) return;
    if ("failure" in uploaded) return stop(uploaded.failure);
    const key = keyOf([target, uploaded.ids]);
    const begun = await begin(uploaded.ids, key);
    if ("failure" in begun) return stop(begun.failure);
    await forgetFiles(files, project);
    go(toPage("/jobs", target === WHOLE_PROJECT ? { capture: begun.value } : { job: begun.value }));
  }

  const begin = (uploadIds: readonly string[], key: string): Promise<Outcome<string>> => {
    if (target === WHOLE_PROJECT) return sendCapture(project, uploadIds, key);
    if (target === ONLY_SURVEY) return sendSurvey(project, uploadIds, key);
    return measurePile(target, uploadIds, key);
  };

  function stop(reason: Failure) {
    failure.value = reason;
    sent.value = undefined;
  }

  return (
    <div class="page">
      <PageHead title={t("upload.title")} />
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending && isKnown && checks.problem === undefined) void send();
        }}
      >
        <Field name={t("nav.project")}>
          {(control) => (
            <Select
              {...control}
              disabled={isSending}
              value={project}
              choices={projectChoices()}
              onChoose={(id) => {
                chosenProject.value = id;
                chosenPile.value = undefined;
              }}
            />
          )}
        </Field>
        <Field name={t("upload.target")} hint={t("upload.target_hint")}>
          {(control) => (
            <Select
              {...control}
              disabled={isSending || !isKnown}
              value={isKnown ? target : WHOLE_PROJECT}
              choices={isKnown ? targets : [[WHOLE_PROJECT, `${t("app.loading")}…`]]}
              onChoose={(id) => {
                chosenPile.value = id;
              }}
            />
          )}
        </Field>
        {unread.value === undefined ? null : (
          <FailureNotice failure={unread.value} onRetry={() => void read()} />
        )}
        <FilePicker isDisabled={isSending} onFiles={(files) => void add(files)} />
        {isReading.value ? <p role="status">{t("upload.reading")}</p> : null}
        {chosen.value.length === 0 ? null : <CheckList checks={checks} />}
        {failure.value === undefined ? null : (
          <FailureNotice failure={failure.value} project={project} />
        )}
        {sent.value === undefined ? null : (
          <SendingBar sent={sent.value} bytes={checks.bytes} files={checks.good.length} />
        )}
        <div class="tool-row">
          {chosen.value.length === 0 || isSending ? null : (
            <button
              type="button"
              onClick={() => {
                chosen.value = [];
              }}
            >
              {t("upload.clear")}
            </button>
          )}
          <button
            type="submit"
            class="main"
            disabled={
              isSending ||
              !isKnown ||
              isReading.value ||
              checks.problem !== undefined ||
              project === ""
            }
          >
            {t(failure.value === undefined ? "upload.send" : "upload.go_on")}
          </button>
        </div>
      </form>
    </div>
  );
}

interface SendingBarProps {
  readonly sent: Sent;
  readonly bytes: number;
  readonly files: number;
}

function SendingBar({ sent, bytes, files }: SendingBarProps) {
  const percent = bytes === 0 ? 0 : Math.min(100, (100 * sent.bytes) / bytes);
  const values = { done: show.number(sent.files), percent: show.percent(Math.floor(percent)) };
  return (
    <div class="block">
      <progress max={100} value={percent} aria-label={t("upload.sending")} />
      <p>{tn("upload.sent", files, values)}</p>
      <p class="muted small">{t("upload.stay")}</p>
    </div>
  );
}

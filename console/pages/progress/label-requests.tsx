import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { pictureAddress } from "../../parts/file-address.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { When } from "../../parts/time.tsx";
import { workZones } from "../../state/site-places.ts";
import { PercentChoice, type Stage, StageChoice } from "./label-choice.tsx";
import { type LabelRequest, type NewLabel, sendLabel, withdrawLabels } from "./requests.ts";

interface LabelRequestsProps {
  readonly requests: readonly LabelRequest[];
  /** A label was stored: figures and requests are others now. */
  readonly onLabelled: () => Promise<void>;
}

/** Pictures whose labels would teach most, one after the other, by keyboard alone. */
export function LabelRequests({ requests, onLabelled }: LabelRequestsProps) {
  const skipped = useSignal<ReadonlySet<string>>(new Set());
  const said = useSignal("");
  const last = useSignal<StoredLabel | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const open = requests.filter((request) => !skipped.value.has(keyOf(request)));
  const [request] = open;
  const isFollowing = useRef(false);

  async function undo(label: StoredLabel) {
    last.value = undefined;
    const outcome = await withdrawLabels(label.zoneId, label.ids);
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("failure" in outcome) {
      last.value = label;
      return;
    }
    isFollowing.current = true;
    said.value = t("labels.undone", { zone: label.zone });
    await onLabelled();
  }

  const result = (
    <>
      <p class="label-result">
        <span role="status">{said.value}</span>{" "}
        {last.value === undefined ? null : <UndoButton label={last.value} onUndo={undo} />}
      </p>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
    </>
  );
  if (request === undefined) {
    return (
      <>
        {result}
        <p class="muted">{t("labels.none")}</p>
      </>
    );
  }
  return (
    <>
      <p class="muted">
        {tn("labels.open", open.length)} {t("labels.hint")}
      </p>
      {result}
      <LabelCard
        key={keyOf(request)}
        request={request}
        isNext={isFollowing.current}
        onSkip={() => {
          isFollowing.current = true;
          skipped.value = new Set([...skipped.peek(), keyOf(request)]);
        }}
        onSaved={async (value, ids) => {
          isFollowing.current = true;
          const zone = request.zone_name;
          said.value = t("labels.saved", { zone, value });
          last.value = { zoneId: request.zone_id, zone, ids };
          await onLabelled();
        }}
      />
    </>
  );
}

/** What was stored last: who pressed the wrong key takes it back. */
interface StoredLabel {
  readonly zoneId: string;
  readonly zone: string;
  readonly ids: readonly string[];
}

interface UndoButtonProps {
  readonly label: StoredLabel;
  readonly onUndo: (label: StoredLabel) => Promise<void>;
}

const UndoButton = ({ label, onUndo }: UndoButtonProps) => (
  <button
    type="button"
    class="small"
    aria-label={t("labels.undo_of", { zone: label.zone })}
    onClick={() => void onUndo(label)}
  >
    {t("labels.undo")}
  </button>
);

const keyOf = ({ zone_id, capture_id, camera_id }: LabelRequest): string =>
  `${zone_id} ${capture_id} ${camera_id ?? ""}`;

interface LabelCardProps {
  readonly request: LabelRequest;
  /** It took the place of one that was answered: whoever pressed keys goes on here. */
  readonly isNext: boolean;
  readonly onSkip: () => void;
  /** @param ids Of the labels that it made. */
  readonly onSaved: (value: string, ids: readonly string[]) => Promise<void>;
}

function LabelCard({ request, isNext, onSkip, onSaved }: LabelCardProps) {
  const { zone_id, zone_name, camera_id, capture_id, taken_at, reason } = request;
  const form = useRef<HTMLFormElement>(null);
  const percent = useSignal<number | undefined>(undefined);
  const stage = useSignal<string | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const repeatKey = useRepeatKey();
  const metric = workZones.items.value.find(({ id }) => id === zone_id)?.metric;
  const stages: readonly Stage[] | undefined =
    metric?.kind === "stages" ? (metric.stages ?? []) : undefined;
  const isSet = (stages === undefined ? percent.value : stage.value) !== undefined;

  useEffect(() => {
    if (isNext) form.current?.querySelector("input")?.focus();
  }, [isNext]);

  async function save() {
    if (!isSet || isBusy.peek()) return;
    const answer = stages === undefined ? { progress: percent.peek() } : { stage: stage.peek() };
    const body = {
      capture_id,
      ...(camera_id === null ? {} : { camera_id }),
      ...answer,
    } as NewLabel;
    isBusy.value = true;
    const outcome = await sendLabel(zone_id, body, repeatKey({ zone_id, ...body }));
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("failure" in outcome) return;
    await onSaved(stage.peek() ?? show.percent(percent.peek() ?? 0), outcome.value);
  }

  return (
    <form
      ref={form}
      class="label-card"
      aria-label={t("labels.request", { zone: zone_name })}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Picture request={request} />
      <div class="stack">
        <h3>{zone_name}</h3>
        <p class="muted small">
          {t("labels.taken")} <When ms={Date.parse(taken_at)} />. <span lang="en">{reason}</span>
        </p>
        {!may("progress:write") ? (
          <p class="notice">{t("labels.read_only")}</p>
        ) : (
          <>
            {stages === undefined ? (
              <PercentChoice value={percent} onEnter={() => void save()} />
            ) : (
              <StageChoice stages={stages} value={stage} />
            )}
            {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
            <div class="tool-row">
              <button type="submit" class="main" disabled={!isSet || isBusy.value}>
                {t("labels.save")}
              </button>
              <button type="button" onClick={onSkip}>
                {t("labels.skip")}
              </button>
            </div>
          </>
        )}
      </div>
    </form>
  );
}

/** The picture, and where the zone is in it. */
function Picture({ request }: { readonly request: LabelRequest }) {
  const { outline, picture_url, zone_name } = request;
  const points = outline?.map(([x = 0, y = 0]) => `${x},${y}`).join(" ");
  return (
    <div class="label-picture">
      <img
        src={pictureAddress(picture_url, 640)}
        srcset={`${pictureAddress(picture_url, 640)} 640w, ${pictureAddress(picture_url, 1280)} 1280w`}
        sizes="(max-width: 680px) 100vw, 640px"
        alt={t(outline === null ? "labels.picture" : "labels.picture_outlined", {
          zone: zone_name,
        })}
      />
      {points === undefined ? null : (
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <polygon class="outline-halo" points={points} />
          <polygon class="outline" points={points} />
        </svg>
      )}
    </div>
  );
}

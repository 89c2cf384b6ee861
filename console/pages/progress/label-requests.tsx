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
import { type LabelRequest, type NewLabel, sendLabel } from "./requests.ts";

interface LabelRequestsProps {
  readonly requests: readonly LabelRequest[];
  /** A label was stored: figures and requests are others now. */
  readonly onLabelled: () => Promise<void>;
}

/** Pictures whose labels would teach most, one after the other, by keyboard alone. */
export function LabelRequests({ requests, onLabelled }: LabelRequestsProps) {
  const skipped = useSignal<ReadonlySet<string>>(new Set());
  const said = useSignal("");
  const open = requests.filter((request) => !skipped.value.has(keyOf(request)));
  const [request] = open;
  const isFollowing = useRef(false);

  if (request === undefined) {
    return (
      <>
        <p role="status">{said.value}</p>
        <p class="muted">{t("labels.none")}</p>
      </>
    );
  }
  return (
    <>
      <p class="muted">
        {tn("labels.open", open.length)} {t("labels.hint")}
      </p>
      <p role="status">{said.value}</p>
      <LabelCard
        key={keyOf(request)}
        request={request}
        isNext={isFollowing.current}
        onSkip={() => {
          isFollowing.current = true;
          skipped.value = new Set([...skipped.peek(), keyOf(request)]);
        }}
        onSaved={async (value) => {
          isFollowing.current = true;
          said.value = t("labels.saved", { zone: request.zone_name, value });
          await onLabelled();
        }}
      />
    </>
  );
}

const keyOf = ({ zone_id, capture_id, camera_id }: LabelRequest): string =>
  `${zone_id} ${capture_id} ${camera_id ?? ""}`;

interface LabelCardProps {
  readonly request: LabelRequest;
  /** It took the place of one that was answered: whoever pressed keys goes on here. */
  readonly isNext: boolean;
  readonly onSkip: () => void;
  readonly onSaved: (value: string) => Promise<void>;
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
    if ("value" in outcome) await onSaved(stage.peek() ?? show.percent(percent.peek() ?? 0));
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

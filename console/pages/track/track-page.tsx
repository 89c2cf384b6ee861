import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation, useParams, useSearch } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { machineName } from "../../state/machines.ts";
import { toPage } from "../../state/to-page.ts";
import { zone } from "../../state/zone.ts";
import { presetSpan, type Span } from "../../time/span.ts";
import type { Track } from "../../track/track.ts";
import { readAddress, type TrackAddress, trackPath, trackQuery } from "./address.ts";
import { MachineChoice } from "./machine-choice.tsx";
import { RangePicker } from "./range-picker.tsx";
import { readTracks } from "./read-tracks.ts";
import { TrackView } from "./track-view.tsx";
import "./track.css";

/** Machines of one page; the service has tracks of as many in one answer. */
const MOST_MACHINES = 20;

type Answer = { readonly tracks: readonly Track[]; readonly span: Span } | Failure;

/** Where one machine was, or several, in a range of time. */
export function TrackPage() {
  const { id } = useParams<{ id?: string }>();
  const search = useSearch();
  const [, navigate] = useLocation();
  const address = readAddress(id, search);
  const { ids, span } = address;
  const answer = useSignal<Answer | undefined>(undefined);
  const attempt = useSignal(0);
  const isRangeOpen = useSignal(false);

  const go = (to: TrackAddress, replace = false) =>
    navigate(toPage(trackPath(to.ids), trackQuery(to)), { replace });

  useEffect(() => {
    // An address without a range gets one, so that it says the same to a colleague and tomorrow.
    if (span === undefined) {
      go({ ...address, span: presetSpan("day", serviceNow(), zone.peek()) }, true);
      return undefined;
    }
    answer.value = undefined;
    if (ids.length === 0 || ids.length > MOST_MACHINES) return undefined;
    const stop = new AbortController();
    void (async () => {
      const found = await readTracks({ ids, span }, stop.signal);
      if (stop.signal.aborted) return;
      answer.value = "failure" in found ? found.failure : { tracks: found.value, span };
    })();
    return () => stop.abort();
  }, [ids.join(), span?.fromMs, span?.toMs, attempt.value]);

  const head = <PageHead title={titleOf(ids)} />;
  if (!may("equipment:read")) {
    return (
      <div class="page">
        {head}
        <Empty title={t("live.scope", { scope: "equipment:read" })} />
      </div>
    );
  }
  const { value } = answer;
  const choose = (
    <>
      {span === undefined ? null : (
        <RangePicker
          key={`${span.fromMs} ${span.toMs}`}
          span={span}
          onChoose={chooseSpan}
          isOpen={isRangeOpen}
        />
      )}
      <MachineChoice
        ids={ids}
        most={MOST_MACHINES}
        onChoose={(chosen) => go({ ...address, ids: chosen })}
      />
    </>
  );
  if (value !== undefined && "tracks" in value) {
    return (
      <TrackView
        key={`${ids.join()} ${value.span.fromMs} ${value.span.toMs}`}
        tracks={value.tracks}
        span={value.span}
        atMs={address.atMs}
        head={head}
        choose={choose}
      />
    );
  }
  return (
    <div class="page">
      {head}
      {choose}
      {ids.length === 0 ? <Empty title={t("track.choose_machine")} /> : null}
      {ids.length > MOST_MACHINES ? (
        <Empty title={t("track.too_many", { most: MOST_MACHINES })} />
      ) : null}
      {value === undefined ? (
        ids.length > 0 && ids.length <= MOST_MACHINES && <Loading />
      ) : (
        <FailureNotice
          failure={value}
          onRetry={() => {
            attempt.value += 1;
          }}
        />
      )}
    </div>
  );

  function chooseSpan(chosen: Span) {
    go({ ids, span: chosen, atMs: undefined });
  }
}

function titleOf(ids: readonly string[]): string {
  const [id] = ids;
  if (id === undefined || ids.length > 1) return t("track.title_several");
  return t("track.title", { name: machineName(id) });
}

import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Select } from "../../parts/select.tsx";
import type { Span } from "../../time/span.ts";
import { type Playback, RATES } from "../../track/playback.ts";
import { keyStepMs } from "./key-step.ts";

interface PlayBarProps {
  readonly playback: Playback;
  readonly span: Span;
}

/** Plays, pauses, and moves through the range by mouse, finger and keys. */
export function PlayBar({ playback, span }: PlayBarProps) {
  const { at, isPlaying, rate, toggle } = playback;
  const { fromMs, toMs } = span;
  const ms = at.value ?? fromMs;
  return (
    <section class="play-bar" aria-label={t("track.playback")}>
      <button type="button" class="main" onClick={toggle}>
        <span aria-hidden="true">{isPlaying.value ? "❚❚" : "▶"}</span>{" "}
        {t(isPlaying.value ? "track.pause" : "track.play")}
      </button>
      <label>
        {t("track.rate")}{" "}
        <Select
          value={rate.value}
          choices={RATES.map((one) => [one, `${one}×`])}
          onChoose={(chosen) => {
            rate.value = chosen;
          }}
        />
      </label>
      <label class="play-scrub">
        <span class="hidden">{t("track.scrub")}</span>
        <input
          type="range"
          min={fromMs}
          max={toMs}
          step={1_000}
          value={ms}
          aria-valuetext={show.dateTime(ms)}
          onInput={(event) => {
            at.value = Number(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            const step = keyStepMs(event.key, event.shiftKey, toMs - fromMs);
            if (step === undefined) return;
            event.preventDefault();
            at.value = Math.min(toMs, Math.max(fromMs, ms + step));
          }}
        />
      </label>
      <output class="play-time small">{show.dateTime(ms)}</output>
    </section>
  );
}

import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { serviceNow } from "../../api/service-clock.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { localTime, PRESETS, presetSpan, type Span, spanFlaw } from "../../time/span.ts";

interface RangePickerProps {
  readonly span: Span;
  readonly onChoose: (span: Span) => void;
  /** Whether the fields of both ends are shown; kept by the page, where this part moves when a track arrives. */
  readonly isOpen: Signal<boolean>;
}

/** Chooses a range by a button, or by its two ends in the zone of the browser. */
export function RangePicker({ span, onChoose, isOpen }: RangePickerProps) {
  const from = useSignal(localTime(span.fromMs));
  const to = useSignal(localTime(span.toMs));
  const flaw = useSignal<ReturnType<typeof spanFlaw>>(undefined);
  const help = useId();

  function submit(event: Event) {
    event.preventDefault();
    const typed = { fromMs: Date.parse(from.peek()), toMs: Date.parse(to.peek()) };
    flaw.value = spanFlaw(typed);
    if (flaw.value === undefined) onChoose(typed);
  }

  const field = (name: "track.from" | "track.to", value: typeof from) => (
    <label>
      {t(name)}
      <input
        type="datetime-local"
        required
        value={value.value}
        aria-invalid={flaw.value !== undefined}
        aria-describedby={flaw.value === undefined ? undefined : help}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </label>
  );
  return (
    <div class="track-range">
      <div class="track-presets">
        {PRESETS.map((preset) => (
          <button
            key={preset}
            type="button"
            onClick={() => onChoose(presetSpan(preset, serviceNow()))}
          >
            {t(`track.preset.${preset}`)}
          </button>
        ))}
      </div>
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>
          {t("track.range", { from: show.dateTime(span.fromMs), to: show.dateTime(span.toMs) })}
        </summary>
        <form class="track-ends" onSubmit={submit} noValidate>
          {field("track.from", from)}
          {field("track.to", to)}
          <button type="submit">{t("track.show")}</button>
        </form>
        {flaw.value === undefined ? null : (
          <p id={help} class="notice notice-bad" role="alert">
            {t(`track.flaw.${flaw.value}`)}
          </p>
        )}
      </details>
    </div>
  );
}

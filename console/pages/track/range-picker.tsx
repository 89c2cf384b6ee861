import { type Signal, useSignal } from "@preact/signals";
import { serviceNow } from "../../api/service-clock.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { TimeField } from "../../parts/time-field.tsx";
import { zone } from "../../state/zone.ts";
import { PRESETS, presetSpan, type Span, spanFlaw } from "../../time/span.ts";
import { readTime, wallText } from "../../time/zone.ts";

interface RangePickerProps {
  readonly span: Span;
  readonly onChoose: (span: Span) => void;
  /** Whether the fields of both ends are shown; kept by the page, where this part moves when a track arrives. */
  readonly isOpen: Signal<boolean>;
}

/** Chooses a range by a button, or by its two ends in the zone of the page. */
export function RangePicker(props: RangePickerProps) {
  // What was typed is of the zone that it was typed in.
  return <Picker key={zone.value} {...props} />;
}

function Picker({ span, onChoose, isOpen }: RangePickerProps) {
  const from = useSignal(wallText(span.fromMs, zone.value));
  const to = useSignal(wallText(span.toMs, zone.value));
  const flaw = useSignal<ReturnType<typeof spanFlaw>>(undefined);

  function submit(event: Event) {
    event.preventDefault();
    const typed = {
      fromMs: endOf(from.peek(), span.fromMs),
      toMs: endOf(to.peek(), span.toMs),
    };
    flaw.value = spanFlaw(typed);
    if (flaw.value === undefined) onChoose(typed);
  }

  const field = (name: "track.from" | "track.to", value: typeof from) => (
    <TimeField
      name={t(name)}
      required
      value={value.value}
      onText={(text) => {
        value.value = text;
      }}
    />
  );
  return (
    <div class="track-range">
      <div class="track-presets">
        {PRESETS.map((preset) => (
          <button
            key={preset}
            type="button"
            onClick={() => onChoose(presetSpan(preset, serviceNow(), zone.peek()))}
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
          <p class="notice notice-bad" role="alert">
            {t(`track.flaw.${flaw.value}`)}
          </p>
        )}
      </details>
    </div>
  );
}

/** An end that nobody changed keeps its seconds, and which one it is of two that look alike. */
const endOf = (text: string, wasMs: number): number =>
  text === wallText(wasMs, zone.peek()) ? wasMs : readTime(text, zone.peek()).ms;

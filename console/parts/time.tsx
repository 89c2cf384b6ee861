import { useSignal } from "@preact/signals";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";
import { preferences } from "../state/preferences.ts";

interface MomentProps {
  /** ms since the Unix epoch. */
  readonly ms: number;
  /**
   * Whether a press shows the rest: by keyboard and touch too. Not in a list that may be long, where each would be a
   * stop of the tabulator.
   */
  readonly isPressable?: boolean;
}

/** A moment as its age, which counts on; the date with its zone, and UTC, are the rest of it. */
export function Age({ ms, isPressable }: MomentProps) {
  return <Moment ms={ms} text={show.age(ms)} rest={show.dateTime(ms)} isPressable={isPressable} />;
}

/** A moment as date and time of day in the zone of the page; its age, and UTC, are the rest of it. */
export function When({ ms, isPressable }: MomentProps) {
  return <Moment ms={ms} text={show.dateTime(ms)} rest={show.age(ms)} isPressable={isPressable} />;
}

interface ShownMoment {
  readonly ms: number;
  readonly text: string;
  readonly rest: string;
  readonly isPressable: boolean | undefined;
}

/** The rest is there for the mouse, by a press where it can be pressed, and always for who chose so in the settings. */
function Moment({ ms, text, rest, isPressable = false }: ShownMoment) {
  const iso = new Date(ms).toISOString();
  const all = `${rest} · ${iso}`;
  if (preferences.value.times === "full") {
    return (
      <>
        <time dateTime={iso}>{text}</time> <span class="muted small">({all})</span>
      </>
    );
  }
  if (isPressable) return <PressedMoment iso={iso} text={text} all={all} />;
  return (
    <time dateTime={iso} title={all}>
      {text}
    </time>
  );
}

interface PressedMomentProps {
  readonly iso: string;
  readonly text: string;
  readonly all: string;
}

function PressedMoment({ iso, text, all }: PressedMomentProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="moment"
        aria-expanded={isOpen.value}
        title={t("time.show_all")}
        onClick={() => {
          isOpen.value = !isOpen.peek();
        }}
      >
        <time dateTime={iso}>{text}</time>
      </button>
      {isOpen.value ? <span class="muted small"> {all}</span> : null}
    </>
  );
}

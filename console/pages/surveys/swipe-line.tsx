import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { keyStep } from "./key-step.ts";

interface SwipeLineProps {
  /** Share of the map that shows the left survey, percent. */
  readonly percent: Signal<number>;
  /** Dates of both surveys in words. */
  readonly left: string;
  readonly right: string;
}

/** The divider of two maps: dragged by mouse or finger, and moved by keys. */
export function SwipeLine({ percent, left, right }: SwipeLineProps) {
  const line = useRef<HTMLDivElement>(null);

  function drag(event: PointerEvent) {
    const box = line.current?.parentElement?.getBoundingClientRect();
    if (box === undefined || event.buttons === 0) return;
    const at = ((event.clientX - box.left) / box.width) * 100;
    percent.value = Math.round(Math.min(100, Math.max(0, at)));
  }

  return (
    <div
      ref={line}
      class="swipe-line"
      role="slider"
      tabIndex={0}
      aria-label={t("survey.swipe")}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent.value}
      aria-valuetext={t("survey.swipe_value", {
        percent: show.percent(percent.value),
        rest: show.percent(100 - percent.value),
        left,
        right,
      })}
      style={{ left: `${percent.value}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const next = keyStep(event.key, percent.peek());
        if (next === undefined) return;
        event.preventDefault();
        percent.value = next;
      }}
    >
      <span class="swipe-knob" aria-hidden="true">
        ⇔
      </span>
    </div>
  );
}

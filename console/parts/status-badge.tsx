import { t } from "../i18n/t.ts";
import { type Look, lookOf, SHAPES } from "../map/shapes.ts";
import type { Machine } from "../state/machine.ts";

/** The shape that the map draws, for lists. */
export function LookIcon({ look }: { readonly look: Look }) {
  const { path, line, dash, colour } = SHAPES[look];
  return (
    <svg
      class={`look look-${colour}`}
      viewBox="0 0 24 24"
      width="18"
      height="18"
      aria-hidden="true"
    >
      {line === undefined ? (
        <path d={path} fill="currentColor" />
      ) : (
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          stroke-width={line}
          stroke-dasharray={dash?.join(" ")}
        />
      )}
    </svg>
  );
}

/** Status of a machine as shape, colour and word; how it is connected where that is not well. */
export function StatusBadge({ machine }: { readonly machine: Machine }) {
  const { status, connection } = machine;
  return (
    <span class="badge">
      <LookIcon look={lookOf(machine)} />
      {t(`status.${status}`)}
      {connection === "ok" ? null : <span class="muted"> · {t(`connection.${connection}`)}</span>}
    </span>
  );
}

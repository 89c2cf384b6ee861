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
export const StatusBadge = ({ machine }: { readonly machine: Machine }) => (
  <ShownStatus
    shown={{ look: lookOf(machine), status: machine.status, connection: machine.connection }}
  />
);

interface ShownStatusProps {
  readonly shown: Pick<Machine, "status" | "connection"> & { readonly look: Look };
}

/** A status with its look, where no more is known of the machine. */
export function ShownStatus({ shown: { look, status, connection } }: ShownStatusProps) {
  return (
    <span class="badge">
      <LookIcon look={look} />
      {t(`status.${status}`)}
      {connection === "ok" ? null : <span class="muted"> · {t(`connection.${connection}`)}</span>}
    </span>
  );
}

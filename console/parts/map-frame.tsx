import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/t.ts";
import { hasWebGl } from "../map/web-gl.ts";

/** A map as far as its frame uses it. */
interface FramedMap {
  showAll(): void;
  close(): void;
}

interface MapFrameProps {
  /** For who does not see the map. */
  readonly label: string;
  /** Name of the button that shows all of it. */
  readonly all: string;
  /** What is said where the browser cannot draw a map. */
  readonly without?: string;
  /** The map is made again when this changes; absent: never. */
  readonly subject?: unknown;
  /** Makes the map and ties it to the state; yields it with what ends the ties. */
  readonly open: (container: HTMLElement) => {
    readonly map: FramedMap;
    readonly ends: readonly (() => void)[];
  };
}

/** The place of a map on a page. A map follows the state by itself and is never rendered again. */
export function MapFrame({ label, all, without, subject, open }: MapFrameProps) {
  const container = useRef<HTMLDivElement>(null);
  const opened = useRef<FramedMap | undefined>(undefined);
  const canDraw = useSignal(true);

  useEffect(() => {
    if (container.current === null) return undefined;
    let drawn: ReturnType<typeof open>;
    try {
      drawn = open(container.current);
    } catch (error) {
      // Asked only then: a context that is made to be looked at costs as much as the map's own.
      if (hasWebGl()) throw error;
      canDraw.value = false;
      return undefined;
    }
    opened.current = drawn.map;
    return () => {
      opened.current = undefined;
      for (const end of drawn.ends) end();
      drawn.map.close();
    };
  }, [subject]);

  return (
    <div class="map-pane">
      {canDraw.value ? (
        <>
          <section ref={container} class="map" aria-label={label} />
          <button type="button" class="map-all" onClick={() => opened.current?.showAll()}>
            {all}
          </button>
        </>
      ) : (
        <p class="notice">{without ?? t("map.no_webgl")}</p>
      )}
    </div>
  );
}

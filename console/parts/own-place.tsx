import { useSignal } from "@preact/signals";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";

/** Longest wait for a first fix, ms: outdoors a phone needs some 10 s after it was off for long. */
const WAIT_MS = 30_000;
/** An older place may be that of the office, ms. */
const AGE_MS = 10_000;
/** 0.1 m: finer than any phone. */
const DECIMALS = 6;

interface OwnPlaceProps {
  /** Degrees, as the fields of a form have them. */
  readonly onPlace: (latitude: string, longitude: string) => void;
}

/** Takes the place where this device is: whoever stands beside a machine has no need to type it. */
export function OwnPlace({ onPlace }: OwnPlaceProps) {
  const said = useSignal("");
  const isBusy = useSignal(false);
  // Over plain HTTP from another machine browsers give nobody a place.
  if (!isSecureContext || !("geolocation" in navigator)) return null;

  function ask() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    said.value = t("place.waiting");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        isBusy.value = false;
        said.value = t("place.taken", { distance: show.length(coords.accuracy) });
        onPlace(coords.latitude.toFixed(DECIMALS), coords.longitude.toFixed(DECIMALS));
      },
      ({ code, PERMISSION_DENIED }) => {
        isBusy.value = false;
        said.value = t(code === PERMISSION_DENIED ? "place.denied" : "place.failed");
      },
      { enableHighAccuracy: true, timeout: WAIT_MS, maximumAge: AGE_MS },
    );
  }

  return (
    <div class="tool-row">
      <button type="button" disabled={isBusy.value} onClick={ask}>
        {t("place.of_device")}
      </button>
      <span role="status" class="small">
        {said.value}
      </span>
    </div>
  );
}

import { show } from "../format/show.ts";

/** A moment as its age, which counts on; the date with its zone, and UTC, are there on focus and for the mouse. */
export function Age({ ms }: { readonly ms: number }) {
  const iso = new Date(ms).toISOString();
  return (
    <time dateTime={iso} title={`${show.dateTime(ms)} · ${iso}`}>
      {show.age(ms)}
    </time>
  );
}

/** A moment as date and time of day in the zone of the page. */
export function When({ ms }: { readonly ms: number }) {
  const iso = new Date(ms).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {show.dateTime(ms)}
    </time>
  );
}

import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { t } from "../../i18n/t.ts";
import { ExportNote } from "../../parts/export-note.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { zone } from "../../state/zone.ts";
import type { Span } from "../../time/span.ts";
import type { Track } from "../../track/track.ts";
import { EXPORTS, type ExportFormat, exportName, readExport } from "./read-tracks.ts";

const FORMATS = Object.keys(EXPORTS) as readonly ExportFormat[];

interface ExportsProps {
  readonly tracks: readonly Track[];
  readonly span: Span;
}

/** Tracks as files, as the API gives them out: which format it is decided by a header, so no link can ask for it. */
export function Exports({ tracks, span }: ExportsProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  const isReading = useSignal(false);

  async function save(format: ExportFormat) {
    const wanted = { ids: tracks.map(({ id }) => id), span };
    isReading.value = true;
    failure.value = undefined;
    const read = await readExport(wanted, format);
    isReading.value = false;
    if ("failure" in read) failure.value = read.failure;
    else saveFile(exportName(wanted, format, zone.peek()), read.value);
  }

  return (
    <section class="card" aria-labelledby="track-export">
      <h2 id="track-export">{t("track.export")}</h2>
      <div class="track-presets">
        {FORMATS.map((format) => (
          <button
            key={format}
            type="button"
            disabled={isReading.value}
            aria-label={t("track.export_as", { format })}
            onClick={() => void save(format)}
          >
            {format}
          </button>
        ))}
      </div>
      <p class="muted small">
        {t("track.export_hint")} <ExportNote />
      </p>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
    </section>
  );
}

import { t } from "../i18n/t.ts";

/** Beside a button that saves a file: its units and times are the API's, whatever the page shows. */
export const ExportNote = () => <span class="muted small no-print">{t("export.units")}</span>;

import { t } from "../../../i18n/t.ts";
import type { Survey } from "../requests.ts";
import { tileGrid } from "./relief.ts";

/** The relief of a survey from above, of its map tiles: where nothing can be drawn in three dimensions. */
export function ReliefPicture({ survey }: { readonly survey: Survey }) {
  const { bounds, tiles } = survey;
  if (bounds === null || tiles === null) return <p class="notice">{t("model.no_picture")}</p>;
  const { zoom, columns, rows } = tileGrid(bounds, tiles.hillshade);
  // By way of the origin that the page came from: the signed address may name another one.
  const template = tiles.hillshade.url_template.replace(/^https?:\/\/[^/]+/, "");
  return (
    <div
      class="relief-picture"
      role="img"
      aria-label={t("model.picture")}
      style={{ gridTemplateColumns: `repeat(${columns.length}, 1fr)` }}
    >
      {rows.flatMap((row) =>
        columns.map((column) => (
          <img
            key={`${column} ${row}`}
            alt=""
            src={template
              .replace("{z}", String(zoom))
              .replace("{x}", String(column))
              .replace("{y}", String(row))}
            // A tile beside the survey is none.
            onError={(event) => {
              event.currentTarget.hidden = true;
            }}
          />
        )),
      )}
    </div>
  );
}

import { api } from "../../../api/client.ts";
import { fileAddress } from "../../../parts/file-address.ts";
import type { Survey } from "../requests.ts";

/** What of a survey can be shown in three dimensions. */
export const SOURCES = ["model", "points", "pile"] as const;
export type Source = (typeof SOURCES)[number];

/** Those that a survey may have; whether its points and its pile can be read, only their answers say. */
export function sourcesOf(
  survey: Pick<Survey, "products" | "source" | "tiles">,
): readonly Source[] {
  const has: Readonly<Record<Source, boolean>> = {
    model: survey.products.model_3d_url != null,
    points: survey.tiles !== null,
    pile: survey.source.kind === "stockpile_measurement",
  };
  return SOURCES.filter((one) => has[one]);
}

/** Asks for the file of a source. */
export async function requestSource(
  { id, products }: Pick<Survey, "id" | "products">,
  source: Source,
  signal: AbortSignal,
): Promise<Response> {
  if (source === "model") return await fetch(fileAddress(products.model_3d_url ?? ""), { signal });
  const options = { params: { path: { survey_id: id } }, parseAs: "stream", signal } as const;
  const { response } =
    source === "points"
      ? await api.GET("/api/v1/surveys/{survey_id}/points.glb", options)
      : await api.GET("/api/v1/surveys/{survey_id}/pile.glb", options);
  return response;
}

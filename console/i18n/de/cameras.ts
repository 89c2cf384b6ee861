import type { EN_CAMERAS } from "../en/cameras.ts";

/** Texts of the photographs of a survey, in German. */
export const DE_CAMERAS: Record<keyof typeof EN_CAMERAS, string> = {
  "cameras.title": "Fotos",
  "cameras.show": "Aufnahmeorte zeigen",
  "cameras.none": "Die Höhen wurden übergeben; zu dieser Vermessung gibt es keine Fotos.",
  "cameras.used_one": "Die Vermessung beruht auf {n} Foto.",
  "cameras.used_other": "Die Vermessung beruht auf {n} Fotos.",
  "cameras.refused_one": "{n} wurde nicht verwendet.",
  "cameras.refused_other": "{n} wurden nicht verwendet.",
  "cameras.refused_unknown": "Welche nicht verwendet wurden, ließ sich nicht lesen.",
  "cameras.image": "Bild",
  "cameras.status": "Status",
  "cameras.residual": "Restfehler",
  "cameras.place": "Sein Ort",
  "cameras.points_one": "{n} Punkt",
  "cameras.points_other": "{n} Punkte",
  "cameras.sigma": "± {size} (1 σ)",
  "cameras.hint":
    "Orte, wie die Ausgleichung sie fand, nicht wie sie in den Dateien stehen. Ein Name markiert seinen Punkt auf der Karte, ein Punkt seine Zeile.",
};

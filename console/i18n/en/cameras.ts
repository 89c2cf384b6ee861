/** Texts of the photographs of a survey. */
export const EN_CAMERAS = {
  "cameras.title": "Photographs",
  "cameras.show": "Show where they were taken",
  "cameras.none": "Heights were given; this survey has no photographs.",
  "cameras.used_one": "The survey rests on {n} photograph.",
  "cameras.used_other": "The survey rests on {n} photographs.",
  "cameras.refused_one": "{n} was not used.",
  "cameras.refused_other": "{n} were not used.",
  "cameras.refused_unknown": "Which ones were not used could not be read.",
  "cameras.image": "Image",
  "cameras.status": "Status",
  "cameras.residual": "Residual",
  "cameras.place": "Its place",
  "cameras.points_one": "{n} point",
  "cameras.points_other": "{n} points",
  "cameras.sigma": "± {size} (1 σ)",
  "cameras.hint":
    "Places as the adjustment found them, not as the tags of the files say. A name marks its dot on the map, and a dot its line.",
} as const;

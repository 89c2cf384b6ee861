/** Colours of lines that are told apart: 3 : 1 on the surface of their theme, for who does not see red or green too. */
const LINE_COLOURS: Readonly<Record<"light" | "dark", readonly string[]>> = {
  light: ["#0b4f6c", "#b45309", "#7c3aed", "#0f766e", "#be185d", "#4d5b68"],
  dark: ["#6cc5e8", "#f0b35a", "#c4a7ff", "#5eead4", "#f9a8d4", "#a4b3c0"],
};

/** Colour of the line at a place, from 0 on; after six they begin again, so a line needs a name or dashes too. */
export function lineColour(place: number, theme: "light" | "dark"): string {
  const colours = LINE_COLOURS[theme];
  return colours[place % colours.length] ?? "currentColor";
}

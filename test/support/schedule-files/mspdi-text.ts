/** Children of an element: texts, elements, or several of the same name. */
export type XmlNode = { readonly [name: string]: XmlContent | readonly XmlContent[] };
type XmlContent = string | number | XmlNode;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function element(name: string, content: XmlContent): string {
  const inner = typeof content === "object" ? elements(content) : escaped(String(content));
  return `<${name}>${inner}</${name}>`;
}

function elements(node: XmlNode): string {
  return Object.entries(node)
    .flatMap(([name, content]) =>
      Array.isArray(content)
        ? content.map((one) => element(name, one as XmlContent))
        : [element(name, content as XmlContent)],
    )
    .join("\n");
}

/** The text of an MS Project XML with these children of its root. */
export function mspdiText(project: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Project xmlns="http://schemas.microsoft.com/project">${elements(project)}</Project>\n`;
}

/** Working times as MSPDI has them; none: a free day. */
export const workingDay = (...hours: readonly (readonly [from: string, to: string])[]): XmlNode =>
  hours.length === 0
    ? { DayWorking: 0 }
    : {
        DayWorking: 1,
        WorkingTimes: {
          WorkingTime: hours.map(([from, to]) => ({
            FromTime: `${from}:00`,
            ToTime: `${to}:00`,
          })),
        },
      };

/** Five days of 08:00 to 12:00 and 13:00 to 17:00, the standard calendar of MS Project. */
export const STANDARD_WEEK: XmlNode = {
  WeekDay: [1, 2, 3, 4, 5, 6, 7].map((DayType) => ({
    DayType,
    ...(DayType > 1 && DayType < 7
      ? workingDay(["08:00", "12:00"], ["13:00", "17:00"])
      : workingDay()),
  })),
};

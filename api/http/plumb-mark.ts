/** The mark of the service, a plumb bob on its line, as SVG. */
export const PLUMB =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 1v11" stroke="#555" stroke-width="2"/><path d="M10 12h12v7l-6 12-6-12z" fill="#c2571a"/></svg>';

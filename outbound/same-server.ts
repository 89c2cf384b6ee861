/** Whether two URLs lead to the same server; credentials of one are not for another. */
export function isSameServer(url: string, other: string): boolean {
  // `origin` is "null" for mqtt.
  const { protocol, host } = new URL(url);
  const to = new URL(other);
  return protocol === to.protocol && host === to.host;
}

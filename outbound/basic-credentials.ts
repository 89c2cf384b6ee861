/** The `Authorization` header of RFC 7617, in UTF-8. */
export const basicCredentials = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

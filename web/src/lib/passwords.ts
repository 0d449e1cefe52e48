/** The server's rule; it also knows which passwords are tried first, and says so. */
export const SHORTEST_PASSWORD = 10;
export const PASSWORD_HINT = `At least ${SHORTEST_PASSWORD} characters, and none that everybody tries first.`;

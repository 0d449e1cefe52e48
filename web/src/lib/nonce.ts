/** The nonce with which this page may add styles at run time; the server makes a new one for every page load. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

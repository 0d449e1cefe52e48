/** The schemes of addresses of ours. They hold ids, so they are never shown. */
export const OWN_SCHEMES = ["doc", "schema_rev", "schema", "prompt_rev", "prompt", "tag", "sheet"];

/** Whether an address leads to something of ours. */
export function isOwn(address: string): boolean {
  return OWN_SCHEMES.some((scheme) => address.startsWith(`${scheme}:`));
}

/** The same picture as `public/icon.svg`, which the browser fetches once, for its tab. */
export function Logo({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <rect width="32" height="32" rx="7" fill="#1f5fbf" />
      <path d="M10 6h8l5 5v15H10z" fill="#fff" />
      <path d="M18 6l5 5h-5z" fill="#b8cdec" />
      <path d="M13 16h7M13 20h5" stroke="#1f5fbf" strokeWidth="1.8" strokeLinecap="round" />
    </svg>
  );
}

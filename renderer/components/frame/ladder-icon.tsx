import type { SVGProps } from 'react';

/** A ladder of prices: rungs of different length on both sides of a pole. */
export function LadderIcon(props: SVGProps<SVGSVGElement>) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
      {...props}
    >
      <path d="M12 3v18M8 6h4M5 12h7M7 18h5M12 9h4M12 15h7" />
    </svg>
  );
}

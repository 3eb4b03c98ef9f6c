import { shortHex } from './figures/counts.ts';

const ADDRESS = '0x[0-9a-fA-F]{40}(?![0-9a-fA-F])';
/** An address, or whatever stands up to the next one. */
const PARTS = new RegExp(`${ADDRESS}|(?:(?!${ADDRESS})[^])+`, 'g');

/** A sentence in a narrow place: addresses are cut in their middle, whole on hover, so that its end is read as well. */
export function Sentence({ text }: { text: string }) {
  return (
    <>
      {[...text.matchAll(PARTS)].map(({ 0: part, index }) =>
        new RegExp(`^${ADDRESS}$`).test(part) ? (
          <span key={index} className="mono" title={part}>
            {shortHex(part)}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}

/** What the desk says as the end of a sentence, as one of its own. */
export function asSentence(end: string): string {
  return `${end.charAt(0).toUpperCase()}${end.slice(1)}.`;
}

/** How hard a passphrase is to guess, as far as can be told from its look. */
export interface Strength {
  word: 'Weak' | 'Fair' | 'Strong';
  says: string;
  /** 0 to 100. */
  meter: number;
}

/** Whoever has the folder tries about a hundred a second on a machine of their own: these bits last them days, and centuries. */
const FAIR_BITS = 45;
const STRONG_BITS = 70;

/** What is chosen from when characters of a kind are in it. */
const KINDS = [
  { of: /[a-z]/, size: 26 },
  { of: /[A-Z]/, size: 26 },
  { of: /[0-9]/, size: 10 },
  { of: /[^a-zA-Z0-9]/, size: 20 },
];

/**
 * A look at length, kinds of characters, and repetition. It knows no words: a line of a song looks strong to it, which is why it
 * never says more than how it looks.
 */
export function strengthOf(passphrase: string): Strength {
  const bits = bitsOf(passphrase);
  const meter = Math.min(100, Math.round((bits / STRONG_BITS) * 100));
  if (bits < FAIR_BITS) return { word: 'Weak', says: 'whoever has the folder guesses it', meter };
  if (bits < STRONG_BITS) return { word: 'Fair', says: 'longer is better', meter };
  return { word: 'Strong', says: 'unless it is written somewhere', meter };
}

function bitsOf(passphrase: string): number {
  const characters = [...passphrase];
  const choice = KINDS.reduce((sum, { of, size }) => (of.test(passphrase) ? sum + size : sum), 0);
  // One that repeats or follows the one before it, as in "aaaa" and "1234", adds next to nothing.
  const fresh = characters.filter((character, index) => {
    const step = (character.codePointAt(0) ?? 0) - (characters[index - 1]?.codePointAt(0) ?? Number.NaN);
    return index === 0 || Math.abs(step) > 1;
  }).length;
  const variety = new Set(characters).size;
  return choice === 0 ? 0 : Math.min(fresh, variety * 2) * Math.log2(choice);
}

/** Letters and digits that nobody takes for one another; 32 of them, so that each is as likely as another in a byte. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 6;
const IN_A_GROUP = 4;

/** A passphrase that nobody guesses: 24 random characters in groups of four, 120 bits. */
export function madePassphrase(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * IN_A_GROUP));
  const letters = [...bytes].map((byte) => LETTERS[byte % LETTERS.length] ?? '');
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * IN_A_GROUP, (group + 1) * IN_A_GROUP).join(''),
  ).join('-');
}

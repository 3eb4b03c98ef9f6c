import { withoutKeys, withoutUrlKeys } from '../contract/sealed-url.ts';

/** How far down the causes of an error are told. */
const MOST_CAUSES = 5;

/**
 * An error that nobody expected, as it may be written down: what it and its causes say of themselves, never what else hangs
 * on them (the request that failed, with its headers). `secrets` are words that must not be told; what looks like one is not
 * told either: what follows a URL's origin, credentials, what is named a secret, and keys and signatures in hex.
 */
export function toldError(error: unknown, secrets: readonly string[]): string {
  const told: string[] = [];
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause !== undefined; depth += 1) {
    told.push(cause instanceof Error ? (cause.stack ?? `${cause.name}: ${cause.message}`) : wordOf(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return withoutSecrets(told.join('\ncaused by '), secrets);
}

/** The same in one line, without where it came from. */
export function toldInShort(error: unknown, secrets: readonly string[]): string {
  return withoutSecrets(error instanceof Error ? `${error.name}: ${error.message}` : wordOf(error), secrets);
}

const NAMED =
  'passphrase|password|secret(?:[-_]?key)?|(?:access|private|api)[-_]?key|authorization|(?:access[-_]?)?token';
const LOOKS_SECRET: [RegExp, string][] = [
  [/\b(basic|bearer)\s+[\w.~+/=-]{4,}/gi, '$1 …'],
  [new RegExp(`\\b(${NAMED})(["']?\\s*[:=]\\s*)(?:"[^"]*"|'[^']*'|[^\\s"',;&}]+)`, 'gi'), '$1$2…'],
  [/\b(?:0x)?[0-9a-f]{64,}\b/gi, '…'],
];

function withoutSecrets(said: string, secrets: readonly string[]): string {
  const known = withoutKeys(secrets, said);
  return LOOKS_SECRET.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), withoutUrlKeys(known));
}

/** Things that are thrown and are no errors say little of themselves. */
function wordOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null
    ? `something that is no error (${typeof thrown})`
    : String(thrown);
}

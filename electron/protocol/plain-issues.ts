import { z } from 'zod';

/** What each kind of value is called in a sentence that begins with "must be". */
const KINDS: Record<string, string> = {
  string: 'text in quotation marks',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object with named fields',
  record: 'an object with named fields',
  null: 'null',
  undefined: 'left out',
};

const FORMATS: Record<string, string> = {
  datetime: 'a time such as 2026-11-20T18:00:00Z',
  url: 'an address such as https://example.com',
  safeint: 'a whole number that is exact in every program (at most 9,007,199,254,740,991)',
};

const COUNTED: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries', map: 'entries' };

/**
 * What is wrong with a value whose schema says nothing of its own, as the rest of a sentence that begins with the name of
 * its field: "must be a whole number". Importing this file puts it in force for every schema of the process, so that no
 * sentence of the library reaches a person.
 */
function inPlainWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'written in another form'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return 'has a name that cannot be used';
    default:
      return 'does not have the right form';
  }
}

function bound(origin: string, how: string, limit: number | bigint): string {
  const counted = COUNTED[origin];
  if (counted === undefined) return `must be ${how} ${limit}`;
  if (counted === 'characters' && how === 'at least' && Number(limit) === 1) return 'must not be empty';
  return `must have ${how} ${limit} ${counted}`;
}

z.config({ localeError: inPlainWords });

import fc from 'fast-check';
import type { z } from 'zod';
import { EVENT_BODIES, type EventKind } from '../electron/journal/events.ts';
import { addressOf, hashOf } from './journal/sample-events.ts';

const MOST = (2n ** 256n - 1n).toString();

/** What an outsider, a hand or a node may write, at its worst; each schema takes what is legal for it. */
const TEXTS: readonly string[] = [
  ...['', '0', '1', '-1', '12.5', MOST, '9'.repeat(60), '9'.repeat(200), `0.${'0'.repeat(57)}1`],
  ...[`0.${'0'.repeat(109)}1`, `1.${'3'.repeat(110)}`, `${'8'.repeat(99)}.${'7'.repeat(100)}`, `-${'9'.repeat(80)}`],
  ...[addressOf('WETH'), addressOf('USDC'), addressOf('DAI'), `0x${'0'.repeat(40)}`, `0x${'F'.repeat(40)}`],
  ...[hashOf('a'), hashOf('b'), '0x', '0xff', 'WETH', 'USDC', 'WETH/USDC', 'DAI/USDC', 'a'.repeat(64), 'b'.repeat(500)],
  `${hashOf('r')}${hashOf('s').slice(2)}1b`,
  ...['<b>&"\'', 'a,b\r\n"c"', '\u0000', '\u202Eobmuj', '💥', '=1+1', 'NaN', 'Infinity', '__proto__'],
  ...[
    '2026-11-20T12:00:00Z',
    'http://127.0.0.1:1',
    'http://127.0.0.1:1/x',
    '/31337',
    '203.0.113.7',
    '2001:db8::7',
    '203.0.113.0/24',
    '2001:db8::/32',
    'practice',
    'prices',
    'trade,settings',
    'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1',
  ],
];
const NUMBERS: readonly number[] = [
  ...[0, 1, -1, 2, 18, 77, 150, 1_000, 1.5, 1e300, -1e300, 5e-324, Date.UTC(2026, 10, 1)],
  ...[Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 8_640_000_000_000_001, 253_402_300_800_000],
];

/** What a field of some name holds in every event, so that events speak of each other. */
export type Named = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Bodies that an event's schema allows, most of them at an end of what it allows. */
export function extremeBody(kind: EventKind, named: Named): fc.Arbitrary<Record<string, unknown>> {
  return extreme(EVENT_BODIES[kind], named) as fc.Arbitrary<Record<string, unknown>>;
}

/** Values that a schema takes. Throws where it is of a form nobody has taught this, or none of the values above fits. */
export function extreme(schema: z.core.$ZodType, named: Named): fc.Arbitrary<unknown> {
  const inner = (part: z.core.$ZodType) => extreme(part, named);
  const { def } = schema._zod as unknown as { def: Def };
  switch (def.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, part]) => [name, named[name] ?? inner(part)])),
      );
    case 'array':
      return fc.array(inner(need(def.element)), { minLength: 1, maxLength: 3 });
    case 'tuple':
      return fc.tuple(...(def.items ?? []).map(inner));
    case 'record':
      return fc.dictionary(inner(need(def.keyType)) as fc.Arbitrary<string>, inner(need(def.valueType)), {
        maxKeys: 2,
      });
    case 'union':
      return fc.oneof(...(def.options ?? []).map(inner));
    case 'nullable':
      return fc.option(inner(need(def.innerType)), { nil: null });
    case 'optional':
      return fc.option(inner(need(def.innerType)), { nil: undefined });
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return inner(need(def.innerType));
    case 'boolean':
      return fc.boolean();
    case 'unknown':
      return fc.constantFrom<unknown>(null, 1, MOST, { a: [MOST] });
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    default: {
      const legal = [...TEXTS, ...NUMBERS].filter((value) => (schema as z.ZodType).safeParse(value).success);
      if (legal.length > 0) return fc.constantFrom(...legal);
      throw new Error(`Nothing here fits a schema of the form ${def.type}: add a value that does.`);
    }
  }
}

interface Def {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  items?: z.core.$ZodType[];
  keyType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  values?: unknown[];
  entries?: Record<string, unknown>;
}

function need<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('A schema without its part.');
  return part;
}

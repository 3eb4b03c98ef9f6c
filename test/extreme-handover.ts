import type { Handover } from '../electron/contract/handover.ts';
import { EVENT_GROUPS, type EventGroup } from '../electron/contract/journal.ts';
import { byPart } from '../electron/contract/results.ts';
import { addressOf, START } from './journal/sample-events.ts';

const DAY = 86_400_000;
const MOST = (2n ** 256n - 1n).toString();
const HUGE = `${'9'.repeat(78)}.99`;
/** As wide as letters come, in scripts of both directions, with what steers a line and what no font has. */
const WIDE = '\u202EWWWW 株式会社 العربية 💥\n';
const named = (text: string, letters: number) => `${text} ${WIDE}${'W'.repeat(letters)}`.slice(0, letters);
const GROUPS = Object.keys(EVENT_GROUPS) as EventGroup[];

const RESULT = {
  fills: Number.MAX_SAFE_INTEGER,
  unpriced: Number.MAX_SAFE_INTEGER,
  unreadable: Number.MAX_SAFE_INTEGER,
  volume: HUGE,
  parts: byPart(() => HUGE),
  missing: byPart(() => Number.MAX_SAFE_INTEGER),
  markout: HUGE,
  costs: `-${HUGE}`,
  net: `-${HUGE}`,
  netBps: 1_000_000,
  open: Number.MAX_SAFE_INTEGER,
  valuedAt: START,
  young: { fills: Number.MAX_SAFE_INTEGER, net: HUGE },
};

/** A day on which there was more of everything than fits on any page, each as long and as large as its type allows. */
export function extremeHandover(): Handover {
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  const event = (seq: number) => {
    const sentence = [{ text: named(`did thing ${seq}`, 200) }, { text: 'x'.repeat(500), as: 'said' as const }];
    const about = { chainId: 31_337 + (seq % 200), pair: named(`PAIR${seq}`, 64), about: {} };
    return {
      seq,
      time: START + seq,
      actor: named(`person ${seq}`, 60),
      kind: 'trading_state',
      name: 'x',
      sentence,
      ...about,
    };
  };
  return {
    date: '2026-11-01',
    zone: 'America/Argentina/ComodRivadavia',
    since: START,
    until: START + DAY,
    chains: times(200, (index) => ({ chainId: 31_337 + index, name: named(`Chain ${index}`, 200) })),
    signed: Number.MAX_SAFE_INTEGER,
    refused: times(60, (index) => ({
      code: `${'a_very_long_code_'.repeat(5)}${index}`,
      count: Number.MAX_SAFE_INTEGER,
    })),
    withheld: Number.MAX_SAFE_INTEGER,
    results: {
      now: START + DAY,
      rows: times(100, (index) => ({
        ...RESULT,
        chainId: 31_337 + (index % 200),
        pair: named(`PAIR${index}`, 64),
        user: null,
        counterparty: null,
      })),
      more: 1_000,
      all: RESULT,
      noFill: { count: 9_999, unpriced: 9_999, gas: `-${HUGE}`, fees: `-${HUGE}`, costs: `-${HUGE}` },
      netOfTime: `-${HUGE}`,
    },
    done: times(300, (index) => ({ ...event(index + 1), group: GROUPS[index % GROUPS.length] ?? null })),
    leftOut: Number.MAX_SAFE_INTEGER - 10_000,
    doers: times(100, (index) => ({
      actor: named(`person ${index}`, 60),
      count: Number.MAX_SAFE_INTEGER,
      groups: GROUPS.map((group) => ({ group, count: Number.MAX_SAFE_INTEGER })),
    })),
    seals: times(101, event),
    open: {
      at: START + DAY,
      state: 'HALTED',
      reason: named('why', 500),
      actor: named('person', 60).trim(),
      since: START,
      exposure: times(40, (index) => ({
        chainId: 31_337 + index,
        tokenId: named(`T${index}`, 64),
        address: addressOf(`token ${index}`),
        decimals: index % 2 === 0 ? 0 : 255,
        live: MOST,
        quotes: Number.MAX_SAFE_INTEGER,
        zeroAt: Number.MAX_SAFE_INTEGER,
        balance: MOST,
        allowance: MOST,
      })),
      attention: times(60, (index) => ({
        code: `code ${index}`,
        level: (['stop', 'look', 'note'] as const)[index % 3] ?? 'note',
        title: named(`Title ${index}`, 200),
        detail: named('Detail', 2_000),
      })),
      off: times(500, (index) => `${named(`PAIR${index}`, 64)} on ${31_337 + (index % 200)}`),
    },
  };
}

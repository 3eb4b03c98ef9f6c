import { expect, test } from 'vitest';
import type { Stop } from '../../electron/contract/stops.ts';
import { lastedText, resumeText, scopeText, whyLines } from '../../renderer/pages/stops/stop-text.ts';

const CHAINS = [{ chainId: 1, name: 'Ethereum' }];

function stop(began: Partial<Stop['began']>, words: Partial<Stop['words'][number]>[] = []): Stop {
  return {
    id: 1,
    scope: {},
    began: { seq: 1, at: 100, actor: 'ana', what: 'halted', reason: null, cause: null, ...began },
    words: words.map((word, index) => ({
      seq: index + 2,
      at: 200 + index,
      actor: 'ana',
      what: 'explained' as const,
      reason: null,
      cause: null,
      ...word,
    })),
    ended: null,
  };
}
const said = (of: Stop) => whyLines(of).map(({ text, by }) => (by === null ? text : `${text} | ${by.actor} ${by.at}`));

test('a scope is named as a trader names it, with the chain beside a pair', () => {
  expect(scopeText({}, CHAINS)).toEqual({ what: 'The whole desk', where: null });
  expect(scopeText({ chainId: 1 }, CHAINS)).toEqual({ what: 'Ethereum', where: null });
  expect(scopeText({ chainId: 1, pair: 'A/B' }, CHAINS)).toEqual({ what: 'A/B', where: 'Ethereum' });
  expect(scopeText({ chainId: 2, pair: 'A/B', side: 'asks' }, CHAINS)).toEqual({ what: 'A/B asks', where: 'chain 2' });
});

test('what starts it again is called as on the other pages', () => {
  expect([{}, { chainId: 1 }].map(resumeText)).toEqual(['Resume…', 'Resume…']);
  expect(resumeText({ chainId: 1, pair: 'A/B' })).toBe('Switch it on…');
  expect(resumeText({ chainId: 1, pair: 'A/B', side: 'bids' })).toBe('Switch bids on…');
});

test('a halt without words says so, and words that were added stand behind it with their speaker', () => {
  expect(said(stop({}))).toEqual(['No reason given.']);
  expect(said(stop({}, [{ reason: 'the feed froze (ben)', actor: 'ben' }]))).toEqual(['the feed froze | ben 200']);
  expect(said(stop({ reason: 'drill' }, [{ reason: 'more to it', at: 60_100 }]))).toEqual([
    'drill',
    'more to it | ana 60100',
  ]);
});

test('words that the same person adds at once repeat neither name nor time; those of another do', () => {
  expect(said(stop({}, [{ reason: 'the feed froze', at: 60_099 }]))).toEqual(['the feed froze']);
  expect(said(stop({}, [{ reason: 'the feed froze', at: 101, actor: 'ben' }]))).toEqual(['the feed froze | ben 101']);
});

test('a stop lasts as long as the times beside it are apart', () => {
  expect(lastedText(1_990, 2_010)).toBe('1\u00a0s');
  expect(lastedText(1_010, 1_990)).toBe('0\u00a0s');
});

test('what the desk did by itself has its rule, and lacks no reason', () => {
  expect(said(stop({ actor: 'desk', cause: 'The journal cannot be written.' }))).toEqual([
    'The journal cannot be written.',
  ]);
  expect(said(stop({ what: 'imported' }))).toEqual(['Switched off in a desk file that was imported.']);
});

test('the end of a drain does not repeat its reason, and another halt in it has its own', () => {
  const drained = stop({ what: 'drained', reason: 'end of day' }, [
    { what: 'halted', reason: 'end of day', cause: 'The drain came to its end.' },
    { what: 'halted', reason: 'to be sure', actor: 'ben' },
  ]);
  expect(said(drained)).toEqual([
    'end of day',
    'The drain came to its end. | ana 200',
    'Halted again. | ben 201',
    'to be sure | ben 201',
  ]);
});

test('a drain that somebody cuts short says so', () => {
  const cut = stop({ what: 'drained', reason: 'end of day' }, [{ what: 'halted', actor: 'ben' }]);
  expect(said(cut)).toEqual(['end of day', 'Halted before the drain was over. | ben 200']);
});

test('a person who gave no reason for a drain is told beside what followed by itself', () => {
  const drained = stop({ what: 'drained' }, [{ what: 'halted', cause: 'The drain came to its end.' }]);
  expect(said(drained)).toEqual(['No reason given.', 'The drain came to its end. | ana 200']);
});

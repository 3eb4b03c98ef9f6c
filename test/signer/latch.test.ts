import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../electron/contract/trading.ts';
import { Latch } from '../../electron/signer/latch.ts';

const quote = { chainId: 1, pair: 'WETH/USDC', side: 'asks' } as const;

function latchOnCounter() {
  let ticks = 0;
  return new Latch(() => ++ticks);
}

describe('the latch', () => {
  it.each<[string, Scope, boolean]>([
    ['the desk', {}, false],
    ['its chain', { chainId: 1 }, false],
    ['its pair', { chainId: 1, pair: 'WETH/USDC' }, false],
    ['its side', { chainId: 1, pair: 'WETH/USDC', side: 'asks' }, false],
    ['another chain', { chainId: 2 }, true],
    ['the same pair of another chain', { chainId: 2, pair: 'WETH/USDC' }, true],
    ['another pair', { chainId: 1, pair: 'WBTC/USDC' }, true],
    ['the other side', { chainId: 1, pair: 'WETH/USDC', side: 'bids' }, true],
  ])('after a stop of %s', (_, scope, holds) => {
    const latch = latchOnCounter();
    const reading = latch.read(quote);
    latch.advance(scope);
    expect(latch.holds(reading)).toBe(holds);
    expect(latch.holds(latch.read(quote))).toBe(true);
  });

  it('hands nothing over after a stop, and stamps each release before the stops that follow it', () => {
    const latch = latchOnCounter();
    const [early, late] = [latch.read(quote), latch.read(quote)];
    const handed: string[] = [];
    const released = latch.release(early, () => handed.push('early'));
    const stopped = latch.advance({});
    expect(latch.release(late, () => handed.push('late'))).toBe(null);
    expect(handed).toEqual(['early']);
    expect(released).toBeLessThan(stopped);
  });

  it('does not confuse scopes whose names hold separators', () => {
    const latch = latchOnCounter();
    const reading = latch.read({ chainId: 1, pair: 'bids/A', side: 'asks' });
    latch.advance({ chainId: 1, pair: 'A', side: 'bids' });
    latch.advance({ chainId: 1, pair: '/bids/A' });
    expect(latch.holds(reading)).toBe(true);
  });

  it('releases exactly what no covering stop came for, over any order of reads, stops and releases', () => {
    const chainId = fc.constantFrom(1, 2);
    const pair = fc.constantFrom('A/B', 'C/D');
    const side = fc.constantFrom<'bids' | 'asks'>('bids', 'asks');
    const scope: fc.Arbitrary<Scope> = fc.oneof(
      fc.constant({}),
      fc.record({ chainId }),
      fc.record({ chainId, pair }),
      fc.record({ chainId, pair, side }),
    );
    const step = fc.oneof(
      fc.record({ kind: fc.constant('read' as const), at: fc.record({ chainId, pair, side }) }),
      fc.record({ kind: fc.constant('stop' as const), scope }),
      fc.record({ kind: fc.constant('release' as const), which: fc.nat() }),
    );
    const releases = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const latch = latchOnCounter();
      const open: { reading: ReturnType<Latch['read']>; at: Required<Scope>; stopped: boolean }[] = [];
      for (const s of steps) {
        if (s.kind === 'read') open.push({ reading: latch.read(s.at), at: s.at, stopped: false });
        if (s.kind === 'stop') {
          latch.advance(s.scope);
          const covers = (at: Scope) =>
            (['chainId', 'pair', 'side'] as const).every((k) => s.scope[k] === undefined || s.scope[k] === at[k]);
          for (const quoted of open) quoted.stopped ||= covers(quoted.at);
        }
        const chosen = s.kind === 'release' && open.length > 0 ? open[s.which % open.length] : undefined;
        if (chosen) expect(latch.release(chosen.reading, () => {}) === null).toBe(chosen.stopped);
      }
    });
    return fc.assert(releases);
  });
});

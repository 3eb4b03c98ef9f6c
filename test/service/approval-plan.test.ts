import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../electron/protocol/address.ts';
import { NATIVE_TOKEN } from '../../electron/protocol/route-token.ts';
import { typedDataHash } from '../../electron/protocol/typed-data.ts';
import { type ApprovalAsk, planApproval } from '../../electron/service/approval-plan.ts';
import { type Spender, spenderOf } from '../../electron/service/spender.ts';
import {
  envelope,
  INTENT,
  intentPrice,
  intentRoute,
  OWNER,
  priceRoute,
  ROUTER,
  WETH,
} from '../protocol/wire-samples.ts';

const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const intent = spenderOf({ intent: intentPrice() as never }) as Spender;
const allowance = { chainId: 31337, token: WETH, owner: OWNER, spender: INTENT, amount: 5_000n };
const ask = (change: Partial<ApprovalAsk> = {}, held = 0n): ApprovalAsk => ({
  spender: intent,
  mode: 'intent',
  deployed: true,
  settlement: 'now',
  chainId: 31337,
  owner: OWNER,
  amount: 1_000n,
  prefer: 'approve',
  permitDeadline: 1_800_000_000n,
  token: { chainId: 31337, address: WETH, zeroFirst: false, permitRequired: false, permit: null },
  allowance: { ...allowance, amount: held },
  ...change,
});
const token = (change: Partial<ApprovalAsk['token']>) => ({ token: { ...ask().token, ...change } });
const eip2612 = { kind: 'eip2612', domain: { name: 'WETH', version: '1' }, nonce: 3n } as const;
const permit2 = { kind: 'permit2', contract: PERMIT2, nonce: 4n, allowance: 1_000n } as const;

describe('the contract to approve', () => {
  it('comes from the shape of the answer', () => {
    expect(intent).toEqual({ mode: 'intent', chainId: 31337, address: INTENT });
    const { spender: _, ...inside } = intentPrice();
    expect(spenderOf({ intent: inside as never })).toEqual(intent);
    expect(spenderOf({ intent: { route: intentRoute() as never, spender: INTENT } })).toEqual(intent);
    const router = { mode: 'market', chainId: 31337, address: ROUTER };
    expect(spenderOf({ market: priceRoute() as never })).toEqual(router);
    expect(spenderOf({ transaction: envelope() as never })).toEqual(router);
  });

  it('is nobody where none is named, and an answer that names two is refused', () => {
    expect(spenderOf({ intent: { route: intentRoute() as never } })).toBeNull();
    expect(spenderOf({ intent: { route: intentRoute() as never, spender: `0x${'0'.repeat(40)}` } })).toBeNull();
    expect(() => spenderOf({ intent: { ...intentPrice(), spender: ROUTER } as never })).toThrow(/two contracts/);
  });
});

describe('an approval', () => {
  it('is not needed for the native asset', () => {
    expect(planApproval(ask({ ...token({ address: NATIVE_TOKEN }), allowance: null }))).toEqual({ kind: 'none' });
  });

  it('is skipped from the very amount on', () => {
    expect(planApproval(ask({}, 1_000n))).toEqual({ kind: 'skip' });
    expect(planApproval(ask({}, 999n))).toMatchObject({ kind: 'approve', spender: INTENT, amounts: [1_000n] });
  });

  it('goes through zero for tokens that need it, unless it is zero', () => {
    expect(planApproval(ask(token({ zeroFirst: true }), 5n))).toMatchObject({ amounts: [0n, 1_000n] });
    expect(planApproval(ask(token({ zeroFirst: true }), 0n))).toMatchObject({ amounts: [1_000n] });
    const plan = planApproval(ask({ ...token({ zeroFirst: true }), prefer: 'approve_without_end' }, 5n));
    expect(plan).toMatchObject({ amounts: [0n, 2n ** 256n - 1n] });
  });

  it.each([eip2612, permit2])('is a signature where that is wanted and the token has it: $kind', (permit) => {
    const plan = planApproval(ask({ ...token({ permit }), prefer: 'permit' }));
    expect(plan).toMatchObject({
      kind: 'permit',
      way: permit.kind,
      permit: { spender: INTENT, amount: 1_000n, nonce: permit.nonce, deadline: 1_800_000_000n, chainId: 31337 },
    });
    if (plan.kind === 'permit') expect(typedDataHash(plan.toSign)).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('is a transaction for what is settled later, and for Permit2 without its own allowance', () => {
    const later = { ...token({ permit: eip2612 }), prefer: 'permit', settlement: 'later' } as const;
    expect(planApproval(ask(later))).toMatchObject({ kind: 'approve' });
    const short = token({ permit: { ...permit2, allowance: 999n } });
    expect(planApproval(ask({ ...short, prefer: 'permit' }))).toMatchObject({ kind: 'approve' });
  });

  it('of a token that takes permits only is a permit even with an allowance, and never a transaction', () => {
    const only = token({ permit: eip2612, permitRequired: true });
    expect(planApproval(ask(only, 5_000n))).toMatchObject({ kind: 'permit' });
    expect(planApproval(ask({ ...only, settlement: 'later' }))).toMatchObject({ code: 'permit_required' });
    const sentence = expect.stringMatching(/chain 31337 no Permit2 that this desk knows/);
    expect(planApproval(ask(token({ permitRequired: true })))).toMatchObject({ code: 'permit_required', sentence });
    expect(planApproval(ask(token({ permitRequired: true, permit: { ...permit2, allowance: 999n } })))).toMatchObject({
      code: 'permit_required',
      sentence: expect.stringMatching(/may not take so much/),
    });
  });

  it.each<[string, Partial<ApprovalAsk>]>([
    ['no_route', { spender: null }],
    ['mode_differs', { mode: 'market' }],
    ['chains_differ', { chainId: 31338 }],
    ['chains_differ', token({ chainId: 31338 })],
    ['chains_differ', { spender: { ...intent, chainId: 31338 } }],
    ['chains_differ', { allowance: { ...allowance, chainId: 31338 } }],
    ['mode_unavailable', { deployed: false }],
    ['allowance_of_other', { allowance: null }],
    ['allowance_of_other', { allowance: { ...allowance, spender: ROUTER } }],
    ['allowance_of_other', { allowance: { ...allowance, owner: ROUTER } }],
    ['allowance_of_other', { allowance: { ...allowance, token: ROUTER } }],
  ])('is refused as %s', (code, change) => {
    expect(planApproval(ask(change, 5_000n))).toMatchObject({
      kind: 'refused',
      code,
      sentence: expect.stringMatching(/\.$/),
    });
  });
});

it('whatever is asked, nobody but the spender of the quote is allowed anything, and never less than the amount', () => {
  const modes = ['intent', 'market', 'rfq'] as const;
  const arbitrary = fc.record({
    quoted: fc.constantFrom(...modes),
    mode: fc.constantFrom(...modes),
    chain: fc.constantFrom(31337, 31338),
    held: fc.bigInt(0n, 2_000n),
    amount: fc.bigInt(1n, 2_000n),
    zeroFirst: fc.boolean(),
    permitRequired: fc.boolean(),
    permit: fc.constantFrom(null, eip2612, permit2),
    prefer: fc.constantFrom('approve' as const, 'approve_without_end' as const, 'permit' as const),
    settlement: fc.constantFrom('now' as const, 'later' as const),
  });
  fc.assert(
    fc.property(arbitrary, ({ quoted, chain, held, zeroFirst, permitRequired, permit, ...said }) => {
      const plan = planApproval(
        ask(
          {
            ...said,
            ...token({ zeroFirst, permitRequired, permit }),
            spender: { ...intent, mode: quoted, chainId: chain },
          },
          held,
        ),
      );
      if (quoted !== said.mode || chain !== 31337) expect(plan.kind).toBe('refused');
      if (plan.kind === 'skip') expect(held).toBeGreaterThanOrEqual(said.amount);
      if (plan.kind === 'approve') {
        expect([plan.spender, plan.token, plan.chainId]).toEqual([INTENT, WETH, 31337]);
        expect(held).toBeLessThan(said.amount);
        expect(permitRequired).toBe(false);
        expect(plan.amounts.at(-1)).toBeGreaterThanOrEqual(said.amount);
        expect(plan.amounts.length).toBe(zeroFirst && held > 0n ? 2 : 1);
        if (plan.amounts.length === 2) expect(plan.amounts[0]).toBe(0n);
      }
      if (plan.kind === 'permit') {
        expect(said.settlement).toBe('now');
        expect(plan.permit).toMatchObject({ spender: INTENT, token: WETH, owner: OWNER, amount: said.amount });
        if (permit?.kind === 'permit2') expect(said.amount).toBeLessThanOrEqual(permit.allowance);
      }
    }),
    { numRuns: 500 },
  );
});

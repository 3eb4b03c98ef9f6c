import { expect, test } from 'vitest';
import { type Facts, missingOf, stepsOf as stepsOfEach } from '../../renderer/pages/first-start/steps.ts';

const NOTHING: Facts = {
  signer: null,
  chain: null,
  tokens: [],
  pairs: [],
  counterparties: [],
  takers: 0,
  surfaceUrl: 'http://127.0.0.1:8787',
  outlook: null,
};
const WHOLE: Facts = {
  signer: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
  chain: { name: 'Ethereum', chainId: 1, fault: null },
  tokens: [
    { tokenId: 'WETH', allowance: 10n, isPaid: true },
    { tokenId: 'USDC', allowance: 5n, isPaid: true },
  ],
  pairs: [{ pair: 'WETH/USDC', isPriced: true }],
  counterparties: [{ domain: 'router', hasSecret: true }],
  takers: 2,
  surfaceUrl: 'http://127.0.0.1:8787',
  outlook: { failed: [], refused: null, starts: 1 },
};

const stepsOf = (facts: Facts) => stepsOfEach([facts])[0] ?? [];
const stateOf = (facts: Facts, id: string) => stepsOf(facts).find((step) => step.id === id);
const states = (facts: Facts) => Object.fromEntries(stepsOf(facts).map(({ id, state }) => [id, state]));

test('a desk that was only unlocked has everything before it, and each step that waits says for what', () => {
  expect(states(NOTHING)).toEqual({
    passphrase: 'done',
    key: 'todo',
    network: 'later',
    tokens: 'later',
    approvals: 'later',
    ladders: 'later',
    counterparty: 'todo',
    takers: 'later',
    surface: 'done',
    check: 'later',
    live: 'later',
  });
  expect(stateOf(NOTHING, 'network')?.says).toBe('after the key');
});

test('with everything there, nothing is missing but going live', () => {
  expect(stepsOf(WHOLE).filter(({ state }) => state !== 'done')).toEqual([
    { id: 'live', name: 'Go live', state: 'todo', says: 'asks for a reason', missing: null },
  ]);
});

test.each<[string, Partial<Facts>, string, string]>([
  [
    'a token without an approval',
    { tokens: WHOLE.tokens.map((token) => ({ ...token, allowance: 0n })) },
    'approvals',
    'WETH, USDC',
  ],
  [
    'a node that does not answer',
    { chain: { name: 'Ethereum', chainId: 1, fault: 'The node is away.' } },
    'network',
    'The node is away.',
  ],
  ['a pair without prices', { pairs: [{ pair: 'WETH/USDC', isPriced: false }] }, 'ladders', 'One level on each side'],
  [
    'a counterparty without its secret',
    { counterparties: [{ domain: 'router', hasSecret: false }] },
    'counterparty',
    '401',
  ],
  ['no taker', { takers: 0 }, 'takers', 'Execution contracts'],
  [
    'a failed check',
    { outlook: { failed: ['Correct the domain name.'], refused: null, starts: 0 } },
    'check',
    'Correct the domain name.',
  ],
])('%s keeps the desk from going live, and is named', (_what, change, id, says) => {
  const steps = stepsOf({ ...WHOLE, ...change });
  const step = steps.find((one) => one.id === id);
  expect(step?.state).not.toBe('done');
  expect(step?.missing?.detail).toContain(says);
  expect(steps.at(-1)?.state).toBe('later');
});

test('what the chain has not said yet is not taken for approved', () => {
  const tokens = WHOLE.tokens.map((token) => ({ ...token, allowance: null }));
  expect(stateOf({ ...WHOLE, tokens }, 'approvals')?.state).toBe('later');
});

test('a token that no ladder pays needs no approval', () => {
  const tokens = [...WHOLE.tokens, { tokenId: 'DAI', allowance: 0n, isPaid: false }];
  expect(stateOf({ ...WHOLE, tokens }, 'approvals')?.state).toBe('done');
});

test('a fault of the self-check is said as soon as it is found, also while other things are missing', () => {
  const outlook = { failed: ['DAI has 18 decimals on chain, but it is listed with 6.'], refused: null, starts: 0 };
  expect(stateOf({ ...WHOLE, takers: 0, outlook }, 'check')).toMatchObject({ state: 'fault', says: '1 fault' });
});

test('with several chains the self-check waits for all of them, and what one misses is named with it, what they share once', () => {
  const second: Facts = {
    ...WHOLE,
    chain: { name: 'Polygon', chainId: 137, fault: null },
    pairs: [],
    takers: 0,
    counterparties: [],
  };
  const chains = [{ ...WHOLE, counterparties: [] }, second];
  const [ethereum = [], polygon = []] = stepsOfEach(chains);
  expect(ethereum.find(({ id }) => id === 'ladders')?.state).toBe('done');
  expect(ethereum.find(({ id }) => id === 'check')?.state).toBe('later');
  const missing = missingOf([
    { name: 'Ethereum', steps: ethereum },
    { name: 'Polygon', steps: polygon },
  ]);
  expect(missing.map(({ title }) => title)).toEqual([
    'Counterparty’s secret',
    'Self-check',
    'Polygon: A pair with a ladder',
    'Polygon: Takers',
  ]);
  const both = stepsOfEach([WHOLE, { ...second, pairs: WHOLE.pairs, takers: 2, counterparties: WHOLE.counterparties }]);
  expect(both.map((steps) => steps.find(({ id }) => id === 'check')?.state)).toEqual(['done', 'done']);
});

test('the network says how fresh its node is, and the approvals that are missing what their gas comes to together', () => {
  const chain = { name: 'Ethereum', chainId: 1, fault: null, head: 'head 6 s · 31 ms' };
  expect(stateOf({ ...WHOLE, chain }, 'network')?.says).toBe('Ethereum (1) · head 6 s · 31 ms');
  const tokens = WHOLE.tokens.map((token) => ({ ...token, allowance: 0n }));
  const step = stateOf({ ...WHOLE, tokens, approvalGas: '0.000417 ETH, $1.42' }, 'approvals');
  expect(step?.says).toBe('2 to approve · 0.000417 ETH, $1.42');
  expect(step?.missing?.detail).toBe('WETH, USDC: a transaction each, about 0.000417 ETH, $1.42 together.');
});

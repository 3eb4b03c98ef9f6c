import { expect, test, vi } from 'vitest';
import { readStillLive } from '../../electron/hedge/still-live.ts';
import { CHAIN, DAI } from '../book/fixture.ts';
import { openDesk } from '../quoting/open-desk.ts';
import { type ScriptedAnswer, type ScriptedCall, serveNode } from './scripted-node.ts';

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const refusal: ScriptedAnswer = { error: { code: -32_000, message: 'gas required exceeds allowance' } };
/** An answer to a question that nobody asked: the one that was asked has none, and so the batch is none. */
const another = { id: 999_999, result: '0x' } as ScriptedAnswer;

test.each([
  ['refuses its call', refusal],
  ['keeps the node from answering', another],
])('a token that %s hides no allowance of the others when somebody looks for what is live', async (_what, ofDai) => {
  const node = await serveNode(({ method, params }: ScriptedCall): ScriptedAnswer => {
    if (method === 'eth_chainId') return { result: `0x${CHAIN.toString(16)}` };
    if (method === 'eth_getBlockByNumber') {
      const timestamp = `0x${Math.floor(Date.now() / 1_000).toString(16)}`;
      return {
        result: { number: '0x10', hash: word(16), parentHash: word(15), timestamp, logsBloom: `0x${'0'.repeat(512)}` },
      };
    }
    return (params[0] as { to: string }).to === DAI ? ofDai : { result: word(7) };
  });
  const { book, guard, journal } = await openDesk({ chain: { rpcUrl: node.url } });
  await vi.waitFor(async () => {
    const { chains, nothing } = await readStillLive({ book, guard, journal, now: Date.now });
    const [chain] = chains;
    expect(new Set(chain?.allowances.map(({ token, amount }) => `${amount} ${token.symbol}`))).toEqual(
      new Set(['7 WETH', '7 USDC']),
    );
    expect(chain?.unknown.length).toBeGreaterThan(0);
    expect(chain?.unknown.filter((why) => !why.startsWith('DAI does not say what'))).toEqual([]);
    expect([chain?.block?.number, nothing]).toEqual([16, false]);
  });
});

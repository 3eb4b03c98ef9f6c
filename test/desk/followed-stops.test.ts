import { expect, onTestFinished, test } from 'vitest';
import { Outside } from '../../electron/desk/outside.ts';
import { CHAIN } from '../book/fixture.ts';
import { firm, openDesk, person } from '../quoting/open-desk.ts';
import { answering, json } from '../service/http-answers.ts';

const PAIR = 'WETH/USDC';

test.each([
  { what: 'a pair', scope: { chainId: CHAIN, pair: PAIR }, quoted: undefined },
  { what: 'its bids', scope: { chainId: CHAIN, pair: PAIR, side: 'bids' as const }, quoted: '345030000' },
])(
  'whoever stops $what stops no following: what is quoted of it meanwhile and after the resume stands on the reference',
  async ({ scope, quoted }) => {
    const said = { mid: '3412.75' };
    const reference = await answering((request, response) =>
      json({ prices: { [PAIR]: { mid: said.mid, time: desk.now() } } })(request, response),
    );
    const desk = await openDesk({
      chain: {
        referenceUrl: reference.url,
        referenceMaxAgeSeconds: 600,
        referenceCoolDownSeconds: 0,
        headMaxAgeSeconds: 3_600,
        follow: [PAIR],
      },
    });
    const credentials = { serviceKeyOf: () => undefined };
    const log = { info() {}, warn() {}, error() {} };
    const rooms = { ...desk, credentials, log } as unknown as Parameters<typeof Outside.open>[0];
    const outside = await Outside.open(rooms, { practice: false });
    outside.references.start();
    onTestFinished(() => outside.stop());
    const bestAsk = () => desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.ladder.asks[0]?.[0];
    /** The reference says this a few seconds later, and the desk has heard it. */
    const hear = async (mid: string) => {
      said.mid = mid;
      desk.clock.ahead += 5_000;
      desk.chain.view = { ...desk.chain.view, seenAt: desk.now() } as typeof desk.chain.view;
      await expect.poll(() => desk.book.references.of(CHAIN, PAIR)).toMatchObject({ mid, heldBack: null });
    };
    await hear('3412.75');

    await desk.guard.trading.halt(scope, person);
    await hear('3450');
    expect(bestAsk()).toBe('3450.3');
    expect((await firm(desk)).order?.takerAmount, 'what is still on is quoted where the market is').toBe(quoted);

    await hear('3430');
    await desk.guard.trading.resume(scope, person);
    expect(desk.book.chain(CHAIN)?.config.follow).toEqual([PAIR]);
    expect((await firm(desk)).order?.takerAmount).toBe('343030000');
  },
);

import * as fc from 'fast-check';
import { recoverAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteSignerSchema } from '../../electron/contract/remote-signer.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { domainSeparator, fromWireOrder, orderHash } from '../../electron/protocol/order-hash.ts';
import type { SignedOrder } from '../../electron/protocol/wire.ts';
import { openRemoteSigner } from '../../electron/signer/remote/remote-signer.ts';
import { address, CHAIN, WETH } from '../book/fixture.ts';
import { openSigningServer, type SigningServer } from '../signer/signing-server.ts';
import {
  type Answered,
  type DeskChanges,
  ETHER,
  firm,
  type OpenDesk,
  openDesk,
  person,
  quotes,
  request,
  seen,
  signer,
} from './open-desk.ts';

let server: SigningServer;
beforeEach(async () => {
  server = await openSigningServer(`0x${'4c'.repeat(32)}`);
});
afterEach(() => server.close().catch(() => {}));

/** A desk whose key is at the server. */
async function deskWithRemoteKey({ timeoutMs = 10_000, ...changes }: DeskChanges & { timeoutMs?: number } = {}) {
  const { address } = signer;
  const config = remoteSignerSchema.parse({ kind: 'json-rpc', address, url: server.url, timeoutMs });
  const key = openRemoteSigner(config, () => {});
  const desk = await openDesk({ ...changes, quoter: { signerFor: () => key, ...changes.quoter } });
  return { ...desk, key };
}

const DOMAIN = { domainName: 'PRACTICE RFQ', chainId: CHAIN, rfqContract: address('e') };
const hashOf = (order: SignedOrder) => orderHash(domainSeparator(DOMAIN), fromWireOrder(order));
const live = (desk: OpenDesk) => desk.guard.orders.of(CHAIN).exposure.live(WETH);

/** Asks as a counterparty whose requests are signed. */
function asks(desk: OpenDesk, signature: string): Promise<Answered> {
  return new Promise((resolve) => {
    const { now, clock } = desk;
    const body = Buffer.from(JSON.stringify(request()));
    const input = {
      chainId: CHAIN,
      body,
      counterparty: 'practice',
      signature,
      receivedAt: now(),
      receivedMonotonic: clock.ahead,
    };
    desk.quoter.firm(input, (answer) => {
      const parsed = JSON.parse(answer.body);
      resolve({ status: answer.status, order: parsed.order, code: parsed.code, body: parsed });
    });
  });
}

describe('a desk whose key is held elsewhere', () => {
  it('quotes: each of fifty orders at once recovers to the key, and is in the journal with how long that took', async () => {
    const desk = await deskWithRemoteKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => firm(desk)));
    const rows = await quotes(desk);
    expect(rows).toHaveLength(50);
    for (const { status, order } of answers) {
      expect(status).toBe(200);
      const row = rows.find(({ orderHash: hash }) => order !== undefined && hash === hashOf(order));
      const hash = row?.orderHash as Hex;
      expect((await recoverAddress({ hash, signature: order?.signature as Hex })).toLowerCase()).toBe(signer.address);
    }
    expect(live(desk)).toBe(5n * ETHER);
    const details = await Promise.all(rows.map(({ seq }) => desk.journal.read.quote(seq)));
    for (const detail of details) expect(detail?.signingMs).toBeGreaterThanOrEqual(0);
  });

  it('counts an order from the moment its key is asked', async () => {
    server.behaviour = 'holds';
    const desk = await deskWithRemoteKey();
    desk.chain.view = seen(desk.now(), { [WETH]: ETHER / 5n }, 2);
    const first = firm(desk);
    expect(live(desk)).toBe(ETHER / 10n);
    expect(await firm(desk)).toMatchObject({ code: 'insufficient_balance' });
    await expect.poll(() => server.held).toBe(1);
    server.letGo();
    expect(await first).toMatchObject({ status: 200 });
  });

  it('withholds what a stop has overtaken while the key was asked', async () => {
    server.behaviour = 'holds';
    const desk = await deskWithRemoteKey();
    const asked = firm(desk);
    await expect.poll(() => server.held).toBe(1);
    await desk.guard.trading.halt({}, person);
    await desk.guard.trading.resume({}, person);
    server.letGo();
    expect(await asked).toMatchObject({ status: 503, order: undefined });
    expect(desk.released).toEqual([]);
    await expect.poll(() => quotes(desk)).toMatchObject([{ state: 'withheld' }]);
    await expect.poll(() => live(desk)).toBe(0n);
  });

  it('answers at its deadline, and withholds what is signed later', async () => {
    server.behaviour = 'holds';
    const desk = await deskWithRemoteKey({ desk: { deadlineMs: 200 } });
    const asked = firm(desk);
    await expect.poll(() => server.held).toBe(1);
    desk.clock.ahead += 300;
    expect(await asked).toMatchObject({ status: 503, code: 'deadline' });
    expect(live(desk)).toBe(ETHER / 10n);
    server.letGo();
    await expect.poll(() => quotes(desk)).toMatchObject([{ state: 'withheld', code: 'deadline' }]);
    await expect.poll(() => live(desk)).toBe(0n);
    expect(desk.released).toEqual([]);
  });

  it('refuses what the key does not sign in time, gives the amount back, and halts nothing', async () => {
    server.behaviour = 'holds';
    const desk = await deskWithRemoteKey({ timeoutMs: 100 });
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'signer_unseen', order: undefined });
    expect(live(desk)).toBe(0n);
    expect(desk.guard.status().state).toBe('LIVE');
    await expect.poll(() => quotes(desk)).toMatchObject([{ state: 'refused', code: 'signer_unseen', orderHash: null }]);
    server.behaviour = 'well';
    // On a machine that is busy an answer may be late once more.
    await expect.poll(() => firm(desk)).toMatchObject({ status: 200 });
  });

  it.each(['another key', 'another message', 'zeros'] as const)(
    'hands out nothing of %s: the chain is halted, and no order is written',
    async (behaviour) => {
      server.behaviour = behaviour;
      const desk = await deskWithRemoteKey();
      expect(await firm(desk)).toMatchObject({ status: 503, code: 'internal', order: undefined });
      expect(desk.guard.status().chains[0]?.state).toBe('HALTED');
      expect(desk.guard.trading.said({ chainId: CHAIN })?.cause).toMatch(/is no signature of/);
      await expect.poll(() => quotes(desk)).toMatchObject([{ state: 'refused', orderHash: null }]);
      expect(live(desk)).toBe(0n);
    },
  );

  it('refuses what was asked of a key that is locked meanwhile, as a halted desk does', async () => {
    server.behaviour = 'holds';
    const desk = await deskWithRemoteKey();
    const asked = firm(desk);
    await expect.poll(() => server.held).toBe(1);
    void desk.guard.trading.halt({}, person);
    desk.key.forget();
    expect(await asked).toMatchObject({ status: 503, code: 'halted', order: undefined });
    server.letGo();
    expect(live(desk)).toBe(0n);
    expect(desk.guard.trading.said({})).toMatchObject({ actor: 'mara' });
  });

  it('gives one order to a request that is sent twice while the key is asked, and another try to one that got none', async () => {
    server.behaviour = 'holds';
    const desk = await deskWithRemoteKey();
    const [signature, other] = ['a'.repeat(64), 'b'.repeat(64)];
    const both = [asks(desk, signature), asks(desk, signature)];
    await expect.poll(() => server.held).toBe(1);
    server.letGo();
    const [one, two] = await Promise.all(both);
    expect(one).toMatchObject({ status: 200 });
    expect(two).toEqual(one);
    server.behaviour = 'refuses';
    expect(await asks(desk, other)).toMatchObject({ code: 'signer_unseen' });
    server.behaviour = 'well';
    expect(await asks(desk, other)).toMatchObject({ status: 200 });
    expect(await asks(desk, signature)).toEqual(one);
  });

  it('never hands out what is not its key’s or not in the journal, whatever the signer does and whoever stops meanwhile', async () => {
    const behaviours = [
      'well',
      'well',
      'high s',
      'refuses',
      'another key',
      'another message',
      'garbage',
      'holds',
    ] as const;
    const step = fc.oneof(
      fc.constantFrom(...behaviours),
      fc.constantFrom('ask', 'ask', 'ask', 'let go', 'halt', 'resume', 'gone', 'back'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        server.behaviour = 'well';
        const ends: (() => Promise<void>)[] = [];
        const desk = await deskWithRemoteKey({ timeoutMs: 150, ends: (close) => ends.push(close) });
        let isGone = false;
        const answers: Promise<Answered>[] = [];
        for (const now of steps) {
          if (now === 'ask') answers.push(firm(desk));
          else if (now === 'let go') server.letGo();
          else if (now === 'halt') await desk.guard.trading.halt({}, person);
          else if (now === 'resume') await desk.guard.trading.resume({}, person).catch(() => {});
          else if (now === 'gone') {
            if (!isGone) await server.close();
            isGone = true;
          } else if (now === 'back') {
            if (isGone) await server.reopen();
            isGone = false;
          } else server.behaviour = now;
        }
        const orders = (await Promise.all(answers)).flatMap(({ order }) => (order === undefined ? [] : [order]));
        if (isGone) await server.reopen();
        server.letGo();
        const rows = await quotes(desk);
        for (const order of orders) {
          const row = rows.find(({ orderHash: hash }) => hash === hashOf(order));
          expect(row?.state).toBe('live');
          const recovered = await recoverAddress({ hash: row?.orderHash as Hex, signature: order.signature });
          expect(recovered.toLowerCase()).toBe(signer.address);
        }
        await expect.poll(() => live(desk)).toBe((BigInt(orders.length) * ETHER) / 10n);
        for (const close of ends) await close();
      }),
      { numRuns: 25 },
    );
  });
});

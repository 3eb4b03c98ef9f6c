import { recoverAddress } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import { openRemoteSigner } from '../../electron/signer/remote/remote-signer.ts';
import { CHAIN, WETH } from '../book/fixture.ts';
import { CLOUDS, cloudConfig, knowTheClouds, openCloud } from '../signer/cloud.ts';
import { ETHER, firm, openDesk, person, quotes, signer } from './open-desk.ts';

const KEY: Hex = `0x${'4c'.repeat(32)}`;

describe.each(CLOUDS)('a desk whose key is in a cloud ($kind)', ({ kind, isInstalled, settings, answer }) => {
  beforeEach(knowTheClouds);

  /** A desk that has the key sign, whose library is loaded already. */
  async function deskWithCloudKey(timeoutMs?: number) {
    const cloud = await openCloud(KEY, answer);
    const key = openRemoteSigner(cloudConfig(cloud, { kind, settings }, timeoutMs), () => {});
    const desk = await openDesk({ quoter: { signerFor: () => key } });
    return { ...desk, key, cloud, live: () => desk.guard.orders.of(CHAIN).exposure.live(WETH) };
  }

  it.skipIf(!isInstalled)('quotes: each of ten orders at once recovers to the key, and is in the journal', async () => {
    const desk = await deskWithCloudKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => firm(desk)));
    const signatures = answers.map(({ status, order }) => {
      expect(status).toBe(200);
      return order?.signature as Hex;
    });
    const hashes = (await quotes(desk)).map(({ orderHash }) => orderHash as Hex);
    expect(hashes).toHaveLength(10);
    // Whose signature is of which order is for the journal to say: each is the key's over one of them.
    for (const signature of signatures) {
      const signers = await Promise.all(hashes.map((hash) => recoverAddress({ hash, signature })));
      expect(signers.filter((one) => one.toLowerCase() === signer.address)).toHaveLength(1);
    }
    expect(desk.live()).toBe(ETHER);
  });

  it.skipIf(!isInstalled)('hands out nothing that is of another key, and halts its chain', async () => {
    const desk = await deskWithCloudKey();
    desk.cloud.key = `0x${'07'.repeat(32)}`;
    expect(await firm(desk)).toMatchObject({ status: 503, order: undefined });
    expect(desk.guard.status().chains[0]?.state).toBe('HALTED');
    expect(desk.guard.trading.said({ chainId: CHAIN })?.cause).toMatch(/is no signature of/);
    expect(desk.live()).toBe(0n);
  });

  it.skipIf(!isInstalled)(
    'refuses while the cloud is silent or does not let it sign, says why, and goes on by itself',
    async () => {
      const desk = await deskWithCloudKey(2_500);
      // On a machine that is busy an answer may be late, and gives its amount back.
      await expect.poll(() => firm(desk)).toMatchObject({ status: 200 });
      desk.cloud.silent = true;
      expect(await firm(desk)).toMatchObject({ status: 503, code: 'signer_unseen', order: undefined });
      desk.cloud.silent = false;
      desk.cloud.status = 403;
      expect(await firm(desk)).toMatchObject({ status: 503, code: 'signer_unseen', order: undefined });
      expect(desk.guard.status().state).toBe('LIVE');
      desk.cloud.status = 200;
      await expect.poll(() => firm(desk)).toMatchObject({ status: 200 });
      await expect.poll(() => desk.live()).toBe((2n * ETHER) / 10n);
    },
  );

  it.skipIf(!isInstalled)(
    'locks: what was asked of it is refused as of a halted desk, and it is asked nothing more',
    async () => {
      const desk = await deskWithCloudKey();
      desk.cloud.silent = true;
      const asked = firm(desk);
      await expect.poll(() => desk.cloud.asked).toBeGreaterThan(0);
      void desk.guard.trading.halt({}, person);
      desk.key.forget();
      expect(await asked).toMatchObject({ status: 503, code: 'halted', order: undefined });
      const { asked: before } = desk.cloud;
      expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
      expect(desk.cloud.asked).toBe(before);
      expect(desk.live()).toBe(0n);
    },
  );
});

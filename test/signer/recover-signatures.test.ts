import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import { SignatureRecovery } from '../../electron/signer/recover-signatures.ts';
import { openSigner } from '../../electron/signer/signer.ts';

const ours = openSigner(`0x${'4c'.repeat(32)}`);
const other = openSigner(`0x${'07'.repeat(32)}`);

function openChecks() {
  const notes: string[] = [];
  const checks = new SignatureRecovery((line) => notes.push(line));
  onTestFinished(() => checks.close());
  return { checks, notes };
}

const hashOf = (number: number): Hex => `0x${createHash('sha256').update(`${number}`).digest('hex')}`;

/** A signature of ours, or one that is not: by another key, over another hash, with a bit turned, or none at all. */
function signature(number: number, fault: string | null): Hex {
  const good = ours.sign({ hash: hashOf(number) });
  if (fault === 'key') return other.sign({ hash: hashOf(number) });
  if (fault === 'hash') return ours.sign({ hash: hashOf(number + 1) });
  if (fault === 'parity')
    return good.endsWith('1b') ? `${good.slice(0, -2) as Hex}1c` : `${good.slice(0, -2) as Hex}1b`;
  return fault === 'none' ? '0x' : good;
}

describe('the thread that checks signatures', () => {
  it('says of each what the signer itself says, however many are asked for at once', async () => {
    const { checks, notes } = openChecks();
    const faults = fc.array(fc.constantFrom(null, null, 'key', 'hash', 'parity', 'none'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(faults, async (list) => {
        const asked = list.map((fault, number) => checks.isOwn(ours, hashOf(number), signature(number, fault)));
        expect(await Promise.all(asked)).toEqual(list.map((fault) => fault === null));
      }),
      { numRuns: 50 },
    );
    expect(notes).toEqual([]);
  });

  it('tells signers apart', async () => {
    const { checks } = openChecks();
    const signed = other.sign({ hash: hashOf(1) });
    expect(await Promise.all([ours, other].map((signer) => checks.isOwn(signer, hashOf(1), signed)))).toEqual([
      false,
      true,
    ]);
  });

  it('is not needed: what it left unanswered, and what comes after it, is checked all the same', async () => {
    const { checks } = openChecks();
    const ask = (fault: string | null) => checks.isOwn(ours, hashOf(7), signature(7, fault));
    const waiting = Array.from({ length: 20 }, (_, number) => ask(number % 2 === 0 ? null : 'key'));
    await checks.close();
    const later = [ask(null), ask('key')];
    expect(await Promise.all(waiting)).toEqual(waiting.map((_, number) => number % 2 === 0));
    expect(await Promise.all(later)).toEqual([true, false]);
  });
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import {
  createKeystore,
  importKeystore,
  keystoreAddress,
  openKeystore,
  resealKeystore,
  storeKey,
} from '../../electron/signer/keystore.ts';
import { writeSecrets } from '../../electron/signer/secrets.ts';
import { openSigner } from '../../electron/signer/signer.ts';

// The two vectors of the Web3 Secret Storage definition.
const VECTOR_KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
const VECTOR_ADDRESS = '0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b';
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
const SCRYPT = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
const CHEAP = { scryptCost: 2 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystore-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fileWith(content: unknown): string {
  const file = join(folder, 'brought.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('the keystore', () => {
  it.each([
    ['pbkdf2', PBKDF2],
    ['scrypt', SCRYPT],
  ])('takes over the published %s vector as it is, whose passphrase gives its key', async (_, vector) => {
    expect(await importKeystore(folder, fileWith(vector), 'testpassword')).toBe(VECTOR_ADDRESS);
    expect(await keystoreAddress(folder)).toBe(VECTOR_ADDRESS);
    expect(JSON.parse(readFileSync(join(folder, 'keystore.json'), 'utf8'))).toMatchObject(vector);
  });

  it('opens a key that was taken over with the passphrase of its file', async () => {
    await importKeystore(folder, fileWith(PBKDF2), 'testpassword');
    expect(await openKeystore(folder, 'testpassword')).toBe(VECTOR_KEY);
  });

  it('lets everything else go on while a passphrase is tried that takes long', async () => {
    const kdfparams = { ...SCRYPT.crypto.kdfparams, p: 1 };
    const file = fileWith({ ...SCRYPT, crypto: { ...SCRYPT.crypto, kdfparams } });
    let turns = 0;
    let isTried = false;
    const count = () => {
      turns += 1;
      if (!isTried) setImmediate(count);
    };
    setImmediate(count);
    await expect(importKeystore(folder, file, 'testpassword')).rejects.toMatchObject({ code: 'wrong_passphrase' });
    isTried = true;
    // Derived in this thread, the whole work is done between two of the few turns that reading the file takes.
    expect(turns).toBeGreaterThan(100);
  });

  it('makes a key that only its owner may read and only its passphrase opens', async () => {
    const address = await createKeystore(folder, 'correct horse', randomBytes, CHEAP);
    expect(statSync(join(folder, 'keystore.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['keystore.json']);
    expect(openSigner(await openKeystore(folder, 'correct horse')).address).toBe(address);
    expect(await keystoreAddress(folder)).toBe(address);
    await expect(openKeystore(folder, 'correct hose')).rejects.toMatchObject({
      code: 'wrong_passphrase',
      message: 'The passphrase does not open this keystore.',
    });
  });

  it('is written with the cost that geth uses, and holds nothing of the key in the open', async () => {
    const key: Hex = `0x${'3a5c'.repeat(16)}`;
    await storeKey(folder, 'pass phrase ü', key, randomBytes);
    const text = readFileSync(join(folder, 'keystore.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      version: 3,
      crypto: { kdf: 'scrypt', kdfparams: { n: 262_144, r: 8, p: 1 } },
    });
    expect(text).not.toContain('3a5c3a5c');
    expect(await openKeystore(folder, 'pass phrase ü')).toBe(key);
  });

  it('never overwrites a key', async () => {
    await createKeystore(folder, 'one', randomBytes, CHEAP);
    const before = readFileSync(join(folder, 'keystore.json'));
    await expect(createKeystore(folder, 'two', randomBytes, CHEAP)).rejects.toMatchObject({ code: 'keystore_exists' });
    await expect(importKeystore(folder, fileWith(PBKDF2), 'testpassword')).rejects.toMatchObject({
      code: 'keystore_exists',
    });
    expect(readFileSync(join(folder, 'keystore.json'))).toEqual(before);
  });

  it.each<[string, (file: string) => Promise<string>]>([
    ['made', () => createKeystore(folder, 'of the desk', randomBytes, CHEAP)],
    ['imported', (file) => importKeystore(folder, file, 'testpassword')],
    [
      'sealed anew',
      (file) => {
        const given = { text: readFileSync(file, 'utf8'), passphrase: 'testpassword' };
        return resealKeystore(folder, 'of the desk', given, randomBytes, CHEAP);
      },
    ],
  ])('keeps one of two keys that are %s at once, and refuses the other', async (_, bring) => {
    await createKeystore(folder, 'testpassword', randomBytes, CHEAP);
    const file = join(folder, 'brought.json');
    renameSync(join(folder, 'keystore.json'), file);
    const both = await Promise.allSettled([bring(file), bring(file)]);
    const kept = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(kept).toEqual([await keystoreAddress(folder)]);
    expect(refused).toMatchObject([
      { code: 'keystore_exists', message: `There is a key in ${join(folder, 'keystore.json')} already.` },
    ]);
    expect(readdirSync(folder).sort()).toEqual(['brought.json', 'keystore.json']);
    expect(statSync(join(folder, 'keystore.json'))).toMatchObject({ nlink: 1 });
  });

  it('takes the key of another file over under its own passphrase: the file’s opens it no more', async () => {
    const file = { text: JSON.stringify(PBKDF2), passphrase: 'testpassword' };
    expect(await resealKeystore(folder, 'of the desk', file, randomBytes, CHEAP)).toBe(VECTOR_ADDRESS);
    expect(await openKeystore(folder, 'of the desk')).toBe(VECTOR_KEY);
    await expect(openKeystore(folder, 'testpassword')).rejects.toMatchObject({ code: 'wrong_passphrase' });
    await expect(resealKeystore(folder, 'of the desk', file, randomBytes)).rejects.toMatchObject({
      code: 'keystore_exists',
    });
  });

  it.each<[string, (passphrase: string) => Promise<string>]>([
    ['made', (passphrase) => createKeystore(folder, passphrase, randomBytes, CHEAP)],
    ['imported', () => importKeystore(folder, fileWith(PBKDF2), 'testpassword')],
    [
      'sealed anew',
      (passphrase) => {
        const file = { text: JSON.stringify(PBKDF2), passphrase: 'testpassword' };
        return resealKeystore(folder, passphrase, file, randomBytes, CHEAP);
      },
    ],
  ])(
    'that is %s has the passphrase of the secrets beside it: under another it is refused, and not written',
    async (_, bring) => {
      const secrets = { counterparties: {}, serviceKeys: {} };
      await writeSecrets(folder, 'of the secrets', secrets, CHEAP);
      await expect(bring('of the secret')).rejects.toMatchObject({
        code: 'wrong_passphrase',
        message: 'The secrets in this folder are sealed under another passphrase.',
      });
      expect(readdirSync(folder)).not.toContain('keystore.json');
      await writeSecrets(folder, 'testpassword', secrets, CHEAP);
      await bring('testpassword');
      expect(await openKeystore(folder, 'testpassword')).toMatch(/^0x/);
    },
  );

  it('takes nothing over of a file that its passphrase does not open', async () => {
    const file = { text: JSON.stringify(PBKDF2), passphrase: 'testpasswort' };
    await expect(resealKeystore(folder, 'of the desk', file, randomBytes)).rejects.toMatchObject({
      code: 'wrong_passphrase',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not take a keystore over whose passphrase is wrong', async () => {
    await expect(importKeystore(folder, fileWith(PBKDF2), 'testpasswort')).rejects.toMatchObject({
      code: 'wrong_passphrase',
    });
    expect(readdirSync(folder)).toEqual(['brought.json']);
  });

  it.each<[string, unknown, RegExp]>([
    ['text', 'hello', /it is not JSON/],
    ['of version 1', { ...SCRYPT, version: 1 }, /version/],
    ['with another cipher', { ...SCRYPT, crypto: { ...SCRYPT.crypto, cipher: 'none' } }, /crypto.cipher/],
    ['with an unknown derivation', { ...SCRYPT, crypto: { ...SCRYPT.crypto, kdf: 'md5' } }, /crypto.kdf/],
    [
      'that asks for endless memory',
      { ...SCRYPT, crypto: { ...SCRYPT.crypto, kdfparams: { ...SCRYPT.crypto.kdfparams, n: 2 ** 30 } } },
      /1 GiB/,
    ],
  ])('refuses a file that is %s, saying what is wrong', async (_, content, sentence) => {
    await expect(importKeystore(folder, fileWith(content), 'testpassword')).rejects.toMatchObject({
      code: 'bad_keystore',
      message: expect.stringMatching(sentence),
    });
  });

  it('says how to make a key where there is none', async () => {
    await expect(openKeystore(folder, 'x')).rejects.toMatchObject({
      code: 'no_keystore',
      remedy: expect.stringContaining('makerdesk key new'),
    });
  });
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeystore } from '../../electron/signer/keystore.ts';
import { sealText } from '../../electron/signer/sealed-text.ts';
import { fingerprint, readSecrets, writeSecrets } from '../../electron/signer/secrets.ts';

const CANARY = {
  counterparties: { practice: { accessKey: 'canary-access', secretKey: 'canary-secret' } },
  serviceKeys: { 'https://service.example': 'canary-service-key' },
};
const CHEAP = { scryptCost: 2 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the sealed secrets', () => {
  it('come back under their passphrase, from a file that only its owner may read and that shows none of them', async () => {
    await writeSecrets(folder, 'pass', CANARY);
    expect(await readSecrets(folder, 'pass')).toEqual(CANARY);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'secrets.json'), 'latin1')).not.toContain('canary');
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  it('are none before any were written', async () => {
    expect(await readSecrets(folder, 'pass')).toEqual({ counterparties: {}, serviceKeys: {} });
  });

  it('from before there were keys to services open, and have none', async () => {
    const { counterparties } = CANARY;
    writeFileSync(join(folder, 'secrets.json'), await sealText(JSON.stringify({ counterparties }), 'pass', CHEAP));
    expect(await readSecrets(folder, 'pass')).toEqual({ counterparties, serviceKeys: {} });
  });

  it('do not open under another passphrase', async () => {
    await writeSecrets(folder, 'pass', CANARY, CHEAP);
    await expect(readSecrets(folder, 'word')).rejects.toMatchObject({ code: 'wrong_passphrase' });
  });

  it('notice a change of any byte of the ciphertext, the tag, the salt and the nonce', async () => {
    await writeSecrets(folder, 'pass', CANARY, CHEAP);
    const file = join(folder, 'secrets.json');
    const sound = JSON.parse(readFileSync(file, 'utf8'));
    for (const field of ['ciphertext', 'tag', 'salt', 'iv']) {
      const bytes = Buffer.from(sound[field], 'base64');
      for (let at = 0; at < bytes.length; at += 5) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        writeFileSync(file, JSON.stringify({ ...sound, [field]: changed.toString('base64') }));
        await expect(readSecrets(folder, 'pass')).rejects.toMatchObject({ code: 'wrong_passphrase' });
      }
    }
  });

  it('are refused with a sentence when the file is something else', async () => {
    writeFileSync(join(folder, 'secrets.json'), '{"version":2}');
    await expect(readSecrets(folder, 'pass')).rejects.toMatchObject({ code: 'bad_seal' });
  });

  it('are replaced whole', async () => {
    await writeSecrets(folder, 'pass', CANARY, CHEAP);
    await writeSecrets(folder, 'pass', { counterparties: {}, serviceKeys: {} }, CHEAP);
    expect(await readSecrets(folder, 'pass')).toEqual({ counterparties: {}, serviceKeys: {} });
  });

  it('are sealed anew under the key that is known with another nonce each time, and under another passphrase or cost with another salt', async () => {
    const sealed = async (passphrase: string, options = CHEAP) => {
      await writeSecrets(folder, passphrase, CANARY, options);
      const { salt, iv, n } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));
      return { salt, iv, n };
    };
    const rows = [
      await sealed('pass'),
      await sealed('pass'),
      await sealed('word'),
      await sealed('word', { scryptCost: 4 }),
    ];
    expect(new Set(rows.map(({ iv }) => iv)).size).toBe(4);
    expect(rows[1]?.salt).toBe(rows[0]?.salt);
    expect(new Set(rows.map(({ salt }) => salt)).size).toBe(3);
    await expect(readSecrets(folder, 'pass')).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(await readSecrets(folder, 'word')).toEqual(CANARY);
  });

  it('are first sealed under the passphrase of the key beside them, and under no other: then nothing is written', async () => {
    await createKeystore(folder, 'pass', randomBytes, CHEAP);
    await expect(writeSecrets(folder, 'pas', CANARY, CHEAP)).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(readdirSync(folder)).toEqual(['keystore.json']);
    await writeSecrets(folder, 'pass', CANARY, CHEAP);
    expect(await readSecrets(folder, 'pass')).toEqual(CANARY);
  });

  it('beside a key whose passphrase is another are sealed anew once their file is moved away, as the refusal says', async () => {
    writeFileSync(join(folder, 'secrets.json'), await sealText(JSON.stringify(CANARY), 'word', CHEAP));
    const keyFirst = {
      code: 'wrong_passphrase',
      remedy: expect.stringContaining('move secrets.json out of the folder'),
    };
    await expect(createKeystore(folder, 'pass', randomBytes, CHEAP)).rejects.toMatchObject(keyFirst);
    await expect(readSecrets(folder, 'pass')).rejects.toMatchObject(keyFirst);
    renameSync(join(folder, 'secrets.json'), join(folder, 'away.json'));
    await createKeystore(folder, 'pass', randomBytes, CHEAP);
    await writeSecrets(folder, 'pass', CANARY, CHEAP);
    expect(await readSecrets(folder, 'pass')).toEqual(CANARY);
  });

  it('can be told apart by fingerprints that hold nothing of them', () => {
    expect(fingerprint('a')).not.toBe(fingerprint('b'));
    expect(fingerprint('canary-secret')).toMatch(/^[0-9a-f]{16}$/);
  });
});

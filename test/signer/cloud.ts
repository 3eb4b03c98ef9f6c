import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Signature from 'ox/Signature';
import { expect, onTestFinished, vi } from 'vitest';
import { type RemoteSignerConfig, remoteSignerSchema } from '../../electron/contract/remote-signer.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { PATIENCE } from '../how-long.ts';

/** Of the curve. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

type Answer = (path: string, body: Record<string, unknown>, key: Hex) => object;

/** A service that signs digests and answers with DER, as the clouds do. */
export interface Cloud {
  url: string;
  /** What it signs with from now on. */
  key: Hex;
  /** What it answers with from now on. */
  status: number;
  /** While true nothing is answered. */
  silent: boolean;
  /** How often it was asked. */
  asked: number;
}

/** Opens one on loopback that has the key; it ends with the test. */
export async function openCloud(key: Hex, answer: Answer): Promise<Cloud> {
  const cloud: Cloud = { url: '', key, status: 200, silent: false, asked: 0 };
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
    cloud.asked += 1;
    if (cloud.silent) return;
    response.writeHead(cloud.status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify(
        cloud.status === 200
          ? answer(request.url ?? '', body, cloud.key)
          : {
              __type: 'AccessDeniedException',
              message: 'not allowed to sign',
              error: { code: cloud.status, message: 'not allowed to sign', status: 'PERMISSION_DENIED' },
            },
      ),
    );
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  cloud.url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return cloud;
}

/** DER of what the key signs, with a high s as often as not, since no cloud puts it into the lower half. */
function derOf(digest: string, key: Hex): string {
  const hash: Hex = `0x${Buffer.from(digest, 'base64').toString('hex')}`;
  const { r, s } = Signature.fromHex(openSigner(key).sign({ hash }));
  const high = ORDER - s;
  return Buffer.from(Signature.toDerBytes({ r, s: r % 2n === 0n ? high : s })).toString('base64');
}

const require = createRequire(import.meta.url);
/** The libraries of the clouds are not part of the desk. */
function isThere(resolve: () => string): boolean {
  try {
    return resolve() !== '';
  } catch {
    return false;
  }
}

/** The clouds that a desk knows, each with how it is asked and how it answers. */
export const CLOUDS = [
  {
    kind: 'aws-kms' as const,
    isInstalled: isThere(() => require.resolve('@aws-sdk/client-kms')),
    settings: { keyId: 'alias/maker', region: 'eu-central-1' },
    answer: (_path: string, { KeyId, Message, MessageType, SigningAlgorithm }: Record<string, unknown>, key: Hex) => {
      expect([KeyId, MessageType, SigningAlgorithm]).toEqual(['alias/maker', 'DIGEST', 'ECDSA_SHA_256']);
      return { KeyId, SigningAlgorithm, Signature: derOf(String(Message), key) };
    },
  },
  {
    kind: 'google-kms' as const,
    isInstalled: isThere(() => require.resolve('@google-cloud/kms')),
    settings: { keyVersion: 'projects/p/locations/global/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1' },
    answer: (path: string, { digest }: Record<string, unknown>, key: Hex) => {
      expect(path).toContain('projects/p/locations/global/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1:asymmetricSign');
      return { signature: derOf((digest as { sha256: string }).sha256, key) };
    },
  },
];

/** How the key of a cloud is asked for signatures. Unless said otherwise one may take longer than any setting lets it: a busy machine needs that. */
export function cloudConfig(
  cloud: Cloud,
  { kind, settings }: Pick<(typeof CLOUDS)[number], 'kind' | 'settings'>,
  timeoutMs = PATIENCE,
): RemoteSignerConfig {
  const { address } = openSigner(cloud.key);
  const config = remoteSignerSchema.parse({ kind, address, endpoint: cloud.url, ...settings });
  return { ...config, timeoutMs };
}

/** Gives the libraries of the clouds what they look for before they ask; until the end of the test. */
export function knowTheClouds(): void {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const account = { type: 'service_account', project_id: 'p', client_email: 'a@p.example', private_key: privateKey };
  writeFileSync(join(folder, 'account.json'), JSON.stringify(account));
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'account.json'));
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'for tests only');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'for tests only');
  onTestFinished(() => void vi.unstubAllEnvs());
}

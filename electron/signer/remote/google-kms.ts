import { fromDerBytes } from 'ox/Signature';
import type { RemoteSignerConfig } from '../../contract/remote-signer.ts';
import type { Ask } from './ask.ts';
import { libraryOf } from './library.ts';

/** The official library, as far as it is used. */
interface Library {
  KeyManagementServiceClient: new (
    options: object,
  ) => {
    asymmetricSign(request: object, options: { timeout: number }): Promise<[{ signature?: Uint8Array | string }]>;
  };
}

/** A key in Google Cloud KMS (EC_SIGN_SECP256K1_SHA256). Who may use it follows from where the desk runs. */
export function googleKms(config: Extract<RemoteSignerConfig, { kind: 'google-kms' }>): Ask {
  const { keyVersion, endpoint, timeoutMs } = config;
  const opened = libraryOf('@google-cloud/kms', '6', ({ KeyManagementServiceClient }: Library) => {
    return new KeyManagementServiceClient({ fallback: true, ...(endpoint !== undefined && elsewhere(endpoint)) });
  });
  return {
    ready: opened,
    async sign({ hash }) {
      const client = await opened();
      const digest = { sha256: Buffer.from(hash.slice(2), 'hex') };
      const [{ signature }] = await client.asymmetricSign({ name: keyVersion, digest }, { timeout: timeoutMs });
      if (signature === undefined) throw new Error('the answer has no signature');
      return fromDerBytes(typeof signature === 'string' ? Buffer.from(signature, 'base64') : signature);
    },
  };
}

function elsewhere(endpoint: string) {
  const { hostname, port, protocol } = new URL(endpoint);
  const isPlain = protocol === 'http:';
  return { apiEndpoint: hostname, port: Number(port) || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' };
}

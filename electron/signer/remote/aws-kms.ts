import { fromDerBytes } from 'ox/Signature';
import type { RemoteSignerConfig } from '../../contract/remote-signer.ts';
import type { Ask } from './ask.ts';
import { libraryOf } from './library.ts';

/** The official library, as far as it is used. */
interface Library {
  KMSClient: new (
    options: object,
  ) => { send(command: object, options: { abortSignal: AbortSignal }): Promise<{ Signature?: Uint8Array }> };
  SignCommand: new (input: object) => object;
}

/** A key in AWS KMS (ECC_SECG_P256K1). Who may use it follows from where the desk runs: variables, a profile or a role. */
export function awsKms({ keyId, region, endpoint }: Extract<RemoteSignerConfig, { kind: 'aws-kms' }>): Ask {
  const opened = libraryOf('@aws-sdk/client-kms', '3', ({ KMSClient, SignCommand }: Library) => {
    const client = new KMSClient({ region, maxAttempts: 1, ...(endpoint !== undefined && { endpoint }) });
    return { client, SignCommand };
  });
  return {
    ready: opened,
    async sign({ hash }, signal) {
      const { client, SignCommand } = await opened();
      const Message = Buffer.from(hash.slice(2), 'hex');
      const command = { KeyId: keyId, Message, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' };
      const { Signature } = await client.send(new SignCommand(command), { abortSignal: signal });
      if (Signature === undefined) throw new Error('the answer has no signature');
      return fromDerBytes(Signature);
    },
  };
}

import { signRequest } from '../../protocol/hmac.ts';
import type { ConsumerFaults } from './consumer-faults.ts';

/** What the service and the maker agreed on (PROTOCOL 5.2). */
export interface Credentials {
  domain: string;
  accessKey: string;
  secretKey: string;
}

/**
 * The four headers of a request that leaves now (PROTOCOL 5.2). `path` is the whole path with its query; `body` as sent.
 * The faults have their say: another secret, another clock.
 */
export function signedHeaders(
  credentials: Credentials,
  request: { method: 'GET' | 'POST'; path: string; body: string },
  { now, faults }: { now: () => number; faults: ConsumerFaults },
): Record<string, string> {
  const timestamp = `${now() + faults.clockOffsetMs}`;
  const { domain, accessKey } = credentials;
  const secretKey = faults.wrongSecret ? `not ${credentials.secretKey}` : credentials.secretKey;
  return {
    'X-AUTH-DOMAIN': domain,
    'X-AUTH-ACCESS-KEY': accessKey,
    'X-AUTH-TIMESTAMP': timestamp,
    'X-AUTH-SIGNATURE': signRequest({ ...request, secretKey, timestamp }),
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, plainRefusal, refusal } from './answer.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const PORT = /:\d{1,5}$/;
/** What a page may send to other sites without asking them first. */
const FORM_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Why a request that nobody had to sign is not taken: a page of the web could have had the browser of this machine send
 * it. Null where none can have: the Host is this machine or one of `names` (lower case), the Origin no other, and a body
 * is not of a kind that forms send. Never 403, which the service reads as a blacklisted user.
 */
export function pageRefusal(headers: IncomingHttpHeaders, names: readonly string[]): Answer | null {
  const host = headers.host?.toLowerCase();
  if (host !== undefined) {
    const name = host.replace(PORT, '');
    if (!LOOPBACK.test(name) && !names.includes(name)) return plainRefusal('misdirected');
  }
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase().replace(/^https?:/, '') !== `//${host}`) {
    return refusal('invalid_request', 'The Origin header names another site; nobody may ask from a page of the web.');
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!FORM_TYPES.includes(type)) return null;
  return refusal('invalid_request', `The Content-Type is ${type}; send application/json, or leave it out.`);
}

import { partsOf, withoutKeys } from '../../contract/sealed-url.ts';
import { systemFault } from '../../protocol/system-fault.ts';
import { bodyOf, headOf, type TellCall } from './call.ts';
import { shownAnswer } from './shown-answer.ts';

/** So much of an answer is read, and for so long: whether it was taken is known by its status alone. */
const MAX_BYTES = 1_024;
const BODY_MS = 2_000;

/**
 * Posts the call as a chat takes it: `{ "text": … }` and nothing more, since some refuse what they do not know. A repeated try
 * has the same `idempotency-key`. Nothing is followed to another address.
 */
export function webhookWay(url: string): TellCall {
  const { path, query } = partsOf(url);
  const keys = [...path, ...query];
  return async (call, signal) => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', 'idempotency-key': call.id },
      body: JSON.stringify({ text: chatText(`*${headOf(call)}*\n${bodyOf(call)}`) }),
      signal,
    }).catch((error: unknown) => {
      throw new Error(withoutKeys(keys, bottomOf(error)));
    });
    const said = shownAnswer(withoutKeys(keys, await beginningOf(response)));
    const answer = `it answered ${response.status}${said}`;
    if (response.ok) return answer;
    const isElsewhere = response.status >= 300 && response.status < 400;
    throw new Error(isElsewhere ? `it answered ${response.status}: no other address is followed` : answer);
  };
}

/** What Slack and its like take for mark-up is shown as it stands, so that no name in an alert can call a channel or hide a link. */
function chatText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The first words of an answer; what does not come is not waited for. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const late = setTimeout(() => void reader.cancel().catch(() => {}), BODY_MS);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.length;
    }
  } catch {
    // the status said what matters
  }
  clearTimeout(late);
  void reader.cancel().catch(() => {});
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8');
}

/** What lies at the bottom of an error of fetch, which itself says "fetch failed". */
function bottomOf(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  return systemFault(deepest) ?? (deepest instanceof Error ? deepest.message : String(deepest));
}

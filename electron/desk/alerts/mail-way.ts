import type { MailWay } from '../../contract/alert-ways.ts';
import { withoutKeys } from '../../contract/sealed-url.ts';
import { systemFault } from '../../protocol/system-fault.ts';
import { bodyOf, headOf, type TellCall } from './call.ts';
import { shownAnswer } from './shown-answer.ts';

/** No answer of a server is longer. */
const MAX_ANSWER_BYTES = 64 * 1_024;

/**
 * Sends the call as a mail of text, over TLS but to this machine; a certificate that does not hold is refused. `password` is null
 * where nobody logs in. A repeated try has the same Message-ID.
 */
export function mailWay({ host, port, security, user, from, to }: MailWay, password: string | null): TellCall {
  const keys = user === null || password === null ? [] : spellingsOf(user, password);
  return async (call, signal) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'plain',
      tls: { minVersion: 'TLSv1.2' },
      disableFileAccess: true,
      disableUrlAccess: true,
      maxResponseSize: MAX_ANSWER_BYTES,
      socketCloseTimeout: 0,
      ...(user !== null && { auth: { user, pass: password ?? '' } }),
    });
    try {
      const { response, rejected } = await transport.sendMail({
        from: { name: 'Makerdesk', address: from },
        to,
        subject: headOf(call),
        text: bodyOf(call),
        messageId: `<${call.id}@makerdesk>`,
        headers: { 'auto-submitted': 'auto-generated' },
        signal,
      });
      const refused = rejected.length === 0 ? '' : `; not taken for ${rejected.length} of ${to.length}`;
      return `it answered${shownAnswer(withoutKeys(keys, response))}${refused}`;
    } catch (error) {
      throw new Error(shownAnswer(withoutKeys(keys, wordsOf(error))).slice(2));
    }
  };
}

/** A password as it goes over the line: a server may repeat in its refusal what it was told. */
function spellingsOf(user: string, password: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return [password, base64(password), base64(`\0${user}\0${password}`)];
}

function wordsOf(error: unknown): string {
  return systemFault(error) ?? (error instanceof Error ? error.message : String(error));
}

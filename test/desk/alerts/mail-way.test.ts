import { expect, test, vi } from 'vitest';
import { alertWaySchema } from '../../../electron/contract/alert-ways.ts';
import { mail, mailServer, stopped, WELL, watched } from './alerting.ts';

const PASSWORD = 'mailbox-canary-4711';

async function withMail(answers?: Parameters<typeof mailServer>[0], tryMs?: number) {
  const server = await mailServer(answers);
  const desk = await watched(tryMs === undefined ? {} : { tryMs });
  return { ...desk, ...server };
}

test('a mail says what stopped in its subject, to everybody it is for, and another that it is over', async () => {
  const { desk, ways, port, heard } = await withMail();
  await ways.save(mail(port), null, { actor: 'mara' });
  desk.view = { ...WELL, attention: [{ ...stopped('node 1'), title: 'The node is away\r\nBcc: evil@evil.example' }] };
  await vi.waitFor(() => expect(heard.filter((line) => line === '.')).toHaveLength(1));
  expect(heard).toContain('RCPT TO:<ops@desk.example>');
  expect(heard).toContain('RCPT TO:<night@desk.example>');
  expect(heard.filter((line) => /^Bcc:/i.test(line))).toEqual([]); // nothing in a title becomes a line of its own
  expect(heard.some((line) => /^Subject: .*STOPPED/.test(line) || /^Subject: =\?/.test(line))).toBe(true);
  desk.view = WELL;
  await vi.waitFor(() => expect(heard).toContain('This is over now.'));
  expect(await ways.test('mail', 'mara')).toEqual({ ok: true, answered: 'it answered: 250 2.0.0 queued as 4711' });
});

test('a password goes to the server that it was given for, and nowhere into words, also where the server repeats it', async () => {
  const token = Buffer.from(`\0ops\0${PASSWORD}`).toString('base64');
  const { desk, ways, port, heard } = await withMail((line) =>
    line.startsWith('AUTH') ? `535 5.7.8 ${line} ${PASSWORD} is wrong\r\n` : undefined,
  );
  await ways.save(mail(port, { user: 'ops' }), PASSWORD, { actor: 'mara' });
  expect(await ways.test('mail', 'mara')).toMatchObject({ ok: false, answered: expect.stringContaining('535') });
  expect(heard).toContain(`AUTH PLAIN ${token}`);
  desk.view = { ...WELL, attention: [stopped('node 1')] };
  await vi.waitFor(() => expect(ways.state('mail').fault).toContain('535'));
  const words = JSON.stringify([desk.said, ways.list(), ways.state('mail'), ways.attention()]);
  expect(words).not.toContain(PASSWORD);
  expect(words).not.toContain(token);
  const other = await mailServer();
  const moved = ways.save(mail(other.port, { user: 'ops' }), null, { actor: 'mara' });
  await expect(moved).rejects.toMatchObject({ code: 'no_way_secret' });
});

test.for<[string, Parameters<typeof mailServer>[0], RegExp]>([
  ['never greets', (line) => (line === '' ? null : undefined), /longer than 0.3 s/],
  ['is no mail server', (line) => (line === '' ? 'HTTP/1.1 400 Bad Request\r\n\r\n' : undefined), /./],
  ['talks without an end', (line) => (line === '' ? `220-${'a'.repeat(200_000)}` : undefined), /./],
  ['takes no mail', (line) => (line.startsWith('MAIL') ? '550 no such sender\r\n' : undefined), /550 no such sender/],
  ['falls silent', (line) => (line === '.' ? null : undefined), /longer than 0.3 s/],
])('a server that %s is a fault in words', async ([what, answers, fault]) => {
  const isSilent = what === 'never greets' || what === 'falls silent';
  const { ways, port } = await withMail(answers, isSilent ? 300 : undefined);
  await ways.save(mail(port), null, { actor: 'mara' });
  const { ok, answered } = await ways.test('mail', 'mara');
  expect(ok).toBe(false);
  expect(answered).toMatch(fault);
});

test('a server that does not offer TLS is told nothing, and without TLS only this machine is', async () => {
  const { ways, port, heard } = await withMail();
  await ways.save(mail(port, { security: 'starttls', user: 'ops' }), PASSWORD, { actor: 'mara' });
  expect(await ways.test('mail', 'mara')).toMatchObject({ ok: false });
  expect(heard.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  expect(alertWaySchema.safeParse(mail(25, { host: 'mail.example' })).success).toBe(false);
  expect(alertWaySchema.safeParse(mail(25, { host: 'mail.example', security: 'starttls' })).success).toBe(true);
});

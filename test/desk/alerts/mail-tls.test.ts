import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mail, watched } from './alerting.ts';

const PASSWORD = 'mailbox-canary-4712';
const HAS_OPENSSL = runs('openssl', 'version');

type Pair = { key: string; cert: string };

function runs(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A certificate for the name, which signs itself. */
function certificate(name: string): Pair {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-mail-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2'];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return pair;
}

/** A mail server with TLS, and what came over which line: a login or a mail in clear text would be among it. */
async function tlsServer(pair: Pair, options: { secure: boolean; disabledCommands?: string[] }) {
  const came: { what: string; secure: boolean }[] = [];
  const server = new SMTPServer({
    ...pair,
    ...options,
    allowInsecureAuth: true, // it would take a password in clear text: that none comes is the desk's doing
    disableReverseLookup: true,
    onAuth: ({ username, password }, session, done) => {
      came.push({ what: `${username} ${password}`, secure: session.secure });
      done(null, { user: username });
    },
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        came.push({ what: 'mail', secure: session.secure });
        done();
      });
    },
  });
  server.on('error', () => {}); // a client that breaks off
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(resolve)));
  return { port: (server.server.address() as AddressInfo).port, came };
}

async function tried(port: number, security: 'tls' | 'starttls') {
  const { ways } = await watched();
  await ways.save(mail(port, { host: 'localhost', security, user: 'ops' }), PASSWORD, { actor: 'mara' });
  return ways.test('mail', 'mara');
}

describe.skipIf(!HAS_OPENSSL)('a mail server with TLS (needs openssl)', () => {
  const usual = getCACertificates('default');
  let fits: Pair;
  let ofAnother: Pair;
  let unknown: Pair;
  beforeAll(() => {
    [fits, ofAnother, unknown] = [
      certificate('localhost'),
      certificate('mail.other.example'),
      certificate('localhost'),
    ];
    setDefaultCACertificates([...usual, fits.cert, ofAnother.cert]);
  });
  afterAll(() => setDefaultCACertificates(usual));

  describe.each(['tls', 'starttls'] as const)('%s', (security) => {
    const secure = security === 'tls';

    test('takes the login and the mail over TLS alone', async () => {
      const { port, came } = await tlsServer(fits, { secure });
      expect(await tried(port, security)).toMatchObject({ ok: true, answered: expect.stringContaining('250') });
      expect(came).toEqual([
        { what: `ops ${PASSWORD}`, secure: true },
        { what: 'mail', secure: true },
      ]);
    });

    test('with a certificate of another name is refused, with the reason in words, and hears no password', async () => {
      const { port, came } = await tlsServer(ofAnother, { secure });
      const { ok, answered } = await tried(port, security);
      expect(ok).toBe(false);
      expect(answered).toMatch(/does not match certificate's altnames.*mail\.other\.example/);
      expect(came).toEqual([]);
    });

    test('with a certificate that nobody vouches for is refused, with the reason in words, and hears no password', async () => {
      const { port, came } = await tlsServer(unknown, { secure });
      const { ok, answered } = await tried(port, security);
      expect(ok).toBe(false);
      expect(answered).toMatch(/self-signed certificate/);
      expect(came).toEqual([]);
    });
  });

  test('that has lost its STARTTLS on the way hears no password, though it would take one in clear text', async () => {
    const { port, came } = await tlsServer(fits, { secure: false, disabledCommands: ['STARTTLS'] });
    expect(await tried(port, 'starttls')).toMatchObject({ ok: false });
    expect(came).toEqual([]);
  });

  test('that speaks clear text where TLS is set hears no password', async () => {
    const { port, came } = await tlsServer(fits, { secure: false });
    expect(await tried(port, 'tls')).toMatchObject({ ok: false });
    expect(came).toEqual([]);
  });
});

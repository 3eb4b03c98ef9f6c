import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An authority that was made for one test, and certificates of it: all are files in the folder of the test. */
export class TestAuthority {
  readonly certificate: string;
  readonly #folder: string;
  readonly #key: string;

  constructor(folder: string, called = 'test-authority') {
    this.#folder = folder;
    this.certificate = join(folder, `${called}.pem`);
    this.#key = join(folder, `${called}.key`);
    openssl([
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=An authority of a test', '-keyout', this.#key, '-out', this.certificate],
    ]);
  }

  /** A server's certificate for these names, as OpenSSL writes them: `DNS:localhost`, `IP:127.0.0.1`. */
  certify(called: string, names: string, days = 2): { certificate: string; key: string } {
    const file = (ending: string) => join(this.#folder, `${called}.${ending}`);
    const [certificate, key, request, extensions] = [file('pem'), file('key'), file('csr'), file('ext')];
    writeFileSync(extensions, `subjectAltName=${names}\n`);
    openssl([
      ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', '/CN=A server of a test', '-keyout', key, '-out', request],
    ]);
    openssl([
      ...['x509', '-req', '-in', request, '-CA', this.certificate, '-CAkey', this.#key, '-CAcreateserial'],
      ...['-days', `${days}`, '-extfile', extensions, '-out', certificate],
    ]);
    return { certificate, key };
  }
}

function openssl(args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../desk/desk-process.ts';
import { guidePage } from '../readme/guide-page.ts';
import { TestAuthority } from './authority.ts';
import { type Rights, TestOperator } from './jwt.ts';
import { type Nats, startNats } from './nats.ts';

/** Everybody who has a user of their own in the guide's configuration: what it is called there, and whose rights it has. */
const USERS = {
  'fra-1': ['U-OF-FRA-1', 'DESK'],
  'lon-1': ['U-OF-LON-1', 'DESK'],
  mara: ['U-OF-MARA', 'COMMANDS'],
  tokyo: ['U-OF-TOKYO', 'TOKYO'],
} as const;
export type UserName = keyof typeof USERS;

export interface GuardedFleet {
  nats: Nats;
  url: string;
  /** The file of the authority that the server's certificate is of. */
  authority: string;
  /** The file of a user's credentials. */
  credentials(user: UserName): string;
  /** What a command is given to reach it as this user. */
  access(user: UserName): string[];
  /** Those rights of the guide that nobody has made use of, by the server's log. */
  unused(): string[];
  /** What the server has refused somebody, by its log. */
  refused(): string[];
}

/** What the guide says to write into the configuration of a fleet server. */
function guideConfiguration(): string {
  const [, text] = /```conf\n([\s\S]*?)```/.exec(guidePage('fleet-server.md').text) ?? [];
  if (text === undefined) throw new Error('the guide has no configuration');
  return text;
}

/** The rights that the guide gives to those of this name there. */
export function guideRights(of: UserName): Rights {
  const [, called] = USERS[of];
  const [, block = ''] = new RegExp(`^${called} = \\{([\\s\\S]*?)^\\}`, 'm').exec(guideConfiguration()) ?? [];
  const listed = (word: string) => {
    const [, list = ''] = new RegExp(`${word}: \\[([\\s\\S]*?)\\]`).exec(block) ?? [];
    return [...list.matchAll(/"([^"]+)"/g)].map(([, subject = '']) => subject);
  };
  const rights = { publish: listed('publish'), subscribe: listed('subscribe') };
  if (rights.publish.length === 0 || rights.subscribe.length === 0) throw new Error(`the guide has no ${called}`);
  return rights;
}

/**
 * A fleet server with TLS and the users of the guide, who show their keys, or a token of an operator. `change`: what is otherwise in the
 * rights of somebody.
 */
export async function guardedFleet(
  by: 'keys' | 'tokens',
  change: (rights: Rights, user: UserName) => Rights = (rights) => rights,
): Promise<GuardedFleet> {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const authority = new TestAuthority(folder);
  const { certificate, key } = authority.certify('server', 'DNS:localhost,IP:127.0.0.1');
  const operator = new TestOperator();
  const file = (user: UserName) => join(folder, `${user}.${by === 'keys' ? 'nk' : 'creds'}`);
  let text = guideConfiguration()
    .replace('/etc/nats/server.pem', certificate)
    .replace('/etc/nats/server.key', key)
    // Where it listens and writes it is told by its options.
    .replace(/^(listen|jetstream)\b.*\n/gm, '');
  for (const [name, [placeholder, called]] of Object.entries(USERS)) {
    const user = name as UserName;
    const pair = nkeys.createUser();
    const rights = change(guideRights(user), user);
    const seed = new TextDecoder().decode(pair.getSeed());
    writeFileSync(file(user), by === 'keys' ? seed : operator.credentials(user, rights, pair), { mode: 0o600 });
    text = text.replace(placeholder, pair.getPublicKey());
    for (const word of ['publish', 'subscribe'] as const) {
      const list = new RegExp(`(^${called} = \\{[\\s\\S]*?${word}: )\\[[\\s\\S]*?\\]`, 'm');
      text = text.replace(list, (_, before: string) => `${before}${JSON.stringify(rights[word])}`);
    }
  }
  if (by === 'tokens') text = `${/^tls .*\n/m.exec(text)?.[0]}${operator.configuration()}`;
  const configuration = join(folder, 'nats.conf');
  writeFileSync(configuration, text);
  const log = join(folder, 'nats.log');
  const nats = await startNats(['-c', configuration, '-l', log, '-V']).catch((cause: unknown) => {
    throw new Error(readFileSync(log, 'utf8'), { cause });
  });
  onTestFinished(() => nats.close());
  const url = `tls://localhost:${nats.port}/emea`;
  return {
    nats,
    url,
    authority: authority.certificate,
    credentials: file,
    access: (user) => ['--fleet', url, '--fleet-credentials', file(user), '--fleet-ca', authority.certificate],
    unused() {
      const traced = [...readFileSync(log, 'utf8').matchAll(/<<- \[(H?PUB|SUB) (\S+)/g)];
      const asked = new Set(
        traced.map(([, verb, subject]) => `${verb === 'SUB' ? 'subscribe' : 'publish'} ${subject}`),
      );
      const users = Object.keys(USERS) as UserName[];
      const rights = users.flatMap((user) => {
        const { publish, subscribe } = guideRights(user);
        return [...publish.map((right) => `publish ${right}`), ...subscribe.map((right) => `subscribe ${right}`)];
      });
      return [...new Set(rights)].filter((right) => ![...asked].some((one) => covers(right, one)));
    },
    refused: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => /Violation|uthentication|uthorization/.test(line)),
  };
}

/** Whether a subject is one of those that stand for several: `*` for one of its words, `>` for one or more at its end. */
function covers(right: string, subject: string): boolean {
  const [wanted, words] = [right.split('.'), subject.split('.')];
  const isOpen = wanted.at(-1) === '>';
  if (isOpen ? words.length < wanted.length : words.length !== wanted.length) return false;
  return wanted.every(
    (word, index) => word === '*' || (isOpen && index === wanted.length - 1) || word === words[index],
  );
}

import { randomUUID } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** What a user may do. */
export interface Rights {
  publish: string[];
  subscribe: string[];
}

/** An operator with one account, made for one test: what a server has to know of both, and users of the account. */
export class TestOperator {
  readonly #operator = nkeys.createOperator();
  readonly #account = nkeys.createAccount();
  /** Of the server itself: without one it keeps no streams. */
  readonly #system = nkeys.createAccount();

  /** The part of a server's configuration that has it trust this operator, and nobody else. */
  configuration(): string {
    const unlimited = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1 };
    const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
    const limits = { ...unlimited, wildcards: true, ...storage };
    const accounts = [this.#account, this.#system].map((account) => {
      const key = account.getPublicKey();
      const nats = { type: 'account', limits: account === this.#account ? limits : unlimited };
      return `${key}: ${token('an account of a test', key, this.#operator, nats)}`;
    });
    const operator = token('operator of a test', this.#operator.getPublicKey(), this.#operator, { type: 'operator' });
    return `operator: ${operator}\nsystem_account: ${this.#system.getPublicKey()}\nresolver: MEMORY\nresolver_preload: { ${accounts.join(', ')} }\n`;
  }

  /** A user's file, as `nsc` writes it. `expires`: in Unix seconds. */
  credentials(called: string, { publish, subscribe }: Rights, user = nkeys.createUser(), expires?: number): string {
    const nats = {
      type: 'user',
      pub: { allow: publish },
      sub: { allow: subscribe },
      subs: -1,
      data: -1,
      payload: -1,
    };
    const jwt = token(called, user.getPublicKey(), this.#account, nats, expires);
    const seed = new TextDecoder().decode(user.getSeed());
    return `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
  }
}

/** A token of the second version, as servers take it since 2.2: signed by the key of whoever stands above its subject. */
function token(name: string, subject: string, issuer: KeyPair, nats: object, exp?: number): string {
  const claims = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    name,
    sub: subject,
    exp,
    nats: Object.assign({ version: 2 }, nats),
  };
  const part = (of: object) => Buffer.from(JSON.stringify(of)).toString('base64url');
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}

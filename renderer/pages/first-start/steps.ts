import { plural, shortHex } from '../../components/figures/counts.ts';

/** What a person gives, in the order of the list. It may be given in any order, as far as one does not need another. */
const GIVEN = [
  { id: 'passphrase', name: 'Passphrase' },
  { id: 'key', name: 'Key' },
  { id: 'network', name: 'Network' },
  { id: 'tokens', name: 'Tokens' },
  { id: 'approvals', name: 'Maker and approvals' },
  { id: 'ladders', name: 'Pairs and first ladders' },
  { id: 'counterparty', name: 'Counterparty' },
  { id: 'takers', name: 'Takers' },
  { id: 'surface', name: 'Surface' },
] as const;

type GivenId = (typeof GIVEN)[number]['id'];
export type StepId = GivenId | 'check' | 'live';

/** `later`: it waits for another step. `fault`: something in it is wrong and keeps the desk from LIVE. */
export type StepState = 'done' | 'todo' | 'later' | 'fault';

export interface Step {
  id: StepId;
  name: string;
  state: StepState;
  /** In a few words: what is there, or what is missing. */
  says: string;
  /** What is missing before LIVE, for the list of it; null where nothing of this step is. */
  missing: { title: string; detail: string } | null;
}

/** What is set up so far of a desk and one chain of it. */
export interface Facts {
  /** Null where there is no key. */
  signer: string | null;
  /** Null before there is one. `head`: how old its newest block is and how long its node takes, where that is known. */
  chain: { name: string; chainId: number; fault: string | null; head?: string | null } | null;
  /** Tokens of the chain by ID, with what the maker has approved of each (null before the chain has said it), and whether a ladder pays it. */
  tokens: readonly { tokenId: string; allowance: bigint | null; isPaid: boolean }[];
  /** The gas of the approvals that are missing, together; null while it is not known. */
  approvalGas?: string | null;
  /** Pairs of the chain, and whether anything of each is priced. */
  pairs: readonly { pair: string; isPriced: boolean }[];
  counterparties: readonly { domain: string; hasSecret: boolean }[];
  takers: number;
  /** Where the surface listens; null while it does not. */
  surfaceUrl: string | null;
  /** The self-check made anew, without what is said of approvals; null before it was. */
  outlook: { failed: readonly string[]; refused: string | null; starts: number } | null;
}

/** Where each step stands for each of the chains, and what it still misses: the self-check waits for all of them. */
export function stepsOf(chains: readonly Facts[]): Step[][] {
  const given = chains.map((facts) => GIVEN.map(({ id, name }): Step => ({ id, name, ...standingOf(id, facts) })));
  const isReady = given.flat().every(({ state }) => state === 'done');
  return chains.map((facts, index) => {
    const check: Step = { id: 'check', name: 'Self-check', ...checkStanding(facts, isReady) };
    const state = check.state === 'done' ? 'todo' : 'later';
    const live: Step = { id: 'live', name: 'Go live', state, says: 'asks for a reason', missing: null };
    return [...(given[index] ?? []), check, live];
  });
}

/** Steps that each chain has for itself. */
const OF_CHAIN: ReadonlySet<StepId> = new Set(['network', 'tokens', 'approvals', 'ladders', 'takers']);

export type Missing = NonNullable<Step['missing']> & Pick<Step, 'id' | 'state'>;

/** What keeps the desk from LIVE: what all its chains share once, what is a chain's own with its name where there are several. */
export function missingOf(chains: readonly { name: string | null; steps: readonly Step[] }[]): Missing[] {
  return chains.flatMap(({ name, steps }, index) =>
    steps.flatMap(({ id, state, missing }) => {
      const isOwn = OF_CHAIN.has(id);
      if (missing === null || (!isOwn && index > 0)) return [];
      const named = isOwn && chains.length > 1 && name !== null && missing.title !== name;
      return [{ id, state, ...missing, title: named ? `${name}: ${missing.title}` : missing.title }];
    }),
  );
}

type Standing = Pick<Step, 'state' | 'says' | 'missing'>;

const done = (says: string): Standing => ({ state: 'done', says, missing: null });
const todo = (says: string, title: string, detail: string): Standing => ({
  state: 'todo',
  says,
  missing: { title, detail },
});
const later = (says: string, title: string, detail: string): Standing => ({
  state: 'later',
  says,
  missing: { title, detail },
});
const fault = (says: string, title: string, detail: string): Standing => ({
  state: 'fault',
  says,
  missing: { title, detail },
});

function standingOf(id: GivenId, facts: Facts): Standing {
  const { signer, chain, surfaceUrl } = facts;
  if (id === 'passphrase') return done('set, asked for at every start');
  if (id === 'key') {
    return signer === null
      ? todo('none yet', 'A key', 'Made here, or brought from a keystore file.')
      : done(shortHex(signer));
  }
  if (id === 'network') return networkStanding(facts);
  if (id === 'counterparty') return counterpartyStanding(facts);
  if (id === 'surface') {
    return surfaceUrl === null
      ? todo('does not listen', 'Surface', 'The desk does not listen, so nobody can ask it.')
      : done(surfaceUrl.replace('http://', ''));
  }
  if (chain === null) return later('after the network', ...LATER[id]);
  if (id === 'tokens') return tokensStanding(facts);
  if (id === 'approvals') return approvalsStanding(facts);
  if (id === 'ladders') return laddersStanding(facts);
  if (facts.takers === 0) return todo('none yet', 'Takers', 'Execution contracts that orders may name. One is enough.');
  return done(`${plural(facts.takers, 'contract')} may be named`);
}

const LATER: Record<'tokens' | 'approvals' | 'ladders' | 'takers', [string, string]> = {
  tokens: ['Tokens', 'Two of them, by their addresses.'],
  approvals: ['Approvals', 'What the RFQ contract may take, for each token that is paid out.'],
  ladders: ['A pair with a ladder', 'One pair, one level on each side is enough.'],
  takers: ['Takers', 'They come with the network.'],
};

function networkStanding({ signer, chain }: Facts): Standing {
  if (chain === null) {
    return signer === null
      ? later('after the key', 'A network', 'Its node, tried at once.')
      : todo('none yet', 'A network', 'Its node, tried at once.');
  }
  const says = `${chain.name} (${chain.chainId})`;
  if (chain.fault !== null) return fault(says, chain.name, chain.fault);
  return done(chain.head == null ? says : `${says} · ${chain.head}`);
}

function tokensStanding({ tokens }: Facts): Standing {
  if (tokens.length >= 2) return done(plural(tokens.length, 'token'));
  return todo(tokens.length === 0 ? 'none yet' : 'one, a pair needs two', 'Tokens', 'A pair needs two.');
}

function approvalsStanding({ tokens, approvalGas = null }: Facts): Standing {
  if (tokens.length === 0) return later('after the tokens', ...LATER.approvals);
  const paid = tokens.filter(({ isPaid }) => isPaid);
  if (paid.some(({ allowance }) => allowance === null)) {
    return later('not read yet', 'Approvals', 'The chain has not said yet what is approved.');
  }
  const none = paid.filter(({ allowance }) => allowance === 0n).map(({ tokenId }) => tokenId);
  if (none.length > 0) {
    const [gas, together] = approvalGas === null ? ['', ''] : [` · ${approvalGas}`, `, about ${approvalGas} together`];
    return todo(
      `${none.length} to approve${gas}`,
      plural(none.length, 'approval'),
      `${none.join(', ')}: a transaction each${together}.`,
    );
  }
  return done('each token that is paid out has one');
}

function laddersStanding({ tokens, pairs }: Facts): Standing {
  if (pairs.length === 0) {
    return tokens.length < 2 ? later('after the tokens', ...LATER.ladders) : todo('no pair yet', ...LATER.ladders);
  }
  const priced = pairs.filter(({ isPriced }) => isPriced).length;
  if (priced === 0) return todo('no ladder yet', 'A first ladder', 'One level on each side is enough.');
  return done(
    priced === pairs.length ? plural(pairs.length, 'pair') : `${priced} of ${plural(pairs.length, 'pair')} priced`,
  );
}

function counterpartyStanding({ counterparties }: Facts): Standing {
  if (counterparties.length === 0) {
    return todo('no credentials yet', 'Counterparty’s secret', 'Without it anybody on this machine may ask.');
  }
  const bare = counterparties.filter(({ hasSecret }) => !hasSecret).map(({ domain }) => domain);
  if (bare.length > 0) {
    return fault('a secret is missing', `Secret of ${bare.join(', ')}`, 'Without it every request is answered 401.');
  }
  return done(counterparties.map(({ domain }) => domain).join(', '));
}

function checkStanding({ outlook }: Facts, isReady: boolean): Standing {
  const [first] = outlook?.failed ?? [];
  if (outlook !== null && first !== undefined) {
    const count = outlook.failed.length;
    return fault(plural(count, 'fault'), plural(count, 'fault of the self-check', 'faults of the self-check'), first);
  }
  if (!isReady) return later('once nothing is missing', 'Self-check', 'It starts by itself.');
  if (outlook === null) return later('checking…', 'Self-check', 'It is being made.');
  if (outlook.refused !== null) return fault('refused', 'Self-check', outlook.refused);
  if (outlook.starts === 0) return later('starts nothing yet', 'Self-check', 'Something is waited for: see what.');
  return done(`${plural(outlook.starts, 'pair')} would start`);
}

import { type FormEvent, useState } from 'react';
import type {
  NftOrderPlan,
  NftOrderSide,
  NftOrderTerms,
  SignedNftOrder,
} from '../../../electron/contract/nft-order.ts';
import type { QuoteDetail } from '../../../electron/contract/quote-log.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { stampText } from '../../components/figures/times.ts';
import { Note, RefusalNote } from '../../components/note.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Stack } from '../../components/stack.tsx';
import { useClient, useConsole, useDesk, useToasts } from '../../state/console.tsx';
import { readNumber } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useListings } from '../../state/tokens.ts';
import { useCommand } from '../../state/use-command.ts';
import { readEnd } from '../blacklist/blacklist-terms.tsx';
import { OnChainDialog } from '../desk/on-chain-dialog.tsx';
import factsStyles from './facts.module.css';
import styles from './nft-order-dialog.module.css';

/** One side as typed: an NFT, or so much of a listed token. */
interface TypedSide {
  is: 'nft' | 'token';
  nft: string;
  id: string;
  pieces: string;
  amount: string;
  tokenId: string;
}

interface Typed {
  chainId: number | undefined;
  gives: TypedSide;
  gets: TypedSide;
  taker: string;
  until: string;
}

type Fault = { path: string; message: string };

const NOTHING: TypedSide = { is: 'nft', nft: '', id: '', pieces: '1', amount: '', tokenId: '' };
const ENDS = ['1 h', '24 h', '7 d'].map((value) => ({ value, text: value }));
const KINDS = [
  { value: 'nft', text: 'an NFT' },
  { value: 'token', text: 'a token' },
] as const;
const FIELDS = ['gives', 'gets', 'taker', 'until'].flatMap((name) =>
  ['', '.nft', '.id', '.pieces', '.amount', '.tokenId'].map((step) => name + step),
);

/** Signs an order with an NFT for one taker, which the service knows nothing of. */
export function NftOrderButton({ onSigned }: { onSigned: (seq: number) => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>NFT order…</Button>
      {asking && <NftOrderDialog onSigned={onSigned} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Three steps: what is typed, what it means in plain words, and what the taker is handed. */
function NftOrderDialog({ onSigned, onClose }: { onSigned: (seq: number) => void; onClose: () => void }) {
  const { desk } = useConsole();
  const client = useClient();
  const chains = useDesk((view) => view.chains);
  const [typed, setTyped] = useState<Typed>({
    chainId: chains[0]?.chainId,
    gives: NOTHING,
    gets: { ...NOTHING, is: 'token' },
    taker: '',
    until: '24 h',
  });
  const [asked, setAsked] = useState<{ terms: NftOrderTerms; plan: NftOrderPlan } | null>(null);
  const [signed, setSigned] = useState<SignedNftOrder | null>(null);
  const tokens = Object.keys(useListings(typed.chainId).data?.tokens ?? {});
  const look = useCommand(async () => {
    const terms = termsOf(typed, tokens, desk.now());
    setAsked({ terms, plan: await client.nftOrders.check(terms) });
  });
  const sign = useCommand(async () => {
    if (asked === null) return;
    const order = await client.nftOrders.sign({ ...asked.terms, words: asked.plan.words });
    setSigned(order);
    onSigned(order.seq);
  });
  if (signed !== null) {
    return (
      <Dialog title="Signed. Hand it to the taker" onClose={onClose} width="wide">
        <Stack>
          <Lead>{signed.words}</Lead>
          <Note level="note" title="It is live from now on.">
            Whoever is named as taker can fill it until its end. It counts among what is signed, and can be cancelled on
            chain from its row in this log. The service does not know it: send it to the taker yourself.
          </Note>
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Close
          </Button>
          <CopyOrder order={signed} />
        </DialogActions>
      </Dialog>
    );
  }
  if (asked !== null) {
    return (
      <Dialog title="Sign this order?" onClose={onClose} width="wide">
        <dl className={styles.plan}>
          <PlanLine name="We give" says={asked.plan.gives} />
          <PlanLine name="We get" says={asked.plan.gets} />
          <PlanLine
            name="To"
            says={`${asked.plan.taker}, who alone can take it${asked.plan.inParts ? ', at once or in parts' : ''}`}
          />
          <PlanLine name="Until" says={`${stampText(asked.plan.until)} ${zoneName(asked.plan.until)}`} />
          <PlanLine name="On" says={asked.plan.chain} />
        </dl>
        <Stack>
          <p className="quiet">
            The chain was asked who owns the NFT and whether the RFQ contract may take it. It is asked once more when
            you sign. A signature cannot be called back: until its end only a cancellation on chain stops the order.
          </p>
          {sign.refusal && <RefusalNote refusal={sign.refusal} />}
        </Stack>
        <DialogActions>
          <Button
            size="large"
            onClick={() => {
              sign.reset();
              setAsked(null);
            }}
          >
            Change it
          </Button>
          <Button look="primary" size="large" disabled={sign.busy} onClick={() => sign.run()}>
            {sign.busy ? 'Signing…' : 'Sign order'}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const end = readEnd(typed.until, desk.now());
  const refusal = look.refusal;
  return (
    <Dialog title="NFT order for one taker" needs="trade" onClose={onClose} width="wide">
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          look.run();
        }}
      >
        <Stack>
          {chains.length > 1 && (
            <SelectField
              label="Chain"
              value={`${typed.chainId ?? ''}`}
              options={chains.map(({ chainId, name }) => ({ value: `${chainId}`, text: name }))}
              onChange={(value) => setTyped({ ...typed, chainId: Number(value) })}
            />
          )}
          {(['gives', 'gets'] as const).map((name) => (
            <SideFields
              key={name}
              legend={name === 'gives' ? 'We give' : 'We get'}
              side={typed[name]}
              tokens={tokens}
              fault={(field) => faultOf(refusal, `${name}.${field}`)}
              onChange={(side) => setTyped({ ...typed, [name]: side })}
            />
          ))}
          <Field
            label="Taker"
            large
            className="mono"
            value={typed.taker}
            maxLength={42}
            placeholder="0x…"
            fault={faultOf(refusal, 'taker')}
            hint="Who alone can fill it, from this very address."
            onChange={(event) => setTyped({ ...typed, taker: event.target.value })}
          />
          <div>
            <Segmented
              label="Until"
              options={ENDS}
              value={typed.until}
              onChoose={(until) => setTyped({ ...typed, until })}
            />
          </div>
          <Field
            label={`Until, ${zoneName()}`}
            large
            value={typed.until}
            fault={faultOf(refusal, 'until')}
            hint={
              end.kind === 'at' ? `until ${stampText(end.time)} ${zoneName(end.time)}` : '2 minutes to 30 days from now'
            }
            onChange={(event) => setTyped({ ...typed, until: event.target.value })}
          />
          {refusal && <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, FIELDS)} />}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Do not sign
          </Button>
          <Button type="submit" look="primary" size="large" disabled={look.busy}>
            {look.busy ? 'Asking the chain…' : 'Look it over…'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function PlanLine({ name, says }: { name: string; says: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{says}</dd>
    </div>
  );
}

const LOOKS = { nft: 'mono', id: styles.id, pieces: styles.pieces, amount: styles.amount };

function SideFields(props: {
  legend: string;
  side: TypedSide;
  tokens: readonly string[];
  fault: (field: keyof TypedSide) => string | null;
  onChange: (side: TypedSide) => void;
}) {
  const { legend, side, tokens, fault, onChange } = props;
  const field = (name: 'nft' | 'id' | 'pieces' | 'amount', label: string, placeholder?: string) => (
    <Field
      label={label}
      large
      className={LOOKS[name]}
      value={side[name]}
      maxLength={name === 'nft' ? 42 : 80}
      placeholder={placeholder}
      inputMode={name === 'nft' ? undefined : 'decimal'}
      fault={fault(name)}
      onChange={(event) => onChange({ ...side, [name]: event.target.value })}
    />
  );
  return (
    <fieldset className={styles.side}>
      <legend>{legend}</legend>
      <Segmented
        label={`${legend}: what`}
        className={styles.kind}
        options={KINDS}
        value={side.is}
        onChoose={(is) => onChange({ ...side, is })}
      />
      {side.is === 'nft' ? (
        <>
          {field('nft', 'Contract', '0x…')}
          {field('id', 'Id')}
          {field('pieces', 'Pieces')}
        </>
      ) : (
        <>
          {field('amount', 'Amount')}
          <SelectField
            label="Token"
            large
            value={side.tokenId}
            options={['', ...tokens].map((value) => ({ value, text: value === '' ? 'choose' : value }))}
            fault={fault('tokenId')}
            onChange={(tokenId) => onChange({ ...side, tokenId })}
          />
        </>
      )}
    </fieldset>
  );
}

/** Throws InputRefused with the fault of each field. `now` is Unix milliseconds. */
function termsOf(typed: Typed, tokens: readonly string[], now: number): NftOrderTerms {
  const faults: Fault[] = [];
  const gives = sideOf('gives', typed.gives, tokens, faults);
  const gets = sideOf('gets', typed.gets, tokens, faults);
  const taker = addressOf('taker', typed.taker, faults);
  const end = readEnd(typed.until, now);
  if (end.kind !== 'at') {
    faults.push({ path: 'until', message: end.kind === 'wrong' ? end.reason : 'It must have an end.' });
  }
  if (gives === null || gets === null || taker === null || end.kind !== 'at' || typed.chainId === undefined) {
    throw new InputRefused(faults);
  }
  return { chainId: typed.chainId, gives, gets, taker, expiry: Math.floor(end.time / 1_000) };
}

function sideOf(name: string, typed: TypedSide, tokens: readonly string[], faults: Fault[]): NftOrderSide | null {
  if (typed.is === 'nft') {
    const nft = addressOf(`${name}.nft`, typed.nft, faults);
    const id = wholeOf(`${name}.id`, typed.id, faults);
    const pieces = wholeOf(`${name}.pieces`, typed.pieces, faults);
    return nft === null || id === null || pieces === null ? null : { nft, id, pieces };
  }
  const { text, fault } = readNumber(typed.amount);
  if (text === null) faults.push({ path: `${name}.amount`, message: fault ?? 'must not be empty' });
  if (!tokens.includes(typed.tokenId)) faults.push({ path: `${name}.tokenId`, message: 'must be chosen' });
  return text === null || !tokens.includes(typed.tokenId) ? null : { tokenId: typed.tokenId, amount: text };
}

function addressOf(path: string, typed: string, faults: Fault[]): `0x${string}` | null {
  const text = typed.trim().toLowerCase();
  if (/^0x[0-9a-f]{40}$/.test(text)) return text as `0x${string}`;
  faults.push({ path, message: 'must be 0x and 40 hex characters' });
  return null;
}

function wholeOf(path: string, typed: string, faults: Fault[]): string | null {
  const text = typed.trim();
  if (/^(0|[1-9][0-9]{0,77})$/.test(text)) return text;
  faults.push({ path, message: 'must be a whole number' });
  return null;
}

function CopyOrder({ order }: { order: SignedNftOrder }) {
  const toasts = useToasts();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(order, null, 2));
      toasts.show({ level: 'done', title: 'Copied the signed order', detail: 'Send it to the taker.' });
    } catch {
      toasts.show({ level: 'look', title: 'The clipboard does not answer' });
    }
  };
  return (
    <Button look="primary" size="large" onClick={() => void copy()}>
      Copy order
    </Button>
  );
}

/** What can be done about one that is open: hand it to its taker again, or cancel it on chain. */
export function NftOrderActs({ quote: { chainId, orderHash, outcome } }: { quote: QuoteDetail }) {
  const client = useClient();
  const { toasts } = useConsole();
  const [cancelling, setCancelling] = useState(false);
  const again = useCommand(async () => {
    const order = await client.nftOrders.signed({ chainId, orderHash: orderHash ?? '' });
    await navigator.clipboard.writeText(JSON.stringify(order, null, 2));
    toasts.show({ level: 'done', title: 'Copied the signed order', detail: 'Send it to the taker.' });
  });
  // What was sent is told to its end, also once the order is over by it.
  if (outcome !== 'open' && !cancelling) return null;
  return (
    <section className={factsStyles.facts}>
      <div className={styles.acts}>
        <Button disabled={again.busy} onClick={() => again.run()}>
          Copy order
        </Button>
        <Button onClick={() => setCancelling(true)}>Cancel on chain…</Button>
      </div>
      {again.refusal && <RefusalNote refusal={again.refusal} />}
      {cancelling && (
        <OnChainDialog
          needs="trade"
          urgent
          title="Cancel this order on chain?"
          send={(dryRun) => client.onChain.cancelOrders({ chainId, orderHash: orderHash ?? undefined, dryRun })}
          keep="Keep it"
          act="Cancel order"
          onClose={() => setCancelling(false)}
        />
      )}
    </section>
  );
}

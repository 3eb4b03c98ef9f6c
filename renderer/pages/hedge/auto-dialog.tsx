import { useState } from 'react';
import type { AutoHedgeRow } from '../../../electron/contract/hedge.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { amountText } from '../../components/figures/amounts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { AUTO_WORDS, type AutoState, autoState, useAuto } from '../../state/auto-hedge.ts';
import { useClient, useConsole, useDesk, useToasts } from '../../state/console.tsx';
import { readNumber } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { toldToAll } from '../../state/told-to-all.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './auto-dialog.module.css';
import { signedAmountText } from './hedge-words.ts';
import ticketFieldsStyles from './ticket-fields.module.css';
import { readAmount, readPercent } from './typed-amount.ts';
import { useVenues } from './venues.ts';

/** Automatic hedging, a pair each: off until somebody switches it on; a dry run says what it would do and does nothing. */
export function AutoDialog({ onClose }: { onClose: () => void }) {
  const read = useAuto();
  const [chosen, setChosen] = useState<string | null>(null);
  const [opened, setOpened] = useState(0);
  const rows = read.data ?? [];
  const edited = rows.find((row) => keyOf(row) === chosen);
  return (
    <Dialog title="Automatic hedging" onClose={onClose} width="widest">
      <Lead>
        When the unhedged amount of a pair reaches “From”, the desk hedges all of it by itself, up to “A day” in a UTC
        day. Without a fresh reference it never does. A halt stops it too.
      </Lead>
      <ReadState
        read={read}
        rows={4}
        isTable
        unknown="How pairs are hedged automatically is not known: the desk goes on as it is set"
      />
      {read.isSuccess && rows.length === 0 && <Empty title="No pair yet">List one under Tokens & pairs first.</Empty>}
      {rows.length > 0 && (
        <Scroll className={styles.scroll}>
          <Table>
            <thead>
              <tr>
                <th className={styles.pairColumn}>Pair</th>
                <th className={styles.stateColumn}>State</th>
                <th className={`right ${styles.openColumn}`}>Unhedged</th>
                <th className={`right ${styles.sumColumn}`}>From</th>
                <th className={`right ${styles.sumColumn}`}>Today</th>
                <th className={`right ${styles.sumColumn}`}>A day</th>
                <th>Last</th>
                <td className={styles.actColumn}>
                  <span className="only-read">Change</span>
                </td>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={keyOf(row)}
                  row={row}
                  isChosen={keyOf(row) === chosen}
                  onChoose={() => setChosen(keyOf(row))}
                />
              ))}
            </tbody>
          </Table>
        </Scroll>
      )}
      {edited !== undefined && (
        <AutoForm
          key={`${keyOf(edited)} ${opened}`}
          row={edited}
          onDone={() => void read.refetch()}
          onClose={() => setChosen(null)}
          showNow={() =>
            void read
              .refetch()
              .then(toldToAll)
              .then(() => setOpened(opened + 1))
          }
        />
      )}
    </Dialog>
  );
}

function Row({ row, isChosen, onChoose }: { row: AutoHedgeRow; isChosen: boolean; onChoose: () => void }) {
  const { desk } = useConsole();
  const several = useDesk((view) => view.chains.length > 1);
  const chain = useDesk((view) => view.chains.find(({ chainId }) => chainId === row.chainId)?.name ?? '');
  const state = autoState(row.settings);
  const unit = <span className="unit">{row.base.symbol}</span>;
  const last = row.last === null ? '—' : `${momentText(row.last.time, desk.now())} ${row.last.sentence}`;
  return (
    <tr aria-selected={isChosen}>
      <td>
        <PairName pair={row.pair} /> {several && <span className="unit">{chain}</span>}
      </td>
      <td className="with-mark">
        <Mark
          shape={row.stopped ? 'octagon' : state === 'on' ? 'live' : state === 'dry' ? 'part' : 'off'}
          tone={row.stopped ? 'stop' : state === 'on' ? 'ok' : 'quiet'}
        />
        {row.stopped ? 'stopped' : AUTO_WORDS[state]}
      </td>
      <td className="right">
        {signedAmountText(row.unhedged, row.base)} {unit}
      </td>
      <td className="right">
        {state === 'off' ? (
          '—'
        ) : (
          <>
            {exactText(row.settings.threshold)} {unit}
          </>
        )}
      </td>
      <td className="right">
        {amountText(row.hedgedToday, row.base)} {unit}
      </td>
      <td className="right">
        {state === 'off' ? (
          '—'
        ) : (
          <>
            {exactText(row.settings.capPerDay)} {unit}
          </>
        )}
      </td>
      <td className="muted" title={last}>
        {last}
      </td>
      <td className="right">
        <TextButton aria-label={`Change ${row.pair} on ${chain}`} onClick={onChoose}>
          Change…
        </TextButton>
      </td>
    </tr>
  );
}

function keyOf({ chainId, pair }: AutoHedgeRow): string {
  return `${chainId}:${pair}`;
}

const FIELDS = ['threshold', 'capPerDay', 'slippageBps', 'maxDistanceBps', 'lossCapPerDay'];

/** What the form calls what stands beside none of its fields. */
const LABELS: Readonly<Record<string, string>> = { on: 'Hedges by itself', dryRun: 'Dry run', mode: 'Way' };

/** What one pair is hedged by without a person. */
function AutoForm(props: {
  row: AutoHedgeRow;
  onDone: () => void;
  onClose: () => void;
  /** Opens it anew, with how the pair is set now. */
  showNow: () => void;
}) {
  const { row, onDone, onClose, showNow } = props;
  const client = useClient();
  const toasts = useToasts();
  const { chainId, pair, base, quote } = row;
  // The row goes on with what others set: this is what was in view when the form was opened.
  const [settings] = useState(row.settings);
  const [state, setState] = useState<AutoState>(autoState(settings));
  const [threshold, setThreshold] = useState(settings.threshold);
  const [cap, setCap] = useState(settings.capPerDay);
  const [slippage, setSlippage] = useState(String(settings.slippageBps / 100));
  const [distance, setDistance] = useState(String(settings.maxDistanceBps / 100));
  // None is an empty field: a zero in it reads as if the first loss switched it off.
  const lossCapBefore = /[1-9]/.test(settings.lossCapPerDay) ? settings.lossCapPerDay : '';
  const [lossCap, setLossCap] = useState(lossCapBefore);
  const [mode, setMode] = useState(settings.mode);
  const chain = useDesk((view) => view.chains.find((one) => one.chainId === chainId)?.name ?? `chain ${chainId}`);
  const where = `${pair} on ${chain}`;
  const isChanged =
    state !== autoState(settings) ||
    mode !== settings.mode ||
    threshold !== settings.threshold ||
    cap !== settings.capPerDay ||
    slippage !== String(settings.slippageBps / 100) ||
    distance !== String(settings.maxDistanceBps / 100) ||
    lossCap !== lossCapBefore;
  const kinds = useVenues().flatMap((venue) => venue.kinds.filter(({ automatic }) => automatic !== null));
  const save = useCommand(async () => {
    const { bps, fault } = readPercent(slippage);
    const far = readPercent(distance);
    const [least, most, loss] = [
      readNumber(threshold),
      readNumber(cap),
      readNumber(lossCap.trim() === '' ? '0' : lossCap),
    ];
    if (bps === null || far.bps === null || least.text === null || most.text === null || loss.text === null) {
      throw new InputRefused(
        [
          { path: 'threshold', isRead: least.text !== null, message: least.fault ?? 'must not be empty' },
          { path: 'capPerDay', isRead: most.text !== null, message: most.fault ?? 'must not be empty' },
          { path: 'slippageBps', isRead: bps !== null, message: fault ?? 'Percent, such as 0.5.' },
          { path: 'maxDistanceBps', isRead: far.bps !== null, message: far.fault ?? 'Percent, such as 0.5.' },
          { path: 'lossCapPerDay', isRead: loss.text !== null, message: loss.fault ?? 'must not be empty' },
        ].filter(({ isRead }) => !isRead),
      );
    }
    const amounts = { threshold: least.text, capPerDay: most.text, lossCapPerDay: loss.text };
    const wanted = { ...amounts, slippageBps: bps, maxDistanceBps: far.bps, mode };
    await client.hedge.setAuto({
      chainId,
      pair,
      settings: { on: state !== 'off', dryRun: state === 'dry', ...wanted },
      seen: settings,
    });
    toasts.show({ level: 'done', title: `Automatic hedging of ${where}: ${AUTO_WORDS[state]}` });
    onDone();
    onClose();
  });
  const { refusal } = save;
  const whatFollows = () => {
    if ([threshold, cap].some((typed) => readAmount(typed, base.decimals).raw === null)) {
      return `Type the unhedged ${base.symbol} from which it hedges, and the most a day.`;
    }
    const ends =
      readAmount(lossCap, quote.decimals).raw === null
        ? ' No loss switches it off.'
        : ` Once it has lost ${lossCap} ${quote.symbol} in a UTC day against the reference, it is switched off.`;
    const way = kinds.find((kind) => kind.mode === mode)?.automatic ?? mode;
    const deed = state === 'dry' ? `it only says that it would place ${way}` : `it places ${way}`;
    return `Fills count from now on. Once ${threshold} ${base.symbol} is unhedged, long or short, ${deed} for all of it, up to ${cap} ${base.symbol} a day, never further than ${distance} % from the reference.${ends}`;
  };
  return (
    <form
      className={ticketFieldsStyles.autoForm}
      aria-label={`Automatic hedging of ${where}`}
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <div className={ticketFieldsStyles.fields}>
        <SelectField
          label={`${where} hedges itself`}
          value={state}
          options={[
            { value: 'off', text: 'off' },
            { value: 'dry', text: 'dry run: says, does nothing' },
            { value: 'on', text: 'on: places hedges' },
          ]}
          onChange={setState}
        />
        <SelectField
          label="Way"
          value={mode}
          options={kinds.map((kind) => ({ value: kind.mode, text: kind.name }))}
          onChange={setMode}
        />
        <Field
          label={`From, ${base.symbol}`}
          className="right"
          inputMode="decimal"
          value={threshold}
          fault={faultOf(refusal, 'threshold')}
          onChange={(event) => setThreshold(event.target.value)}
        />
        <Field
          label={`A day, ${base.symbol}`}
          className="right"
          inputMode="decimal"
          value={cap}
          fault={faultOf(refusal, 'capPerDay')}
          onChange={(event) => setCap(event.target.value)}
        />
        <Field
          label="Slippage, %"
          className="right"
          inputMode="decimal"
          value={slippage}
          fault={faultOf(refusal, 'slippageBps')}
          onChange={(event) => setSlippage(event.target.value)}
        />
        <Field
          label="Off the reference at most, %"
          className="right"
          inputMode="decimal"
          value={distance}
          fault={faultOf(refusal, 'maxDistanceBps')}
          onChange={(event) => setDistance(event.target.value)}
        />
        <Field
          label={`Off after a day’s loss of, ${quote.symbol}`}
          className="right"
          inputMode="decimal"
          placeholder="no limit"
          value={lossCap}
          fault={faultOf(refusal, 'lossCapPerDay')}
          onChange={(event) => setLossCap(event.target.value)}
        />
      </div>
      <p className={styles.says} role="status">
        {state === 'off' ? 'This pair is hedged by hand only.' : whatFollows()}
      </p>
      {refusal !== null && (
        <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, FIELDS, LABELS)} showNow={showNow} />
      )}
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Leave it
        </Button>
        <Button type="submit" look="primary" size="large" disabled={!(isChanged || row.stopped) || save.busy}>
          {state === 'off'
            ? `Keep ${where} by hand`
            : state === 'dry'
              ? `Dry run for ${where}`
              : `Hedge ${where} automatically`}
        </Button>
      </DialogActions>
    </form>
  );
}

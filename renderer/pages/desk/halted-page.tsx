import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Attention } from '../../../electron/contract/desk-view.ts';
import type { StillLive } from '../../../electron/contract/still-live.ts';
import type { TransactionRow } from '../../../electron/contract/transactions.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Age } from '../../components/figures/age.tsx';
import { plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import { Needs } from '../../components/needs.tsx';
import { RefusalNote, RefusedNow } from '../../components/note.tsx';
import { PageBody } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { ResumeOutlookList, useResumeOutlook } from '../../components/resume-outlook.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { quotesOf, stillLive } from '../../components/still-live.ts';
import { StoppedMeanwhile } from '../../components/stops-around.tsx';
import { useClient, useConsole, useDesk, useQueries, useToasts, useToldAlerts } from '../../state/console.tsx';
import { STOPS_PATH } from '../../state/pages.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { outlookText, startsNow } from '../../state/resume-text.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useResume } from '../../state/use-resume.ts';
import { useStopsSeen } from '../../state/use-stops-seen.ts';
import { AttentionButton } from './attention-button.tsx';
import { plainUnits } from './attention-question.tsx';
import { HaltedBanner } from './halted-banner.tsx';
import styles from './halted-page.module.css';
import { isKnown, ticksOf } from './known-rows.ts';
import { OnChainDialog } from './on-chain-dialog.tsx';
import { StillLivePanel } from './still-live-panel.tsx';
import { useStillLive } from './use-still-live.ts';

/** Halted: what that means, what can still be taken from us and until when, who knows, and how it ends. */
export function HaltedPage({ onBack }: { onBack?: () => void }) {
  return (
    <>
      <HaltedBanner onBack={onBack} />
      <PageBody id="emergency" className={styles.page}>
        <StillLivePanel />
        <div className={styles.side}>
          <ServiceForecast />
          <WhoKnows />
          <ResumePanel />
        </div>
      </PageBody>
    </>
  );
}

const WHOLE_DESK = {};

/**
 * Walks through what stands against going live: the self-check made anew with what a resume starts, and everything else
 * that is wrong now. What is wrong has to be mended or ticked as known, and the reason to be written, before
 * the desk is asked; it makes the self-check once more. `isFirst`: the desk was never LIVE.
 */
export function ResumePanel({ isFirst = false }: { isFirst?: boolean }) {
  const attention = useDesk((view) => view.attention);
  const [reason, setReason] = useState('');
  const [tickedBefore, setTicked] = useState<readonly Attention[]>([]);
  const outlook = useResumeOutlook(WHOLE_DESK);
  const stops = useStopsSeen(WHOLE_DESK, reason.trim() !== '');
  const resume = useResume(WHOLE_DESK, reason, stops, outlook);
  // What the checks found stands in the self-check itself, made anew.
  const against = attention.filter(({ level, code }) => level === 'stop' && !code.startsWith('check '));
  // What only wants a look keeps nobody from resuming, and is counted beside the page's name like the rest.
  const looks = attention.filter(({ level, code }) => level === 'look' && !code.startsWith('check '));
  const ticked = ticksOf(against, tickedBefore);
  if (ticked !== tickedBefore) setTicked(ticked);
  const open = against.filter((row) => !isKnown(row, ticked));
  const fault = faultOf(resume.refusal, 'reason');
  const tick = (row: Attention) =>
    setTicked(isKnown(row, ticked) ? ticked.filter(({ code }) => code !== row.code) : [...ticked, row]);
  // A desk that was LIVE may wait for a node that is away; one that never was begins with something that trades.
  const starts = !isFirst || (outlook.data !== undefined && startsNow(outlook.data));
  const isRead = stops.canDecide && !stops.overtaken;
  const ready = reason.trim() !== '' && open.length === 0 && starts && isRead && !resume.busy;
  return (
    <Panel
      name={isFirst ? 'Go live' : 'Resume'}
      aside={asideOf(outlook, { open: open.length, all: against.length })}
      className={styles.resume}
      actions={
        isFirst ? undefined : (
          <Link href={STOPS_PATH} className="quiet">
            Earlier stops
          </Link>
        )
      }
    >
      <Scroll>
        <ResumeOutlookList outlook={outlook} />
        <ApproveAll outlook={outlook} />
        <ul className={styles.sideList}>
          {against.map((row) => (
            <li key={row.code} title={row.detail}>
              <input
                type="checkbox"
                aria-label={`Known: ${row.title}`}
                checked={isKnown(row, ticked)}
                onChange={() => tick(row)}
              />
              <span className="fill">
                <b className="strong">{row.title}</b> <span className="muted">{row.detail}</span>
              </span>
              <AttentionButton row={row} />
            </li>
          ))}
          {looks.map((row) => (
            <li key={row.code} title={row.detail}>
              <Mark shape="look" tone="attn" />
              <span className="fill">
                <b className="strong">{row.title}</b> <span className="muted">{row.detail}</span>
              </span>
              <AttentionButton row={row} />
            </li>
          ))}
        </ul>
        <StoppedMeanwhile stops={stops} />
        <RefusedNow outlook={outlook.data} refusal={resume.refusal} />
        {resume.refusal && resume.refusal.code !== 'checks_failed' && fault === null && (
          <RefusalNote refusal={resume.refusal} elsewhere={faultsElsewhere(resume.refusal, ['reason'])} />
        )}
      </Scroll>
      <Needs right="trade">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (ready) resume.run();
          }}
        >
          <Field
            label={isFirst ? 'Why is it safe to go live?' : 'Why is it safe to trade again?'}
            large
            hint={
              stops.overtaken
                ? 'Not yet: it was stopped meanwhile. Read above by whom and why.'
                : !starts
                  ? 'Not yet: fix what is named above, or wait until it answers.'
                  : open.length > 0
                    ? 'Fix what stands above, or tick what may stay as it is.'
                    : stops.error !== null && !stops.canDecide
                      ? 'Not yet: who stopped this is not known.'
                      : 'Goes into the journal with your name. The self-check is made once more first.'
            }
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button type="submit" look="primary" size="large" className="below-label" disabled={!ready}>
            {isFirst ? 'Go live' : 'Resume'}
          </Button>
        </form>
      </Needs>
    </Panel>
  );
}

/** Every approval that the self-check misses in one press, after what it costs was shown. */
function ApproveAll({ outlook: { data, refetch } }: { outlook: ReturnType<typeof useResumeOutlook> }) {
  const client = useClient();
  const exposure = useDesk((view) => view.exposure);
  const holds = ({ chainId, tokenId }: { chainId: number; tokenId: string }) => {
    const held = exposure.find((row) => row.chainId === chainId && row.tokenId === tokenId);
    return held?.balance == null || held.balance === '0' ? null : plainUnits(held.balance, held.decimals);
  };
  const missing = (data?.checks ?? []).flatMap(({ mend }) => {
    const amount = mend?.kind === 'approve' ? holds(mend) : null;
    return mend?.kind === 'approve' && amount !== null ? [{ ...mend, amount }] : [];
  });
  // What was shown with its cost is what is sent, whatever a later look finds.
  const [asked, setAsked] = useState<typeof missing | null>(null);
  if (missing.length < 2 && asked === null) return null;
  const send = async (dryRun: boolean) => {
    const rows: TransactionRow[] = [];
    for (const { chainId, tokenId, amount } of asked ?? []) {
      const told = await client.onChain.setAllowance({ chainId, tokenId, amount, dryRun });
      rows.push(...told);
      // What an emergency has taken away, the others would give back one by one.
      if (told.some(({ overtaken }) => overtaken === true)) break;
    }
    return rows;
  };
  const close = () => {
    setAsked(null);
    void refetch();
  };
  return (
    <>
      <div className={styles.approveAll}>
        <span className="fill muted">As much of each as the maker holds, for the RFQ contract.</span>
        <Button onClick={() => setAsked(missing)}>Approve all {missing.length}…</Button>
      </div>
      {asked !== null && (
        <OnChainDialog
          needs="settings"
          title={`Approve ${plural(asked.length, 'token')} for the RFQ contract?`}
          send={send}
          keep="Leave them"
          act={`Approve ${plural(asked.length, 'token')}`}
          onClose={close}
        />
      )}
    </>
  );
}

function asideOf(
  { data, error }: Pick<ReturnType<typeof useResumeOutlook>, 'data' | 'error'>,
  ticks: { open: number; all: number },
): string {
  const found = data === undefined ? (error === null ? 'checking…' : 'not checked') : outlookText(data);
  const ticked = ticks.all === 0 ? null : `${ticks.open} of ${ticks.all} to tick`;
  const parts = [found, ticked].filter((part) => part !== null);
  return parts.length === 0 ? 'nothing stands against it' : parts.join(' · ');
}

/** Polls come every second or two, and the fifth that fails rests them: failures add up also where some succeed between. */
const STOP_FORECAST =
  'After five failed polls, about 5 to 10 s of 503, it does not poll /prices for 120 s. A longer stop may leave us dark for two minutes after the resume.';

/** When the service is likely to come back to each pair after a resume: what we infer, not what it says. */
function ServiceForecast() {
  const { desk } = useConsole();
  const pairs = useDesk((view) => view.listed);
  const chains = useDesk((view) => view.chains);
  const nameOf = (chainId: number) =>
    chains.length > 1 ? (chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`) : null;
  const restrictions = useQuery(useQueries().service.restrictions.queryOptions({ input: {}, refetchInterval: 10_000 }));
  const late = restrictions.data ?? [];
  const free = pairs.length - late.length;
  return (
    <Panel name="What the service will do" aside="forecast">
      <Scroll>
        <ul className={styles.sideList}>
          <li>
            <Mark shape="note" tone="quiet" />
            <span>
              It probably routes past us while our prices answer 503.{' '}
              {late.length === 0 && 'After a stop of less than five polls every pair is probably asked again at once.'}
            </span>
          </li>
          <li>
            <Mark shape="note" tone="quiet" />
            <span>{STOP_FORECAST}</span>
          </li>
          {late.map(({ chainId, pair, until, sentence }) => (
            <li key={`${chainId} ${pair}`} title={sentence}>
              <Mark shape="look" tone="attn" />
              <PairName pair={pair} /> <span className="quiet">{nameOf(chainId)}</span>
              <span className="fill" />
              <b className="strong">not before {momentText(until, desk.now())}</b>
            </li>
          ))}
          {late.length > 0 && free > 0 && (
            <li>
              <Mark shape="done" tone="ok" />
              <span className="muted">{free} other pairs probably at once</span>
            </li>
          )}
        </ul>
      </Scroll>
    </Panel>
  );
}

interface Informed {
  who: string;
  how: ReactNode;
  knows: boolean;
}

/** Who is informed of the halt: the journal, the service on each chain, this computer; and a text for everybody else. */
function WhoKnows() {
  const { halt, desk } = useConsole();
  const toasts = useToasts();
  const status = useDesk((view) => view.status);
  const chains = useDesk((view) => view.chains);
  const exposure = useDesk((view) => view.exposure);
  const live = useStillLive().data;
  const { quotes, quotesEnd } = quotesOf(stillLive(exposure), live?.chains ?? []);
  const told = useToldAlerts().find(({ code }) => code === 'halted');
  if (status === null) return null;
  const time = (at: number) => momentText(at, desk.now());
  const acknowledged = halt.acknowledged();
  const rows: Informed[] = [
    acknowledged !== null && acknowledged.at >= status.since
      ? {
          who: 'Journal',
          how: acknowledged.durable ? `written ${time(acknowledged.at)}` : 'could not be written',
          knows: acknowledged.durable,
        }
      : { who: 'Journal', how: `halted by ${status.actor ?? 'the desk'}`, knows: true },
    ...chains.map(({ name, heartbeats, webSockets }): Informed => {
      const seen = heartbeats.filter(
        ({ at, status: code, endpoint }) => endpoint !== 'ws' && at >= status.since && code === 503,
      );
      if (seen.length > 0) {
        // What was refused before the halt as well does not say when they knew of it: then its first second is not known.
        const first = seen.flatMap(({ since }) => (since !== undefined && since >= status.since ? [since] : []));
        const how = (
          <>
            503 {first.length > 0 && `since ${time(Math.min(...first))}, `}last{' '}
            <Age since={Math.max(...seen.map(({ at }) => at))} /> ago
          </>
        );
        return { who: `Service, ${name}`, how, knows: true };
      }
      const open = webSockets > 0 ? `${webSockets} WebSockets still open` : 'has not asked since';
      return { who: `Service, ${name}`, how: open, knows: false };
    }),
    told === undefined
      ? { who: 'This computer', how: 'told on this screen', knows: true }
      : {
          who: 'This computer',
          how:
            told.shown === 'not allowed' ? (
              <NotAllowedHere />
            ) : (
              `notification ${told.shown === 'shown' ? time(told.at) : told.shown}`
            ),
          knows: told.shown === 'shown' || told.shown === 'in another window',
        },
  ];
  const message =
    `Makerdesk has been HALTED since ${time(status.since)} ${zoneName(status.since)}${status.actor === null ? '' : ` by ${status.actor}`}. ` +
    `${status.reason === null ? 'No reason given.' : `Reason: ${status.reason}`} ` +
    (quotesEnd === null
      ? 'No signed quote can be filled.'
      : `${quotes} signed quotes can still be filled, the last until ${time(quotesEnd)} ${zoneName(quotesEnd)}.`) +
    (live === undefined || live.nothingSigned ? '' : ` ${othersText(live)}`);
  const copy = () =>
    navigator.clipboard.writeText(message).then(
      () => toasts.show({ level: 'note', title: 'Copied what happened', detail: message }),
      () => toasts.show({ level: 'look', title: 'The clipboard does not answer', detail: message }),
    );
  return (
    <Panel name="Who knows" actions={<Button onClick={() => void copy()}>Copy for the others</Button>}>
      <ul className={styles.sideList}>
        {rows.map(({ who, how, knows }) => (
          <li key={who}>
            <Mark shape={shapeOf(knows)} tone={knows ? 'ok' : 'attn'} />
            <span>{who}</span>
            <span className="fill" />
            <span className="muted">{how}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What is live beside quotes, and what is not known, in one sentence. */
function othersText({ chains }: StillLive): string {
  const count = (what: 'nftOrders' | 'orders' | 'permits' | 'transactions' | 'approvals' | 'unknown') =>
    chains.reduce((sum, chain) => sum + chain[what].length, 0);
  const unknown = count('unknown') > 0 ? ' There may be more: not everything is known.' : '';
  return `Also live: ${plural(count('nftOrders'), 'NFT order')}, ${plural(count('orders'), 'intent order')}, ${plural(count('permits'), 'permit')}, ${plural(count('transactions') + count('approvals'), 'transaction')}.${unknown}`;
}

/** That this computer may show no notification, with what mends it where the browser may still be asked. */
function NotAllowedHere() {
  const [permission, setPermission] = useState(
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  );
  if (permission === 'granted') return <>notifications are allowed from now on</>;
  return (
    <>
      notification not allowed{' '}
      {permission === 'default' && (
        <Button onClick={() => void Notification.requestPermission().then(setPermission)}>Allow notifications</Button>
      )}
    </>
  );
}

function shapeOf(knows: boolean): MarkShape {
  return knows ? 'done' : 'expired';
}

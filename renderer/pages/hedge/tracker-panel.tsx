import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HedgeDetail } from '../../../electron/contract/hedge.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Note, QueryError } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useConsole, useDesk, useQueries } from '../../state/console.tsx';
import { toldToAll } from '../../state/told-to-all.ts';
import { CorrectDialog, StrikeOutDialog } from './correct-dialog.tsx';
import { GiveUpDialog } from './give-up-dialog.tsx';
import { isOver, rowWords, shortRowWords, spoken, stateLook } from './hedge-words.ts';
import { SentByDialog } from './sent-by-dialog.tsx';
import { trackLines } from './track-steps.ts';
import styles from './tracker-panel.module.css';
import { useHedges } from './use-hedges.ts';

const LOOKS = {
  done: { shape: 'done', tone: 'ok' },
  now: { shape: 'open', tone: '' },
  'to come': { shape: 'expired', tone: 'quiet' },
  failed: { shape: 'refused', tone: 'stop' },
} as const;

/** One hedge to its end: the stages of its way, and every step with its time and hash, newest first. */
export function TrackerPanel(props: { chainId: number; seq: number | null; onAgain: (hedge: HedgeDetail) => void }) {
  const { chainId, seq, onAgain } = props;
  // Whether one is followed is not known before the list of them is.
  const isListed = useHedges(chainId).data !== undefined;
  const read = useQuery(
    useQueries().hedge.get.queryOptions({
      input: { seq: seq ?? 0 },
      enabled: seq !== null,
      refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data) ? false : 2_000),
    }),
  );
  const detail = seq === null ? undefined : read.data;
  return (
    <Panel
      name={seq === null ? 'Steps' : `Hedge ${seq}`}
      aside={
        detail && (
          <span className={styles.words} title={rowWords(detail)}>
            {shortRowWords(detail)}
          </span>
        )
      }
      className={styles.tracker}
      actions={detail && <State detail={detail} />}
    >
      {seq === null && isListed && (
        <Empty title="No hedge is followed">Every step of a hedge stands here, with the hash that proves it.</Empty>
      )}
      {seq !== null && read.isPending && <Waiting rows={5} />}
      {seq !== null && read.error !== null && (
        <QueryError
          what="How far this hedge is, is not known: if it runs, it goes on"
          error={read.error}
          again={() => void read.refetch()}
        />
      )}
      {detail !== undefined && <Track detail={detail} onAgain={onAgain} onReread={() => read.refetch()} />}
    </Panel>
  );
}

/** Where what is bought goes, when not to the maker on the same chain. */
function Where({ detail: { src, dest, beneficiary, terms } }: { detail: HedgeDetail }) {
  const chain = useDesk((view) => view.chains.find(({ chainId }) => chainId === dest.chainId)?.name);
  const isCrossing = src.chainId !== dest.chainId;
  if (!isCrossing && beneficiary === null) return null;
  return (
    <p className={styles.calldata}>
      {isCrossing && `To ${chain ?? `chain ${dest.chainId}`}`}
      {terms.bridge !== undefined && ` over ${terms.bridge}`}
      {isCrossing && beneficiary !== null && ', received by '}
      {!isCrossing && 'Received by '}
      {beneficiary !== null && <Address hex={beneficiary} of="receiver’s address" />}.
    </p>
  );
}

function State({ detail }: { detail: HedgeDetail }) {
  const { shape, tone, word } = stateLook(detail);
  return (
    <b className="with-mark strong" role="status">
      <Mark shape={shape} tone={tone} />
      {word}
    </b>
  );
}

function Track(props: {
  detail: HedgeDetail;
  onAgain: (hedge: HedgeDetail) => void;
  onReread: () => Promise<unknown>;
}) {
  const { detail, onAgain, onReread } = props;
  const { desk, connection } = useConsole();
  const [asking, setAsking] = useState(false);
  const [givingUp, setGivingUp] = useState(false);
  const [naming, setNaming] = useState(false);
  const [changing, setChanging] = useState<'correct' | 'strike out' | null>(null);
  const [opened, setOpened] = useState(0);
  const showNow = () =>
    void onReread()
      .then(toldToAll)
      .then(() => setOpened(opened + 1));
  const isHalted = useDesk((view) => view.status?.state === 'HALTED');
  const isAlone = useDesk((view) => (view.fleet?.alone ?? null) !== null);
  const over = isOver(detail);
  // What was filled after all, or in part, is not placed whole a second time.
  const cameToNothing = detail.state === 'failed' && detail.spent === '0' && detail.received === '0';
  return (
    <>
      <ol className={styles.stages} aria-label="Stages">
        {detail.stages.map(({ name, is }) => (
          <li key={name} className="with-mark" aria-current={is === 'now' ? 'step' : undefined}>
            <Mark {...LOOKS[is]} />
            <span className={is === 'to come' ? 'quiet' : is === 'now' ? 'strong' : ''}>{name}</span>
          </li>
        ))}
      </ol>
      <Scroll>
        <Where detail={detail} />
        {detail.held && (
          <Note
            level="look"
            title={
              isAlone ? 'It waits because this desk is alone in its fleet.' : 'It waits because the desk is halted.'
            }
            actions={isAlone ? undefined : <Button onClick={() => setAsking(true)}>Let it go on…</Button>}
          >
            {spoken(detail.note ?? '')}
          </Note>
        )}
        {!detail.held && detail.note !== null && (
          <Note
            level={detail.state === 'failed' ? 'stop' : over ? 'note' : 'look'}
            title={spoken(detail.note)}
            actions={
              cameToNothing ? (
                <Button onClick={() => onAgain(detail)}>Copy into the form</Button>
              ) : detail.canGiveUp ? (
                <>
                  {detail.calldata.length > 0 && <Button onClick={() => setNaming(true)}>It was sent…</Button>}
                  <Button onClick={() => setGivingUp(true)}>Give it up…</Button>
                </>
              ) : undefined
            }
          />
        )}
        {detail.correctable && (
          <p className={styles.calldata}>
            <Button onClick={() => setChanging('correct')}>Correct…</Button>{' '}
            <Button onClick={() => setChanging('strike out')}>Strike out…</Button>
          </p>
        )}
        {detail.calldata.map(({ purpose, to, data }) => (
          <p key={`${purpose}:${to}`} className={styles.calldata}>
            {purpose}: to <Address hex={to} of="contract’s address" />, calldata <Address hex={data} of="calldata" />
          </p>
        ))}
        <ol className={styles.track} aria-label="Steps">
          {trackLines(detail).map(({ seq, time, shape, tone, text, hash }) => (
            <li key={seq}>
              <span className="muted">{momentText(time, desk.now())}</span>
              <Mark shape={shape} tone={tone} />
              <span className="fill">{text}</span>
              {hash !== null && <Address hex={hash.hex} of={hash.of} />}
            </li>
          ))}
        </ol>
      </Scroll>
      {naming && <SentByDialog hedge={detail} onClose={() => setNaming(false)} />}
      {changing === 'correct' && (
        <CorrectDialog key={opened} hedge={detail} showNow={showNow} onClose={() => setChanging(null)} />
      )}
      {changing === 'strike out' && (
        <StrikeOutDialog key={opened} hedge={detail} showNow={showNow} onClose={() => setChanging(null)} />
      )}
      {givingUp && <GiveUpDialog hedge={detail} onClose={() => setGivingUp(false)} />}
      {asking && (
        <ConfirmDialog
          needs="trade"
          title={isHalted ? 'The desk is halted' : 'Let the hedge go on?'}
          keep="Send nothing"
          act="It closes a position: send it"
          send={() => connection.client.hedge.send({ seq: detail.seq, confirmed: true })}
          onClose={() => setAsking(false)}
        >
          While it is halted, only what closes a position is sent. {rowWords(detail)}.
        </ConfirmDialog>
      )}
    </>
  );
}

import type { Scope } from '../../../electron/contract/trading.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { keysText } from '../../state/shortcuts.ts';
import { Button } from '../button.tsx';
import checkListStyles from '../check-list.module.css';
import { Empty } from '../empty.tsx';
import { TradingMark } from '../mark.tsx';
import { Note } from '../note.tsx';
import { PageBody, PageHead } from '../page-head.tsx';
import { Panel } from '../panel.tsx';
import { Scroll } from '../scroll.tsx';

/** For whoever may halt and see nothing else of the desk: what trades, each with its stop. */
export function HaltOnlyPage() {
  const { halt } = useConsole();
  const status = useDesk((view) => view.status);
  const chains = useDesk((view) => view.chains);
  // Each press for itself: none waits for the answer to another.
  const stop = (scope: Scope) => void halt.scope(scope).catch(halt.notStopped);
  const nameOf = (id: number) => chains.find(({ chainId }) => chainId === id)?.name ?? `chain ${id}`;
  return (
    <>
      <PageHead name="Desk" />
      <PageBody>
        <Panel name="What trades">
          <Note level="note" title="Your token may halt, and nothing else.">
            HALT at the top right ({keysText('halt')}) stops all of it at once. Somebody else resumes, with a reason.
          </Note>
          <Scroll>
            {status !== null && status.chains.length === 0 && (
              <Empty title="No chain yet">This desk trades nowhere so far.</Empty>
            )}
            <ul className={checkListStyles.list}>
              {status?.chains.map(({ chainId, state, pairs }) => [
                <li key={chainId}>
                  <TradingMark state={state} />
                  <b className="fill">{nameOf(chainId)}</b>
                  <Button disabled={state === 'HALTED'} onClick={() => stop({ chainId })}>
                    Halt {nameOf(chainId)}
                  </Button>
                </li>,
                ...Object.entries(pairs).map(([pair, pairState]) => (
                  <li key={`${chainId} ${pair}`}>
                    <TradingMark state={pairState} />
                    <span className="fill">{pair}</span>
                    <Button disabled={pairState === 'HALTED'} onClick={() => stop({ chainId, pair })}>
                      Halt {pair}
                    </Button>
                  </li>
                )),
              ])}
            </ul>
          </Scroll>
        </Panel>
      </PageBody>
    </>
  );
}

import type { PracticeFault, PracticeState } from '../../../electron/contract/practice.ts';
import { Age } from '../../components/figures/age.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';

/** What may go wrong on purpose, each with its switch; one that happens once has a button. */
export function FaultsPanel(props: { faults: readonly PracticeFault[]; onState: (state: PracticeState) => void }) {
  const client = useClient();
  const turn = useCommand(async (fault: { name: string; on: boolean }) =>
    props.onState(await client.practice.fault(fault)),
  );
  const on = props.faults.filter((fault) => fault.on).length;
  return (
    <Panel name="Faults" aside={on === 0 ? 'none is on' : `${on} on`} className="faults">
      <div className="scroll">
        {turn.refusal !== null && <RefusalNote refusal={turn.refusal} />}
        <ul className="check-list">
          {props.faults.map((fault) => (
            <li key={fault.name} className={fault.on ? 'is-on' : ''}>
              {fault.once ? (
                <button
                  type="button"
                  className="button fault-once"
                  disabled={turn.busy}
                  onClick={() => turn.run({ name: fault.name, on: true })}
                  aria-label={`Once: ${fault.name}`}
                >
                  Once
                </button>
              ) : (
                <span className="fault-once center">
                  <button
                    type="button"
                    role="switch"
                    className="switch"
                    aria-checked={fault.on}
                    aria-label={fault.name}
                    disabled={turn.busy}
                    onClick={() => turn.run({ name: fault.name, on: !fault.on })}
                  />
                </span>
              )}
              <div className="fill">
                <b className="mono">{fault.name}</b>
                {fault.since !== null && (
                  <span className={fault.on ? 'attn' : 'quiet'}>
                    {' '}
                    {fault.on ? 'on for' : 'last'} <Age since={fault.since} />
                    {fault.on ? '' : ' ago'}
                  </span>
                )}
                <p>{fault.says}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

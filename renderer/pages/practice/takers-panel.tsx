import type { PracticeState } from '../../../electron/contract/practice.ts';
import { Address } from '../../components/figures/address.tsx';
import { countText } from '../../components/figures/counts.ts';
import { Panel } from '../../components/panel.tsx';

type TakersOfChain = PracticeState['takers'][number];

/** What each user of the practice market came to: what they asked for, what they got, and why they did not. */
export function TakersPanel({ takers }: { takers: readonly TakersOfChain[] }) {
  return (
    <Panel name="What the takers got" aside="orders since the start" className="takers">
      <div className="scroll">
        <table className="grid">
          <thead>
            <tr>
              <th className="p-habit">Habit</th>
              {['Asked', 'Quoted', 'Filled', 'Reverted', 'Lost'].map((name) => (
                <th key={name} className={`right p-count p-${name.toLowerCase()}`}>
                  {name}
                </th>
              ))}
              <th className="p-refused">Refused by code</th>
            </tr>
          </thead>
          {takers.map((chain) => (
            <TakerRows key={chain.chainId} chain={chain} />
          ))}
        </table>
      </div>
    </Panel>
  );
}

function TakerRows({ chain }: { chain: TakersOfChain }) {
  return (
    <tbody>
      <tr className="group">
        <td colSpan={7} title={chain.waits ?? undefined}>
          <b>{chain.name}</b> {chain.waits ?? `${countText(chain.underWay)} under way`}
        </td>
      </tr>
      {chain.habits.map(({ habit, user, asked, quoted, filled, reverted, lost, refused }) => (
        <tr key={`${habit} ${user}`}>
          <td title={user}>
            {habit.replaceAll('_', ' ')}{' '}
            <span className="wide-only">
              <Address hex={user} of="user’s address" />
            </span>
          </td>
          <td className="right">{countText(asked)}</td>
          <td className="right">{countText(quoted)}</td>
          <td className="right">{countText(filled)}</td>
          <Rare count={reverted} />
          <Rare count={lost} />
          <td className="refused-codes">
            {Object.entries(refused).map(([code, count]) => (
              <span key={code} className="nowrap">
                <span className="mono">{code}</span> <b className="strong">{countText(count)}</b>
              </span>
            ))}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function Rare({ count }: { count: number }) {
  return <td className={`right ${count === 0 ? 'quiet' : 'strong'}`}>{countText(count)}</td>;
}

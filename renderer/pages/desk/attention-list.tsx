import { Empty } from '../../components/empty.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { useDesk } from '../../state/console.tsx';

const LOOKS = {
  stop: { shape: 'halted', tone: 'stop' },
  look: { shape: 'look', tone: 'attn' },
  note: { shape: 'note', tone: 'quiet' },
} as const;

/** What is wrong, most urgent first, as the desk tells it. */
export function AttentionList() {
  const attention = useDesk((view) => view.attention);
  return (
    <Panel name="Needs attention" aside="most urgent first" className="attention">
      <div className="scroll">
        {attention.length === 0 && <Empty title="Nothing">Every chain, pair and token is as it should be.</Empty>}
        <ul>
          {attention.map(({ code, level, title, detail }) => (
            <li key={`${code}:${title}`} className={`is-${level}`}>
              <Mark {...LOOKS[level]} />
              <div>
                <b>{title}</b>
                <p>{detail}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SelfCheck } from '../../../electron/contract/service-view.ts';
import { CheckList } from '../../components/check-list.tsx';
import { Chip } from '../../components/chip.tsx';
import { outcomesText } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { useDesk, useQueries } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import type { lacking, SetupTexts } from './setup-fields.ts';

const SETTLED_MS = 600;

/** The self-check as one types: what can be known before the desk is opened. */
export function SetupChecks(props: { texts: SetupTexts; lacks: ReturnType<typeof lacking>; signer: string | null }) {
  const { texts, lacks, signer } = props;
  const surfaceUrl = useDesk((view) => view.surfaceUrl);
  const chain = useSettled(
    JSON.stringify({
      chainId: texts.chainId,
      rpcUrl: texts.rpcUrl.trim(),
      rfqContract: texts.rfqContract.toLowerCase(),
      tokens: {},
    }),
  );
  const ready = lacks.rpcUrl === undefined && lacks.rfqContract === undefined;
  const tried = useQuery(
    useQueries().settings.tryChain.queryOptions({ input: JSON.parse(chain), enabled: ready, staleTime: 10_000 }),
  );
  const ofNode: SelfCheck[] = !ready
    ? [{ name: 'node', outcome: 'waiting', sentence: lacks.rpcUrl ?? lacks.rfqContract ?? '' }]
    : (tried.data ?? [
        {
          name: 'node',
          outcome: tried.error === null ? 'waiting' : 'failed',
          sentence: tried.error === null ? 'Asking the node…' : refusalOf(tried.error).sentence,
        },
      ]);
  const secret = lacks.domain ?? lacks.accessKey ?? lacks.secretKey;
  const checks: SelfCheck[] = [
    ...ofNode,
    signer === null
      ? { name: 'signer', outcome: 'waiting', sentence: 'This desk has no key yet: make one, or bring one.' }
      : { name: 'signer', outcome: 'passed', sentence: `The key of ${signer} is open.` },
    lacks.maker === undefined
      ? {
          name: 'maker',
          outcome: 'passed',
          sentence: 'Whether its funds can be signed for is checked once the desk is open.',
        }
      : { name: 'maker', outcome: 'waiting', sentence: 'The maker, whose funds are quoted, is not set yet.' },
    secret === undefined
      ? { name: 'counterparty', outcome: 'passed', sentence: 'Its requests can be told apart from anyone else’s.' }
      : {
          name: 'counterparty',
          outcome: 'waiting',
          sentence: 'Its domain and both keys: without them requests are answered 401.',
        },
    surfaceUrl === null
      ? { name: 'surface', outcome: 'waiting', sentence: 'The desk does not listen yet.' }
      : { name: 'surface', outcome: 'passed', sentence: `Listening on ${surfaceUrl}.` },
  ];
  return (
    <Panel name="Self-check" aside="as you type" actions={<Chip tone="outline">{outcomesText(checks)}</Chip>}>
      <div className="scroll">
        <CheckList checks={checks} />
      </div>
    </Panel>
  );
}

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

import { useState } from 'react';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import { Button } from '../../components/button.tsx';
import { Waiting } from '../../components/empty.tsx';
import { SelectField } from '../../components/field.tsx';
import { Needs } from '../../components/needs.tsx';
import { QueryError } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ResumePanel } from '../desk/halted-page.tsx';
import { SurfaceForm } from '../settings/surface-form.tsx';
import { ApprovalsStep } from './approvals-step.tsx';
import { CounterpartyStep } from './counterparty-step.tsx';
import styles from './first-start.module.css';
import { FromFile } from './from-file.tsx';
import { KeyStep } from './key-step.tsx';
import { LaddersStep } from './ladders-step.tsx';
import { MissingPanel } from './missing-panel.tsx';
import { NetworkStep } from './network-step.tsx';
import { PracticeWay } from './practice-way.tsx';
import type { SetUp } from './set-up.ts';
import { missingOf, type Step, type StepId, stepsOf } from './steps.ts';
import { StepsPanel } from './steps-panel.tsx';
import { TakersStep } from './takers-step.tsx';
import { TokensStep } from './tokens-step.tsx';
import { useFacts } from './use-facts.ts';

const WAYS = [
  { value: 'practice', text: 'Practice' },
  { value: 'real', text: 'Real desk' },
  { value: 'file', text: 'Import a desk file' },
] as const;

/** The step that was open last, and of which chain, for whoever comes back from another page. */
let openedLast: StepId | null = null;
let chainLast: ChosenChain = null;

/** `new`: one more, which is not there yet; null: the first. */
type ChosenChain = number | 'new' | null;

/** A desk that was never LIVE: step by step to there. What is done is saved as one goes, and nothing is signed before a person says so. */
export function FirstStartPage() {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('real');
  return (
    <>
      <PageHead name="First start">
        <Segmented label="What to start with" options={WAYS} value={way} onChoose={setWay} />
        <span className="quiet">Saved as you go. Nothing is signed before you say so.</span>
      </PageHead>
      <PageBody className={way === 'real' ? styles.page : ''}>
        {way === 'practice' && (
          <Needs right="admin">
            <PracticeWay />
          </Needs>
        )}
        {way === 'file' && (
          <Needs right="settings">
            <FromFile onTaken={() => setWay('real')} />
          </Needs>
        )}
        {way === 'real' && <RealDesk />}
      </PageBody>
    </>
  );
}

function RealDesk() {
  const { factsOf, settings, error, again } = useFacts();
  const [chosen, choose] = useState<StepId | null>(openedLast);
  const [chosenChain, setChosenChain] = useState<ChosenChain>(chainLast);
  if (factsOf === null || settings === null) {
    return error === null ? <Waiting rows={11} /> : <QueryError error={error} again={again} />;
  }
  const { chains } = settings.desk;
  const chain = chosenChain === 'new' ? null : (chains.find((one) => one.chainId === chosenChain) ?? chains[0] ?? null);
  const there: readonly (SetUpChain | null)[] = chains.length === 0 ? [null] : chains;
  const stepsOfEach = stepsOf(there.map(factsOf));
  const missing = missingOf(there.map((one, index) => ({ name: one?.name ?? null, steps: stepsOfEach[index] ?? [] })));
  const steps = stepsOfEach[there.indexOf(chain)] ?? stepsOf([factsOf(null)])[0] ?? [];
  const open = chosen ?? steps.find(({ state }) => state === 'todo' || state === 'fault')?.id ?? 'live';
  const go = (id: StepId) => {
    openedLast = id;
    choose(id);
  };
  const at = steps.findIndex(({ id }) => id === open);
  const next = steps.slice(at + 1).find(({ state }) => state !== 'done');
  const chooseChain = (id: ChosenChain) => {
    chainLast = id;
    setChosenChain(id);
  };
  const signer = settings.signer.address;
  const setUp: SetUp = { settings, chain, signer, onChanged: again, onChain: chooseChain };
  return (
    <>
      <StepsPanel steps={steps} open={open} onOpen={go}>
        {chains.length > 0 && (
          <div className={styles.chains}>
            <SelectField
              label="Chain"
              value={chain === null ? 'new' : String(chain.chainId)}
              options={[
                ...chains.map((one) => ({ value: String(one.chainId), text: one.name })),
                { value: 'new', text: 'Another chain…' },
              ]}
              onChange={(value) => {
                chooseChain(value === 'new' ? 'new' : Number(value));
                if (value === 'new') go('network');
              }}
            />
          </div>
        )}
      </StepsPanel>
      {open === 'check' || open === 'live' ? (
        <ResumePanel isFirst />
      ) : (
        <StepPanel step={steps[at]} next={next} onNext={go}>
          <StepBody key={`${open} ${chain?.chainId ?? 'new'}`} id={open} setUp={setUp} />
        </StepPanel>
      )}
      <MissingPanel missing={missing} onOpen={go} />
    </>
  );
}

const SAYS: Record<StepId, string> = {
  passphrase: 'seals the key and the secrets of this desk',
  key: 'its signature binds the maker; it never leaves this desk',
  network: 'contract addresses come from the preset; the node is tried as you type',
  tokens: 'symbol, name, decimals as the chain has them',
  approvals: 'whose tokens are quoted, and what of them the RFQ contract may take',
  ladders: 'what is quoted, and at what prices',
  counterparty: 'typed in, sealed, never shown again',
  takers: 'execution contracts that orders may name',
  surface: 'where the counterparty asks this desk',
  check: '',
  live: '',
};

function StepPanel(props: {
  step: Step | undefined;
  next: Step | undefined;
  onNext: (id: StepId) => void;
  children: React.ReactNode;
}) {
  const { step, next, onNext, children } = props;
  if (step === undefined) return null;
  return (
    <Panel
      name={step.name}
      aside={SAYS[step.id]}
      className={styles.step}
      footer={
        <>
          <span className="muted fill">What is missing stays listed; you can leave a step and come back to it.</span>
          {next !== undefined && (
            <Button look={step.state === 'done' ? 'primary' : undefined} size="large" onClick={() => onNext(next.id)}>
              Next: {next.name}
            </Button>
          )}
        </>
      }
    >
      <Scroll>{children}</Scroll>
    </Panel>
  );
}

function StepBody({ id, setUp }: { id: Exclude<StepId, 'check' | 'live'>; setUp: SetUp }) {
  if (id === 'passphrase') {
    return (
      <p className={styles.text}>
        It is set, and asked for at every start of the desk. Nobody can recover it: without it the key in{' '}
        <span className="mono">{setUp.settings.folder}</span> is of no use.
      </p>
    );
  }
  if (id === 'key') return <KeyStep {...setUp} />;
  if (id === 'network') return <NetworkStep {...setUp} />;
  if (id === 'counterparty') return <CounterpartyStep {...setUp} />;
  if (id === 'surface') return <SurfaceForm chains={setUp.settings.desk.chains} />;
  const { chain } = setUp;
  if (chain === null) return <p className={styles.text}>This waits for the network: its node is asked here.</p>;
  if (id === 'tokens') return <TokensStep {...setUp} chain={chain} />;
  if (id === 'approvals') return <ApprovalsStep {...setUp} chain={chain} />;
  if (id === 'ladders') return <LaddersStep {...setUp} chain={chain} />;
  return <TakersStep {...setUp} chain={chain} />;
}

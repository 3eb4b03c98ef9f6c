import { Link, useRoute } from 'wouter';
import { AlertRows } from '../../components/alert-rows.tsx';
import checkListStyles from '../../components/check-list.module.css';
import { Empty, Waiting } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { clockText, stampText } from '../../components/figures/times.ts';
import { JARGON } from '../../components/jargon.ts';
import { Needs } from '../../components/needs.tsx';
import { QueryError } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import panelStyles from '../../components/panel.module.css';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useToldAlerts } from '../../state/console.tsx';
import { type NumberForm, setNumberForm, useNumberForm } from '../../state/number-form.ts';
import { setTheme, type Theme, useTheme } from '../../state/theme.ts';
import { localZone, setTimeZone, useTimeZone, zoneName } from '../../state/time-zone.ts';
import { AlertWaysSection } from './alert-ways-section.tsx';
import { BackupsSection } from './backups-section.tsx';
import { ChainsSection } from './chains-section.tsx';
import { CounterpartiesSection } from './counterparties-section.tsx';
import { DeskFileSection } from './desk-file-section.tsx';
import { LimitsSection } from './limits-form.tsx';
import { OwnAlertsSection } from './own-alerts-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { ServicesSection } from './services-section.tsx';
import styles from './settings-page.module.css';
import { SignerSection } from './signer-section.tsx';
import { SurfaceForm } from './surface-form.tsx';
import { useSettings } from './use-settings.ts';

const SECTIONS = [
  { id: 'chains', name: 'Chains', says: 'nodes, contracts, how quotes are served', needs: 'settings' },
  {
    id: 'counterparties',
    name: 'Counterparties',
    says: 'who may ask; secrets go in and never come out',
    needs: 'settings',
  },
  { id: 'surface', name: 'Surface', says: 'where counterparties ask this desk', needs: 'settings' },
  { id: 'services', name: 'Services', says: 'a key for higher limits goes in and never comes out', needs: 'settings' },
  { id: 'signer', name: 'Signer', says: 'the key, and for whom it signs' },
  { id: 'limits', name: 'Limits', says: 'a lower one counts at once', needs: 'settings' },
  { id: 'file', name: 'Desk file', says: 'all of it as one file: exported, compared, imported' },
  { id: 'backups', name: 'Backups', says: 'of all that was signed, filled and set', needs: 'admin' },
  { id: 'people', name: 'People', says: 'who may open the console, and what each may do' },
  { id: 'alerts', name: 'Alerts', says: 'on every console, on this computer, and elsewhere' },
  { id: 'appearance', name: 'Appearance', says: 'on this computer' },
] as const;

/** What is set up once: each section stands alone and is saved by itself. */
export function SettingsPage() {
  const [, route] = useRoute('/settings/:section');
  const section = SECTIONS.find(({ id }) => id === route?.section) ?? SECTIONS[0];
  return (
    <>
      <PageHead name="Settings" />
      <PageBody className={styles.page}>
        <nav className={`${panelStyles.panel} ${styles.sections}`} aria-label="Sections">
          {SECTIONS.map(({ id, name }) => (
            <Link
              key={id}
              href={`/settings/${id}`}
              aria-current={id === section.id ? 'page' : undefined}
              title={id === 'surface' ? JARGON.surface : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
        <Panel name={section.name} aside={section.says}>
          <Scroll>
            {section.id === 'alerts' && (
              <>
                <div className={styles.alerts}>
                  <AlertRows />
                  <OwnAlertsSection />
                </div>
                <AlertWaysSection />
              </>
            )}
            {section.id === 'appearance' && <AppearanceSection />}
            {section.id === 'file' && (
              <Needs right="settings">
                <DeskFileSection />
              </Needs>
            )}
            {section.id === 'people' && <PeopleSection />}
            {section.id === 'signer' && <DeskSection id="signer" />}
            {'needs' in section && (
              <Needs right={section.needs}>
                <DeskSection id={section.id} />
              </Needs>
            )}
          </Scroll>
        </Panel>
        {section.id === 'alerts' && <ToldPanel />}
      </PageBody>
    </>
  );
}

const UNKNOWN = 'What is set is not known; what is in force goes on';

function DeskSection({
  id,
}: {
  id: 'chains' | 'counterparties' | 'surface' | 'services' | 'signer' | 'limits' | 'backups';
}) {
  const { data, error, isPending, refetch, changed } = useSettings();
  if (isPending) return <Waiting rows={8} />;
  if (error !== null || data === undefined) {
    return <QueryError what={UNKNOWN} error={error} again={() => void refetch()} />;
  }
  const parts = { settings: data, onChanged: () => void changed() };
  if (id === 'chains') return <ChainsSection {...parts} />;
  if (id === 'counterparties') return <CounterpartiesSection {...parts} />;
  if (id === 'surface') return <SurfaceForm chains={data.desk.chains} />;
  if (id === 'services') return <ServicesSection {...parts} />;
  if (id === 'signer') return <SignerSection {...parts} />;
  if (id === 'backups') return <BackupsSection {...parts} />;
  return <LimitsSection {...parts} />;
}

const THEMES: readonly { value: Theme; text: string }[] = [
  { value: 'system', text: 'As the system' },
  { value: 'dark', text: 'Dark' },
  { value: 'light', text: 'Light' },
];

/** How the console looks on this computer. */
function AppearanceSection() {
  const theme = useTheme();
  return (
    <>
      <section className={styles.setting} aria-label="Theme">
        <header>
          <h3>Theme</h3>
          <Segmented label="Theme" options={THEMES} value={theme} onChoose={setTheme} />
          <span className="quiet">Motion and contrast follow the system; Ctrl + and Ctrl − change the size.</span>
        </header>
      </section>
      <TimeZoneSection />
      <NumbersSection />
    </>
  );
}

/** In which zone every time on the screen is written, and read where one is typed. */
function TimeZoneSection() {
  const zone = useTimeZone();
  const isOther = zone !== 'UTC' && zone !== 'local';
  const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value, text: value }));
  return (
    <section className={styles.setting} aria-label="Time zone">
      <header>
        <h3>Time zone</h3>
        <Segmented
          label="Time zone"
          options={[
            { value: 'UTC', text: 'UTC' },
            { value: 'local', text: `This computer’s, ${localZone()}` },
          ]}
          value={zone}
          onChoose={setTimeZone}
        />
        <FilterSelect
          label="Another"
          any="none"
          value={isOther ? zone : ''}
          options={zones}
          onChange={(chosen) => setTimeZone(chosen || 'UTC')}
        />
        <span className="quiet">
          Now {stampText(Date.now())} {zoneName()}. Times are typed in it too; with a Z after them in UTC. The desk’s
          days, exports and the command line stay UTC.
        </span>
      </header>
    </section>
  );
}

const NUMBER_FORMS: readonly { value: NumberForm; text: string }[] = [
  { value: 'point', text: '1,234.5' },
  { value: 'comma', text: '1.234,5' },
  { value: 'blank', text: '1 234.5' },
];

/** How every number on the screen is written; fields take plain numbers in each form. */
function NumbersSection() {
  const form = useNumberForm();
  return (
    <section className={styles.setting} aria-label="Numbers">
      <header>
        <h3>Numbers</h3>
        <Segmented label="Numbers" options={NUMBER_FORMS} value={form} onChoose={setNumberForm} />
        <span className="quiet">
          Fields take plain numbers, 1234.5, in each form. What could be two numbers is refused: 1.234 and 1,234 where
          the screen writes 1.234,5. Exports and the command line stay plain.
        </span>
      </header>
    </section>
  );
}

/** What tripped since this page was opened, with its numbers, and whether the computer showed it. */
function ToldPanel() {
  const told = useToldAlerts();
  return (
    <Panel name="Tripped" aside="since this console was opened" className={styles.told}>
      <Scroll>
        {told.length === 0 && (
          <Empty title="Nothing tripped">An alert stands here with its numbers, newest first.</Empty>
        )}
        <ul className={checkListStyles.list}>
          {told.map(({ id, at, title, detail, shown }) => (
            <li key={id}>
              <span className="quiet">{clockText(at)}</span>
              <div className="fill">
                <b>{title}</b>
                <p>{detail}</p>
              </div>
              <span className="quiet">notification {shown}</span>
            </li>
          ))}
        </ul>
      </Scroll>
    </Panel>
  );
}

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Handover } from '../../../electron/contract/handover.ts';
import { handoverSheet, type SheetPage } from '../../../electron/contract/handover-sheet.ts';
import { isoTime } from '../../../electron/contract/names.ts';
import { Button } from '../../components/button.tsx';
import { ReadState } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { clockText, dayText } from '../../components/figures/times.ts';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { numberText } from '../../state/number-form.ts';
import { handoverPath, pagePath } from '../../state/pages.ts';
import styles from './handover-page.module.css';
import { SaveButton } from './save-button.tsx';
import { SheetView } from './sheet.tsx';
import { dateBeside, useHandover, useShownDay } from './use-handover.ts';

/** So many days can be chosen by name; others by the buttons beside them. */
const DAYS = 31;

const FORMS = {
  number: numberText,
  clock: (time: number) => clockText(time).slice(0, 5),
  moment: (time: number) => `${dayText(time)} ${clockText(time).slice(0, 5)}`,
};

/** What one shift hands over to the next: a day on one sheet, and what is open now. */
export function HandoverPage({ params }: { params: { date?: string } }) {
  const [, navigate] = useLocation();
  const shown = useShownDay(params.date);
  const { date, today, zone } = shown;
  const { read, thousandths } = useHandover(shown);
  const go = (next: string) => navigate(handoverPath(next === today ? undefined : next));
  const days = Array.from({ length: DAYS }, (_, back) => dateBeside(today, -back));
  const known = days.includes(date) ? days : [date, ...days];
  return (
    <>
      <PageHead name="Handover">
        <Button aria-label="The day before" onClick={() => go(dateBeside(date, -1))}>
          <ChevronLeft aria-hidden="true" />
        </Button>
        <FilterSelect
          label="Day"
          any="today"
          value={date === today ? '' : date}
          options={known.filter((day) => day !== today).map((day) => ({ value: day, text: day }))}
          onChange={(day) => go(day === '' ? today : day)}
        />
        <Button aria-label="The day after" disabled={date >= today} onClick={() => go(dateBeside(date, 1))}>
          <ChevronRight aria-hidden="true" />
        </Button>
        <span className="quiet">
          midnight to midnight, {zone}
          {read.isFetching && thousandths < 1_000 && ` · ${Math.floor(thousandths / 10)} % read`}
        </span>
        <span className="fill" />
        <SaveButton date={date} isThere={read.data !== undefined} />
      </PageHead>
      <PageBody className={styles.page}>
        <PanelBox aria-label={`Handover of ${date}`}>
          <Scroll>
            {read.data === undefined || read.error !== null ? (
              <ReadState
                read={read}
                rows={16}
                unknown="What this day held is not known; quoting and hedging do not wait for it"
              />
            ) : (
              <SheetView sheet={handoverSheet(read.data, FORMS)} pathOf={(page) => pathTo(page, read.data)} />
            )}
          </Scroll>
        </PanelBox>
      </PageBody>
    </>
  );
}

/** Where the rest of a table stands: the pages that can show a time show this day. */
function pathTo(page: SheetPage, { since, until }: Handover): string {
  if (page !== 'journal' && page !== 'firm-log') return pagePath(page);
  const moment = (time: number) => `${isoTime(time).slice(0, 19).replace('T', ' ')}Z`;
  const query = new URLSearchParams({ range: 'between', from: moment(since), to: moment(until - 1) });
  return `${pagePath(page)}?${query}`;
}

import { Empty } from '../../components/empty.tsx';
import { PageHead } from '../../components/page-head.tsx';

/** A desk without a chain: nothing can be signed, and nothing needs to shout. */
export function NewDesk() {
  return (
    <>
      <PageHead name="Desk">
        <span className="quiet">no desk file in this folder yet; nothing is signed before you say so</span>
      </PageHead>
      <div className="page-body">
        <section className="panel" aria-label="First start">
          <Empty title="This desk has no chain yet">
            Bring a desk file: <span className="mono">makerdesk import FILE</span>. Every fault in it is named with its
            path before anything is taken over. The desk stays halted until you resume it here, with a reason.
          </Empty>
        </section>
      </div>
    </>
  );
}

import type { Page } from '@playwright/test';

/** What a console that asks is told: the truth, nothing for now, or that it failed. Streams go on in any case. */
export type Answers = 'given' | 'held' | 'failed';

/** What the desk says of a question that fails, as it stands on the screen. */
export const FAILED = 'The journal cannot be read.';

const STREAM = /\/watch/;

/**
 * Stands between a page and its desk, before the page is opened: from when it is told so, questions get no answer, or all of
 * them fail, those whose path is `usual` alone, or `which` where it says so, while the live view and the other streams go on.
 */
export async function standBetween(page: Page, usual = /./): Promise<(answers: Answers, which?: RegExp) => void> {
  let answers: Answers = 'given';
  let which = usual;
  await page.routeWebSocket(/\/rpc/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(message));
    socket.onMessage((message) => {
      const asked = answers === 'given' ? null : questionOf(message.toString());
      if (asked === null || STREAM.test(asked.path) || !which.test(asked.path)) return server.send(message);
      if (answers === 'held') return;
      const json = { defined: false, code: 'INTERNAL_SERVER_ERROR', status: 500, message: FAILED };
      socket.send(JSON.stringify({ i: asked.id, p: { s: 500, b: { json } } }));
    });
  });
  return (next, of = usual) => {
    answers = next;
    which = of;
  };
}

/** The question in a message of a console; null where it is part of one that is asked already. */
function questionOf(text: string): { id: string; path: string } | null {
  const { i, p } = JSON.parse(text) as { i: string; p?: { u?: string } };
  return p?.u === undefined ? null : { id: i, path: p.u };
}

import { ipcMain, MessageChannelMain, type MessagePortMain, type WebContents, type WebFrameMain } from 'electron';
import { APP_DESKS, APP_HALT, PORT_MESSAGE, PORT_REQUEST } from '../contract/console-port.ts';
import { FILE_CHOICE, type FileQuestion, fileQuestionSchema } from '../contract/file-choice.ts';
import {
  PAGE_PDF,
  type PagePdfAnswer,
  type PagePdfQuestion,
  pagePdfQuestionSchema,
  type SavedPage,
} from '../contract/page-pdf.ts';
import { pressSchema } from '../contract/trading.ts';
import { originOf } from './origin.ts';

/** Takes the app's end of a channel to a page. */
export type TakesPort = (port: MessagePortMain) => void;

/**
 * What the page of a console gets: a port that `connect` leads to its desk, one on which it can only ask for `halt`, for the list
 * of desks elsewhere, for a file that a person chooses, and to be written into one, and one that `enter` leads to the entrance of
 * the desk. A desk elsewhere has no entrance here, and no files.
 */
export interface HandedOver {
  connect: TakesPort;
  enter: TakesPort | null;
  halt: (press?: string) => void;
  showDesks: () => void;
  chooseFile: ((page: WebContents, question: FileQuestion) => Promise<string | null>) | null;
  savePage: (page: WebContents, question: PagePdfQuestion) => Promise<SavedPage | null>;
}

/**
 * Gives a page its ports when it asks for them: what `portsOf` hands to it, in this order. Only the top frame of a page of the app
 * itself is heard, and only where there is something for it.
 */
export function handOverPorts(pageOrigin: string, portsOf: (contents: WebContents) => TakesPort[] | null): void {
  ipcMain.on(PORT_REQUEST, (event) => {
    if (!isOurs(event.senderFrame, event.sender, pageOrigin)) return;
    const ports = portsOf(event.sender);
    if (ports !== null) handOver(event.sender, ports);
  });
}

/** Gives a page one end of a channel for each of those who take the other. */
export function handOver(contents: WebContents, takes: readonly TakesPort[]): void {
  const far = takes.map((take) => {
    const { port1, port2 } = new MessageChannelMain();
    take(port1);
    return port2;
  });
  contents.postMessage(PORT_MESSAGE, null, far);
}

/** What the page of a console is handed over. */
export function consolePorts(contents: WebContents, given: HandedOver): TakesPort[] {
  const { connect, enter } = given;
  return [connect, (port) => hearPage(port, contents, given), ...(enter === null ? [] : [enter])];
}

function hearPage(
  port: MessagePortMain,
  contents: WebContents,
  { halt, showDesks, chooseFile, savePage }: HandedOver,
): void {
  port.on('message', ({ data }) => {
    if (data?.kind === APP_HALT) halt(pressSchema.safeParse(data.press).data);
    if (data?.kind === APP_DESKS) showDesks();
    const { data: question } = fileQuestionSchema.safeParse(data);
    if (question !== undefined) {
      const answer = (path: string | null) => port.postMessage({ kind: FILE_CHOICE, ask: question.ask, path });
      if (chooseFile === null) answer(null);
      else chooseFile(contents, question).then(answer, () => answer(null));
    }
    const { data: wish } = pagePdfQuestionSchema.safeParse(data);
    if (wish !== undefined) {
      const answer = (saved: SavedPage | null) =>
        port.postMessage({ kind: PAGE_PDF, ask: wish.ask, saved } satisfies PagePdfAnswer);
      savePage(contents, wish).then(answer, () => answer(null));
    }
  });
  port.start();
}

function isOurs(frame: WebFrameMain | null, contents: WebContents, pageOrigin: string): boolean {
  return frame !== null && frame === contents.mainFrame && originOf(frame.url) === pageOrigin;
}

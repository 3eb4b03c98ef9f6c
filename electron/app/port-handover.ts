import { ipcMain, MessageChannelMain, type MessagePortMain, type WebContents, type WebFrameMain } from 'electron';
import { APP_HALT, PORT_MESSAGE, PORT_REQUEST } from '../contract/console-port.ts';
import { FILE_CHOICE, type FileQuestion, fileQuestionSchema } from '../contract/file-choice.ts';
import { originOf } from './origin.ts';

/**
 * What a page gets: a port that `connect` leads to the desk, one on which it can only ask for `halt` and for a file that a person chooses, and one that `enter` leads to
 * the entrance of the desk.
 */
export interface HandedOver {
  connect: (port: MessagePortMain) => void;
  enter: (port: MessagePortMain) => void;
  halt: () => void;
  chooseFile: (page: WebContents, question: FileQuestion) => Promise<string | null>;
}

/** Gives a window its ports when its page asks for them. Only the top frame of a window that shows the console is heard. */
export function handOverPorts(
  options: HandedOver & { pageOrigin: string; isWindow: (contents: WebContents) => boolean },
): void {
  ipcMain.on(PORT_REQUEST, (event) => {
    if (!options.isWindow(event.sender) || !isConsole(event.senderFrame, event.sender, options.pageOrigin)) return;
    handOverPort(event.sender, options);
  });
}

export function handOverPort(contents: WebContents, { connect, enter, halt, chooseFile }: HandedOver): void {
  const [desk, app, entrance] = [new MessageChannelMain(), new MessageChannelMain(), new MessageChannelMain()];
  connect(desk.port1);
  enter(entrance.port1);
  app.port1.on('message', ({ data }) => {
    if (data?.kind === APP_HALT) halt();
    const { data: question } = fileQuestionSchema.safeParse(data);
    if (question === undefined) return;
    const answer = (path: string | null) => app.port1.postMessage({ kind: FILE_CHOICE, ask: question.ask, path });
    chooseFile(contents, question).then(answer, () => answer(null));
  });
  app.port1.start();
  contents.postMessage(PORT_MESSAGE, null, [desk.port2, app.port2, entrance.port2]);
}

function isConsole(frame: WebFrameMain | null, contents: WebContents, pageOrigin: string): boolean {
  return frame !== null && frame === contents.mainFrame && originOf(frame.url) === pageOrigin;
}

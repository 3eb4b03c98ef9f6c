import { dialog, type MessageBoxOptions } from 'electron';
import type { OwnDeskState } from '../contract/desks-elsewhere.ts';
import type { DeskEnd } from './desk-child.ts';
import { DRAIN_SECONDS } from './drain.ts';

/** The desk trades, or does not say in which state it is: may the app quit? */
export function askToQuit(state: OwnDeskState): Promise<boolean> {
  const isKnown = state === 'LIVE' || state === 'DRAIN';
  return ask({
    type: 'question',
    message: 'Quit Makerdesk?',
    detail:
      (isKnown
        ? `The desk is quoting. It drains for ${DRAIN_SECONDS} s, is then halted, and the app quits. `
        : `The desk does not answer, and may be quoting. It is drained for ${DRAIN_SECONDS} s if it answers in time, else its process is ended, and the app quits. `) +
      'Quotes that are signed stay fillable until they expire, and nobody watches their fills until the desk runs again. ' +
      'The next start comes back halted.',
    act: 'Drain and quit',
    stay: isKnown ? 'Keep quoting' : 'Leave it running',
  });
}

/**
 * The process of the desk is gone: start another? `byHand`: a person ended it, because it did not halt; null: nobody did. With why it may
 * come back LIVE all the same; null: it comes back HALTED.
 */
export function askToStartAgain(
  { exitCode, failure }: DeskEnd,
  byHand: { stillArmed: string | null } | null,
): Promise<boolean> {
  if (byHand !== null) {
    const { stillArmed } = byHand;
    const isWritten = stillArmed === null;
    return ask({
      type: 'warning',
      message: `The desk’s process is ended, ${isWritten ? 'and its halt is written' : 'but its halt could not be written'}.`,
      detail:
        'Nothing is quoted. What was signed stays fillable until it expires, and its fills are not seen until the desk ' +
        `runs. ${stillArmed ?? 'Started again, it comes back HALTED.'}`,
      act: isWritten ? 'Start the desk again, halted' : 'Start the desk again',
      stay: 'Leave it stopped',
    });
  }
  return ask({
    type: 'error',
    message: failure === null ? 'The process of the desk ended.' : failure.sentence,
    detail:
      failure === null
        ? `It ended by itself, with exit code ${exitCode}. Nothing is quoted, and fills are not seen. Its log, in the folder logs of ` +
          'the desk, says more. Started again, it checks signer, journal and chain before it quotes, and a halted desk comes back halted.'
        : `${failure.remedy} Nothing is quoted.`.trim(),
    act: failure === null ? 'Start the desk again' : 'Try again',
    stay: 'Leave it stopped',
  });
}

/** A halt got no answer: end the desk's process? `stillArmed`: why it may come back LIVE; null: it comes back HALTED. */
export function askToEndDesk(stillArmed: string | null): Promise<boolean> {
  const after = stillArmed ?? 'It will be halted when it starts again, whatever happens now.';
  return ask({
    type: 'warning',
    message: 'The desk has not acknowledged the halt.',
    detail: `It may still be quoting. Ending its process stops it for certain. ${after}`,
    act: 'End the desk’s process',
    stay: 'Leave it running',
  });
}

/** Something to know, with nothing to decide. Resolves once it is closed. */
export async function tell(message: string, detail: string): Promise<void> {
  await dialog.showMessageBox({ type: 'warning', message, detail, buttons: ['Close'] });
}

async function ask(question: { act: string; stay: string } & Pick<MessageBoxOptions, 'type' | 'message' | 'detail'>) {
  const { act, stay, ...text } = question;
  const { response } = await dialog.showMessageBox({
    ...text,
    buttons: [act, stay],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

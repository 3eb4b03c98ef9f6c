#!/usr/bin/env node
import { join } from 'node:path';
import { Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { addAcceptChain } from './commands/accept-chain.ts';
import { addAcceptReference } from './commands/accept-reference.ts';
import { addAlertWays } from './commands/alert-ways.ts';
import { addAcknowledge, addAlerts } from './commands/alerts.ts';
import { addApprovals } from './commands/approvals.ts';
import { addArchive } from './commands/archive.ts';
import { attachedTo } from './commands/attached-to.ts';
import { addBackup } from './commands/backup.ts';
import { addBlacklist } from './commands/blacklist.ts';
import { addCheck } from './commands/check.ts';
import { addConsole } from './commands/console.ts';
import { addCounterpartyKeys } from './commands/counterparty-keys.ts';
import { addDeskFile } from './commands/desk-file.ts';
import { addDesks } from './commands/desks.ts';
import { addDrain } from './commands/drain.ts';
import { addExport } from './commands/export.ts';
import { addFills } from './commands/fills.ts';
import { addFleet } from './commands/fleet.ts';
import { addFormula } from './commands/formula.ts';
import { addHalt } from './commands/halt.ts';
import { addHandover } from './commands/handover.ts';
import { addHedgeByHand } from './commands/hedge-by-hand.ts';
import { addHedges } from './commands/hedges.ts';
import { addHere } from './commands/here.ts';
import { addImport } from './commands/import.ts';
import { addJournal } from './commands/journal.ts';
import { addKey } from './commands/key.ts';
import { addLock } from './commands/lock.ts';
import { addLog } from './commands/log.ts';
import { addMessage } from './commands/message.ts';
import { addNames } from './commands/names.ts';
import { addNftOrder } from './commands/nft-order.ts';
import { addOnChain } from './commands/on-chain.ts';
import { addOrder } from './commands/order.ts';
import { addAt, addDiff } from './commands/past.ts';
import { addPositions } from './commands/positions.ts';
import { addPractice } from './commands/practice.ts';
import { describeError, toleratePrintFaults } from './commands/print.ts';
import { addProtections, addResetProtection } from './commands/protections.ts';
import { addRebuild } from './commands/rebuild.ts';
import { addReplay } from './commands/replay.ts';
import { addResults } from './commands/results.ts';
import { addResume } from './commands/resume.ts';
import { addSeal } from './commands/seal.ts';
import { addServe } from './commands/serve.ts';
import { addServiceKey } from './commands/service-key.ts';
import { addStandby } from './commands/standby.ts';
import { addStatus } from './commands/status.ts';
import { addStops } from './commands/stops.ts';
import { addSurface } from './commands/surface.ts';
import { addTakeOver } from './commands/take-over.ts';
import { addTakers } from './commands/takers.ts';
import { addToken } from './commands/token.ts';
import { consoleOriginOf } from './commands/typed-values.ts';
import { addVerify } from './commands/verify.ts';
import { addWhatIf } from './commands/what-if.ts';
import type { Attached } from './desk/attached.ts';
import { collectMemoryBeside } from './desk/collecting-memory.ts';
import { deskFolder, expectNoFile } from './desk/folder.ts';
import { osUser } from './desk/os-user.ts';
import { DeskError } from './protocol/desk-error.ts';

process.umask(0o077); // whatever a desk or a command writes is for its own user
toleratePrintFaults();
collectMemoryBeside();

const program = new Command('makerdesk')
  .description('Runs and steers a Makerdesk desk')
  .version(packageFile.version)
  .option('--data <folder>', 'the desk’s folder; by default $MAKERDESK_DATA, else the user’s data folder')
  .option('--practice', 'the practice desk of the default folder')
  .option(
    '--attach <url>',
    'a desk elsewhere, by the address of its console; its token from MAKERDESK_TOKEN or a prompt',
    (text: string) => attachedTo(consoleOriginOf(text, '--attach')),
  );

const options = () => program.opts<{ data?: string; practice?: boolean; attach?: Attached }>();
const folderOf = (practice = options().practice ?? false) => {
  const { data, practice: isNamed, attach } = options();
  if (data !== undefined && isNamed) {
    throw new DeskError('bad_option', '--data names one folder and --practice another: nothing was done.', {
      remedy: `Give one of them. A practice desk beside the desk of that folder is --data ${join(data, 'practice')}.`,
    });
  }
  if (attach === undefined) {
    const folder = deskFolder(data, process.env, practice);
    expectNoFile(folder);
    return folder;
  }
  throw new DeskError('bad_option', 'This is done in the desk’s folder, on its own machine: --attach cannot do it.');
};
const placeOf = () => {
  const { data, practice, attach } = options();
  if (attach === undefined) return folderOf();
  if (data === undefined && !practice) return attach;
  throw new DeskError('bad_option', '--attach names a desk elsewhere, so --data and --practice do not go with it.');
};
const actor = osUser();

addServe(program, folderOf, actor);
addStandby(program, folderOf, actor);
addSurface(program, folderOf);
addFleet(program, folderOf, actor);
addDeskFile(program, folderOf);
addImport(program, placeOf, actor);
addExport(program, placeOf, actor);
addKey(program, folderOf, actor);
addServiceKey(program, placeOf, actor);
addCounterpartyKeys(program, placeOf, actor);
addLock(program, { folderOf, placeOf }, actor);
addHalt(program, placeOf, actor);
addDrain(program, placeOf, actor);
addResume(program, placeOf, actor);
addDesks(program);
addStatus(program, placeOf, actor);
addCheck(program, placeOf, actor);
addStops(program, placeOf, actor);
addVerify(program, folderOf);
addSeal(program, placeOf, actor);
addRebuild(program, folderOf);
addReplay(program, folderOf);
addWhatIf(program, folderOf);
addLog(program, placeOf, actor);
addJournal(program, placeOf, actor);
addAt(program, placeOf, actor);
addDiff(program, placeOf, actor);
addFills(program, placeOf, actor);
addResults(program, placeOf, actor);
addHandover(program, placeOf, actor);
addPositions(program, placeOf, actor);
addHedges(program, placeOf, actor);
addHedgeByHand(program, placeOf, actor);
addAlerts(program, placeOf, actor);
addAcknowledge(program, placeOf, actor);
addHere(program, placeOf, actor);
addAlertWays(program, placeOf, actor);
addMessage(program, placeOf, actor);
addProtections(program, placeOf, actor);
addResetProtection(program, placeOf, actor);
addBlacklist(program, placeOf, actor);
addNames(program, placeOf, actor);
addTakers(program, placeOf, actor);
addToken(program, placeOf, actor);
addConsole(program, folderOf, actor);
addApprovals(program, placeOf, actor);
addTakeOver(program, placeOf, actor);
addFormula(program, placeOf, actor);
addOnChain(program, placeOf, actor);
addNftOrder(program, placeOf, actor);
addAcceptChain(program, placeOf, actor);
addAcceptReference(program, placeOf, actor);
addOrder(program, placeOf, actor);
addBackup(program, folderOf, actor);
addArchive(program, placeOf, actor);
addPractice(program, () => folderOf(true), actor);

try {
  // Said, because the program of the packaged app runs this too, where the first of the arguments is still this file.
  await program.parseAsync(process.argv, { from: 'node' });
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exit(1);
}

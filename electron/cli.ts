#!/usr/bin/env node
import { Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { addAcceptChain } from './commands/accept-chain.ts';
import { addAcceptReference } from './commands/accept-reference.ts';
import { addAlertWays } from './commands/alert-ways.ts';
import { addAcknowledge, addAlerts } from './commands/alerts.ts';
import { addArchive } from './commands/archive.ts';
import { addBackup } from './commands/backup.ts';
import { addBlacklist } from './commands/blacklist.ts';
import { addCheck } from './commands/check.ts';
import { addDrain } from './commands/drain.ts';
import { addExport } from './commands/export.ts';
import { addFills } from './commands/fills.ts';
import { addFormula } from './commands/formula.ts';
import { addHalt } from './commands/halt.ts';
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
import { describeError } from './commands/print.ts';
import { addProtections, addResetProtection } from './commands/protections.ts';
import { addRebuild } from './commands/rebuild.ts';
import { addReplay } from './commands/replay.ts';
import { addResults } from './commands/results.ts';
import { addResume } from './commands/resume.ts';
import { addSeal } from './commands/seal.ts';
import { addServe } from './commands/serve.ts';
import { addServiceKey } from './commands/service-key.ts';
import { addStatus } from './commands/status.ts';
import { addStops } from './commands/stops.ts';
import { addTakeOver } from './commands/take-over.ts';
import { addTakers } from './commands/takers.ts';
import { addToken } from './commands/token.ts';
import { addVerify } from './commands/verify.ts';
import { addWhatIf } from './commands/what-if.ts';
import { deskFolder } from './desk/folder.ts';
import { osUser } from './desk/os-user.ts';

process.umask(0o077); // whatever a desk or a command writes is for its own user

const program = new Command('makerdesk')
  .description('Runs and steers a Makerdesk desk')
  .version(packageFile.version)
  .option('--data <folder>', "the desk's folder; by default $MAKERDESK_DATA, else the user's data folder")
  .option('--practice', 'the practice desk of the default folder');

const folderOf = () => {
  const { data, practice } = program.opts<{ data?: string; practice?: boolean }>();
  return deskFolder(data, process.env, practice ?? false);
};
const actor = osUser();

addServe(program, folderOf, actor);
addImport(program, folderOf, actor);
addExport(program, folderOf, actor);
addKey(program, folderOf);
addServiceKey(program, folderOf, actor);
addLock(program, folderOf, actor);
addHalt(program, folderOf, actor);
addDrain(program, folderOf, actor);
addResume(program, folderOf, actor);
addStatus(program, folderOf, actor);
addCheck(program, folderOf, actor);
addStops(program, folderOf, actor);
addVerify(program, folderOf);
addSeal(program, folderOf, actor);
addRebuild(program, folderOf);
addReplay(program, folderOf);
addWhatIf(program, folderOf);
addLog(program, folderOf, actor);
addJournal(program, folderOf, actor);
addAt(program, folderOf, actor);
addDiff(program, folderOf, actor);
addFills(program, folderOf, actor);
addResults(program, folderOf, actor);
addPositions(program, folderOf, actor);
addHedges(program, folderOf, actor);
addHedgeByHand(program, folderOf, actor);
addAlerts(program, folderOf, actor);
addAcknowledge(program, folderOf, actor);
addHere(program, folderOf, actor);
addAlertWays(program, folderOf, actor);
addMessage(program, folderOf, actor);
addProtections(program, folderOf, actor);
addResetProtection(program, folderOf, actor);
addBlacklist(program, folderOf, actor);
addNames(program, folderOf, actor);
addTakers(program, folderOf, actor);
addToken(program, folderOf, actor);
addTakeOver(program, folderOf, actor);
addFormula(program, folderOf, actor);
addOnChain(program, folderOf, actor);
addNftOrder(program, folderOf, actor);
addAcceptChain(program, folderOf, actor);
addAcceptReference(program, folderOf, actor);
addOrder(program, folderOf, actor);
addBackup(program, folderOf, actor);
addArchive(program, folderOf, actor);
addPractice(program, actor);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exit(1);
}

import { alertsContract } from './console/alerts.ts';
import { approvalsContract } from './console/approvals.ts';
import { blacklistContract } from './console/blacklist.ts';
import { deskContract } from './console/desk.ts';
import { fillsContract } from './console/fills.ts';
import { fleetContract } from './console/fleet.ts';
import { formulasContract } from './console/formulas.ts';
import { handoverContract } from './console/handover.ts';
import { hedgeContract } from './console/hedge.ts';
import { journalContract } from './console/journal.ts';
import { keyContract } from './console/key.ts';
import { laddersContract } from './console/ladders.ts';
import { limitsContract } from './console/limits.ts';
import { listingsContract } from './console/listings.ts';
import { logContract } from './console/log.ts';
import { namesContract } from './console/names.ts';
import { nftOrdersContract } from './console/nft-orders.ts';
import { onChainContract } from './console/on-chain.ts';
import { pastContract } from './console/past.ts';
import { practiceContract } from './console/practice.ts';
import { protectionsContract } from './console/protections.ts';
import { resultsContract } from './console/results.ts';
import { savedFiltersContract } from './console/saved-filters.ts';
import { serviceContract } from './console/service.ts';
import { settingsContract } from './console/settings.ts';
import { tokensContract } from './console/tokens.ts';
import { tradingContract } from './console/trading.ts';
import { whatIfContract } from './console/what-if.ts';

/**
 * What console, command line and desk say to each other. Every input is checked on the desk's side. A command that is
 * refused throws `REFUSED` with the desk error's code, its sentence as message, its remedy, and the path of each fault.
 */
export const consoleContract = {
  alerts: alertsContract,
  trading: tradingContract,
  desk: deskContract,
  ladders: laddersContract,
  formulas: formulasContract,
  listings: listingsContract,
  limits: limitsContract,
  protections: protectionsContract,
  blacklist: blacklistContract,
  names: namesContract,
  savedFilters: savedFiltersContract,
  log: logContract,
  journal: journalContract,
  past: pastContract,
  whatIf: whatIfContract,
  fills: fillsContract,
  results: resultsContract,
  handover: handoverContract,
  hedge: hedgeContract,
  nftOrders: nftOrdersContract,
  onChain: onChainContract,
  service: serviceContract,
  practice: practiceContract,
  fleet: fleetContract,
  key: keyContract,
  settings: settingsContract,
  tokens: tokensContract,
  approvals: approvalsContract,
};

/**
 * Test files that take longer than their names say: `npm test` leaves them to `npm run test:long`, so that it is done within
 * eight minutes on two cores. Named, each runs by itself like any other.
 */
export const TAKE_LONG: readonly string[] = [
  'test/app/desks-elsewhere.test.ts',
  'test/book/facts.test.ts',
  'test/book/formulas.test.ts',
  'test/book/pushed-prices.test.ts',
  'test/chain/lying-node-model.test.ts',
  'test/chain/node-faults.test.ts',
  'test/chain/second-node.test.ts',
  'test/chain/spare-nodes.test.ts',
  'test/crash/halt-race.test.ts',
  'test/crash/kill-under-load.test.ts',
  'test/crash/kill-while-archiving.test.ts',
  'test/desk/acknowledge.test.ts',
  'test/desk/alerts/alert-ways-command.test.ts',
  'test/desk/alerts/caller.test.ts',
  'test/desk/alerts/changed-way.test.ts',
  'test/desk/alerts/command-way.test.ts',
  'test/desk/alerts/webhook-way.test.ts',
  'test/desk/attach.test.ts',
  'test/desk/attached-commands.test.ts',
  'test/desk/commands-in-a-folder.test.ts',
  'test/desk/counterparty-keys.test.ts',
  'test/desk/desks.test.ts',
  'test/desk/formulas.test.ts',
  'test/desk/four-eyes-attacked.test.ts',
  'test/desk/four-eyes-contract.test.ts',
  'test/desk/four-eyes-doors.test.ts',
  'test/desk/four-eyes.test.ts',
  'test/desk/handover.test.ts',
  'test/desk/lost-answers.test.ts',
  'test/desk/metrics.test.ts',
  'test/desk/moved-surface.test.ts',
  'test/desk/new-passphrase.test.ts',
  'test/desk/past-view.test.ts',
  'test/desk/practice-real-desk.test.ts',
  'test/desk/ready-line.test.ts',
  'test/desk/remote-key.test.ts',
  'test/desk/replace-configuration.test.ts',
  'test/desk/seals.test.ts',
  'test/desk/service-key.test.ts',
  'test/desk/several-sources.test.ts',
  'test/desk/terminal-tables.test.ts',
  'test/desk/tokens.test.ts',
  'test/desk/traces/traces.test.ts',
  'test/desk/typed-times.test.ts',
  'test/desk/what-if.test.ts',
  'test/desk/witness-alert.test.ts',
  'test/fleet/by-itself.test.ts',
  'test/fleet/credentials.test.ts',
  'test/fleet/membership.test.ts',
  'test/fleet/rights.test.ts',
  'test/fleet/rows.test.ts',
  'test/fleet/seen.test.ts',
  'test/fleet/stolen-surface.test.ts',
  'test/fleet/surfaces.test.ts',
  'test/fleet/take-over.test.ts',
  'test/hedge/hedge-takes.test.ts',
  'test/hedge/intent-hedge.test.ts',
  'test/hedge/market-hedge.test.ts',
  'test/hedge/odd-tokens.test.ts',
  'test/hedge/still-live.test.ts',
  'test/hostile/break-off.test.ts',
  'test/hostile/console-rights.test.ts',
  'test/hostile/doors.test.ts',
  'test/hostile/local-user.test.ts',
  'test/hostile/lying-service.test.ts',
  'test/hostile/one-bad-token.test.ts',
  'test/hostile/tampered-rows.test.ts',
  'test/journal/archive.test.ts',
  'test/journal/facts.test.ts',
  'test/journal/prove-open.test.ts',
  'test/journal/verify-tables.test.ts',
  'test/practice/orders/order-life.test.ts',
  'test/quoting/filled-protections.test.ts',
  'test/quoting/followed-depth.test.ts',
  'test/quoting/nft-orders.test.ts',
  'test/quoting/remote-key.test.ts',
  'test/quoting/replay.test.ts',
  'test/setup/deploy.test.ts',
];

/**
 * Of the end-to-end tests, each of which costs a browser and a desk, `npm test` runs those that would notice first that a console is
 * of no use: it opens, it halts, a price is changed and filled, its signature is found, the app asks for its passphrase. All others
 * run with `npm run test:long`.
 */
export const QUICK_SPECS: readonly string[] = [
  'test/e2e/browser.spec.ts',
  'test/e2e/desktop-entrance.spec.ts',
  'test/e2e/firm-log.spec.ts',
  'test/e2e/halt.spec.ts',
  'test/e2e/ladder.spec.ts',
  'test/e2e/newcomer.spec.ts',
];

/**
 * What `npm run test:long` leaves to `npm run test:whole`, so that it is done within half an hour: markets that are watched for
 * minutes, packages that are built and installed, a firm from an empty folder to its first fill, every command with every wrong
 * input, every page in every size and theme, every table and every step of a set-up by itself.
 */
export const TAKE_LONGEST: readonly string[] = [
  'test/desk/command-line.long.test.ts',
  'test/desk/ledger-equals-chain.long.test.ts',
  'test/desk/practice-faults.long.test.ts',
  'test/desk/practice-first-90s.long.test.ts',
  'test/desk/practice-swaps.long.test.ts',
  'test/desk/results-independent-sum.long.test.ts',
  'test/desk/wrong-input.long.test.ts',
  'test/practice/fleet.long.test.ts',
  'test/practice/practice-market.long.test.ts',
  'test/practice/takers/takers.long.test.ts',
  'test/setup/deb.long.test.ts',
  'test/setup/new-firm.long.test.ts',
  'test/e2e/approvals-pictures.long.spec.ts',
  'test/e2e/columns.long.spec.ts',
  'test/e2e/crossing.long.spec.ts',
  'test/e2e/desktop-entrance.long.spec.ts',
  'test/e2e/first-start.long.spec.ts',
  'test/e2e/fleet.long.spec.ts',
  'test/e2e/guide.long.spec.ts',
  'test/e2e/hedge-orders.long.spec.ts',
  'test/e2e/keys-alone.long.spec.ts',
  'test/e2e/never-live.long.spec.ts',
  'test/e2e/new-firm.long.spec.ts',
  'test/e2e/pictures.long.spec.ts',
  'test/e2e/pricing-pictures.long.spec.ts',
  'test/e2e/unanswered.long.spec.ts',
  'test/e2e/zoomed.long.spec.ts',
];

/** Whether only what is done within minutes is to run, as with `npm test`. */
export const isShort: boolean = process.env.MAKERDESK_SHORT === '1';

/** Whether only what is done within half an hour is to run, as with `npm run test:long`. */
export const isHalfHour: boolean = process.env.MAKERDESK_HALF_HOUR === '1';

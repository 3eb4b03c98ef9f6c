/** What a program learns from most errors beyond their code. */
export type Nothing = Record<never, never>;

/** Why no answer came from a node: too late, too large to be taken, an HTTP status, or no connection. */
type NodeSilence = {
  readonly why: 'late' | 'too_large' | 'status' | 'no_connection';
  /** Of HTTP; null without one. */
  readonly status: number | null;
  /** It has enough of our questions for now. */
  readonly overloaded: boolean;
  /** For so long it wants none, milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** Its own words for that, where it had any. */
  readonly said: string | null;
};

/**
 * Every code of an error, with what programs learn from it: no program reads the sentence. Why a quote is refused is declared
 * with its status in contract/refusal.ts.
 */
export interface DeskErrors {
  // amounts, ladders and orders
  bad_asset: Nothing;
  bad_decimal: Nothing;
  bad_nft_amount: Nothing;
  bad_nonce: Nothing;
  bad_partner_fee: Nothing;
  bad_permit: Nothing;
  bad_signature: Nothing;
  bad_typed_data: Nothing;
  cannot_build: Nothing;
  divided_by_zero: Nothing;
  mixed_denominators: Nothing;
  order_field: Nothing;
  zero_level: Nothing;
  // what a person gave
  bad_address: Nothing;
  bad_alarm: Nothing;
  bad_alert_command: Nothing;
  bad_amount: Nothing;
  bad_chain: Nothing;
  bad_depth: Nothing;
  bad_forgive_seconds: Nothing;
  bad_surfaces: Nothing;
  bad_kind: Nothing;
  bad_limit: Nothing;
  bad_minutes: Nothing;
  bad_nft_order: Nothing;
  bad_option: Nothing;
  bad_port: Nothing;
  bad_scope: Nothing;
  bad_seconds: Nothing;
  bad_seed: Nothing;
  bad_side: Nothing;
  bad_speed: Nothing;
  bad_switch: Nothing;
  bad_time: Nothing;
  bad_traces: Nothing;
  bad_url: Nothing;
  filter_not_saved: Nothing;
  invalid_input: Nothing;
  no_alert_command: Nothing;
  no_file: Nothing;
  no_mid: Nothing;
  no_node: Nothing;
  no_reason: Nothing;
  not_json: Nothing;
  not_printed: Nothing;
  repeated_keys: Nothing;
  not_written: Nothing;
  too_many_names: Nothing;
  too_many_ways: Nothing;
  unknown_alarm: Nothing;
  unknown_alert: Nothing;
  unknown_chain: Nothing;
  unknown_pair: Nothing;
  unknown_protection: Nothing;
  unknown_quote: Nothing;
  unknown_row: Nothing;
  unknown_taker: Nothing;
  unknown_token: Nothing;
  unknown_way: Nothing;
  // the book
  already_retired: Nothing;
  not_tripped: Nothing;
  desk_file_faulty: Nothing;
  draft_changed: Nothing;
  draft_faulty: Nothing;
  end_is_past: Nothing;
  formula_refused: Nothing;
  ladder_moved: Nothing;
  last_taker: Nothing;
  changed_meanwhile: Nothing;
  limits_changed: Nothing;
  limits_refused: Nothing;
  never_taker: Nothing;
  no_formula: Nothing;
  no_middle: Nothing;
  no_such_level: Nothing;
  set_apart: Nothing;
  not_blacklisted: Nothing;
  not_following: Nothing;
  pair_refused: Nothing;
  pair_retired: Nothing;
  priced_by_formula: Nothing;
  protections_refused: Nothing;
  reference_faulty: Nothing;
  reference_moved: Nothing;
  settings_refused: Nothing;
  token_in_use: Nothing;
  weaker_unconfirmed: Nothing;
  // desks elsewhere, as the app lists them
  desk_listed: Nothing;
  list_unread: Nothing;
  too_many_desks: Nothing;
  unknown_desk: Nothing;
  // prices of an engine
  fenced: Nothing;
  ladder_faulty: Nothing;
  no_such_token: Nothing;
  other_token: Nothing;
  sequence_gap: Nothing;
  taken_over: Nothing;
  token_exists: Nothing;
  token_refused: Nothing;
  // people
  approval_over: Nothing;
  change_too_long: Nothing;
  name_taken: Nothing;
  no_second_person: Nothing;
  not_allowed: Nothing;
  own_approval: Nothing;
  /** Under which number it waits. */
  second_person_asked: { readonly request: number };
  second_person_needed: Nothing;
  too_many_approvals: Nothing;
  too_many_changes: Nothing;
  unknown_approval: Nothing;
  // keys and secrets
  bad_hash: Nothing;
  bad_keystore: Nothing;
  bad_private_key: Nothing;
  bad_seal: Nothing;
  key_locked: Nothing;
  keys_replaced: Nothing;
  keystore_exists: Nothing;
  no_counterparty_keys: Nothing;
  no_earlier_keys: Nothing;
  no_key: Nothing;
  no_keystore: Nothing;
  no_passphrase: Nothing;
  no_token: Nothing;
  no_service_key: Nothing;
  no_way_secret: Nothing;
  not_locked: Nothing;
  other_key: Nothing;
  secrets_stay: Nothing;
  secrets_unreadable: Nothing;
  signer_broken: Nothing;
  signing_form_unknown: Nothing;
  unknown_counterparty: Nothing;
  unlock_elsewhere: Nothing;
  unlock_waits: Nothing;
  wrong_key: Nothing;
  wrong_passphrase: Nothing;
  // the journal and its folder
  archive_failed: Nothing;
  archive_runs: Nothing;
  backup_exists: Nothing;
  backup_failed: Nothing;
  backup_inside_folder: Nothing;
  backup_onto_itself: Nothing;
  folder_locked: Nothing;
  folder_open_to_others: Nothing;
  folder_unusable: Nothing;
  journal_broken: Nothing;
  journal_closed: Nothing;
  journal_foreign: Nothing;
  journal_forked: Nothing;
  journal_missing: Nothing;
  journal_newer: Nothing;
  journal_row_refused: Nothing;
  journal_unreadable: Nothing;
  nothing_to_seal: Nothing;
  reader_ended: Nothing;
  // a fleet of desks
  bad_authority_file: Nothing;
  bad_credentials_file: Nothing;
  bad_fleet_url: Nothing;
  fleet_alone: Nothing;
  fleet_denied: Nothing;
  fleet_empty: Nothing;
  fleet_gap: Nothing;
  fleet_needed: Nothing;
  fleet_refused: Nothing;
  fleet_standby: Nothing;
  fleet_taken: Nothing;
  fleet_taken_over: Nothing;
  fleet_tls: Nothing;
  fleet_unreachable: Nothing;
  folder_of_desk: Nothing;
  journal_behind: Nothing;
  no_fleet: Nothing;
  nothing_served: Nothing;
  standby_not_ready: Nothing;
  unknown_standby: Nothing;
  unknown_surface: Nothing;
  // chains and their nodes
  block_moved: Nothing;
  chain_not_replaced: Nothing;
  chain_replaced: Nothing;
  check_failed: Nothing;
  fork_unknown: Nothing;
  node_behind: Nothing;
  node_malformed: { readonly method: string };
  node_refused: { readonly method: string | null; readonly overloaded: boolean };
  node_sealed: Nothing;
  node_unreachable: NodeSilence;
  node_wrong_chain: Nothing;
  nodes_disagree: Nothing;
  not_an_nft: Nothing;
  wrong_chain: Nothing;
  // trading
  checks_pending: Nothing;
  desk_changed: Nothing;
  desk_stopping: Nothing;
  chain_trading: Nothing;
  desk_trading: Nothing;
  not_armed: Nothing;
  not_stopped: Nothing;
  overtaken_by_stop: Nothing;
  still_live: Nothing;
  // orders signed by hand
  nft_not_approved: Nothing;
  nft_not_held: Nothing;
  nft_order_changed: Nothing;
  nft_promised: Nothing;
  no_signer: Nothing;
  order_kept: Nothing;
  order_over: Nothing;
  unknown_order: Nothing;
  signer_silent: Nothing;
  wrong_signature: Nothing;
  // the service
  allowance_of_other: Nothing;
  bad_ask: Nothing;
  built_otherwise: Nothing;
  chains_differ: Nothing;
  mode_differs: Nothing;
  mode_unavailable: Nothing;
  no_route: Nothing;
  no_service: Nothing;
  permit_required: Nothing;
  service_busy: Nothing;
  service_day_spent: Nothing;
  service_nonsense: Nothing;
  service_not_private: Nothing;
  service_refused: Nothing;
  service_unreachable: Nothing;
  // hedges
  bad_fills: Nothing;
  bad_terms: Nothing;
  cannot_give_up: Nothing;
  contract_maker: Nothing;
  /** Rows of the journal of the hedges that close it already. */
  covered_unconfirmed: { readonly covering: readonly number[] };
  halted_unconfirmed: Nothing;
  hedge_ended: Nothing;
  impact: Nothing;
  no_bridge: Nothing;
  no_hedging: Nothing;
  no_reference: Nothing;
  not_cancellable: Nothing;
  not_correctable: Nothing;
  not_mined: Nothing;
  not_proven: Nothing;
  not_this_hedge: Nothing;
  off_reference_unconfirmed: Nothing;
  permit_under_way: Nothing;
  price_moved: Nothing;
  promised: Nothing;
  promised_unconfirmed: Nothing;
  unknown_hedge: Nothing;
  unpinned_contract: Nothing;
  wallet_approves: Nothing;
  would_fail: Nothing;
  // what listens
  cannot_listen: Nothing;
  no_answer: Nothing;
  not_admitted: Nothing;
  command_done: Nothing;
  command_late: Nothing;
  command_lost: Nothing;
  command_refused: Nothing;
  command_reused: Nothing;
  no_chain: Nothing;
  no_desk: Nothing;
  no_running_desk: Nothing;
  port_taken: Nothing;
  surface_needs_counterparties: Nothing;
  // the practice market
  anvil_failed: Nothing;
  anvil_missing: Nothing;
  nats_failed: Nothing;
  nats_missing: Nothing;
  branch_moved: Nothing;
  deployment_failed: Nothing;
  fault_failed: Nothing;
  intents_file: Nothing;
  no_practice: Nothing;
  not_an_amount: Nothing;
  orders_file: Nothing;
  practice_elsewhere: Nothing;
  practice_ended: Nothing;
  practice_failed: Nothing;
  practice_file: Nothing;
  practice_in_use: Nothing;
  practice_moved: Nothing;
  settlement_unseen: Nothing;
  too_long: Nothing;
  transaction_lost: Nothing;
  transaction_reverted: Nothing;
  unknown_fault: Nothing;
}

export type ErrorCode = keyof DeskErrors;

type Options<C extends ErrorCode> = { remedy?: string; cause?: unknown } & (Nothing extends DeskErrors[C]
  ? { fields?: undefined }
  : { fields: DeskErrors[C] });

/**
 * The one family of errors. `code` and `fields` are stable and for programs, `message` is one sentence for a person,
 * `remedy` says what to do about it.
 */
export class DeskError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly remedy: string;
  readonly fields: DeskErrors[C];

  constructor(
    code: C,
    message: string,
    ...[options]: Nothing extends DeskErrors[C] ? [options?: Options<C>] : [options: Options<C>]
  ) {
    super(message, { cause: options?.cause });
    this.name = 'DeskError';
    this.code = code;
    this.remedy = options?.remedy ?? '';
    this.fields = (options?.fields ?? {}) as DeskErrors[C];
  }
}

/** Whether something that was thrown is an error of ours with one of these codes. */
export function isDeskError<C extends ErrorCode>(error: unknown, ...codes: readonly C[]): error is DeskError<C> {
  return error instanceof DeskError && codes.some((code) => code === error.code);
}

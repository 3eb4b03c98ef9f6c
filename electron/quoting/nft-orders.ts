import { isDeepStrictEqual } from 'node:util';
import type { Book } from '../book/book.ts';
import type { ChainBook } from '../book/chain-book.ts';
import { presetOf } from '../book/network-preset.ts';
import type { KnownBlock } from '../chain/forks.ts';
import { type AskedNft, type NftHolding, readNfts } from '../chain/nft-holdings.ts';
import { utcText } from '../contract/names.ts';
import type { NftOrderPlan, NftOrderSide, NftOrderTerms, SignedNftOrder } from '../contract/nft-order.ts';
import type { Nft, QuoteDetail } from '../contract/quote-log.ts';
import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';
import { type Ask, exposedAsset, termsOf } from '../guard/ask.ts';
import type { NftOrderBody } from '../journal/quotes/events.ts';
import { LONGEST_BY_HAND_SECONDS } from '../journal/quotes/prove-open.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../protocol/address.ts';
import { fromRaw, parseDecimal, toRaw } from '../protocol/decimal.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { type NftOrderFields, nftOrderFields, nftOrderHash, nftOrderToSign } from '../protocol/nft-order-hash.ts';
import { packNonceAndMeta } from '../protocol/nonce-and-meta.ts';
import { domainSeparator } from '../protocol/order-hash.ts';
import { inForm } from '../protocol/signing-form.ts';
import type { LatchReading } from '../signer/latch.ts';
import type { FirmPathOptions } from './firm-path.ts';

/** An order that a person signs can be filled for at least this long. */
const LEAST_LIFETIME_SECONDS = 120;
const RANDOM_BYTES = 12;
/** How often the chain is asked once more because a new block came meanwhile. */
const MOST_READS = 3;

type NftOrdersOptions = Pick<
  FirmPathOptions,
  'guard' | 'latch' | 'signerFor' | 'formOf' | 'checks' | 'randomBytes' | 'now' | 'log'
> & {
  book: Pick<Book, 'chain' | 'seals'>;
  journal: Pick<FirmPathOptions['journal'], 'append'> & {
    read: { quoteByHash(chainId: number, orderHash: string): Promise<QuoteDetail | null> };
  };
};

/** A side as it is signed. `nft` is null where it is of an ERC-20 token. */
interface SignedSide {
  asset: Address;
  amount: bigint;
  nft: Nft | null;
  /** In a person's words. */
  words: string;
}

/** An order that was checked against the chain at one block. */
interface Checked {
  chain: ChainBook;
  block: KnownBlock;
  gives: SignedSide;
  gets: SignedSide;
  /** What the maker has of the NFT that it gives; null where it gives tokens. */
  held: bigint | null;
  plan: NftOrderPlan;
}

/**
 * Orders with NFTs for one taker, signed by hand (PROTOCOL 1.4, 21.3). They go the way of every signature: who owns what is asked of the
 * chain, the guard and the latch are asked in the tick of signing, the row is durable before the signature is handed over, and a
 * stop in between withholds it. From then on an order counts, ends and is told as a firm quote is.
 */
export class NftOrders {
  readonly #options: NftOrdersOptions;
  /** Hashes that are signed and not handed over: on their way, or withheld. A person signs few. */
  readonly #kept = new Set<string>();

  constructor(options: NftOrdersOptions) {
    this.#options = options;
  }

  /** What would be signed, in plain words. Throws DeskError with why it would be refused. */
  async check(terms: NftOrderTerms): Promise<NftOrderPlan> {
    const checked = await this.#checked(terms);
    this.#expectAllowed(checked, terms);
    return checked.plan;
  }

  /**
   * Signs what a person confirmed in these words. Resolves with the order once its row is durable and no stop came since this was
   * called; throws DeskError otherwise, and then nothing is out.
   */
  async sign(terms: NftOrderTerms & { words: string }, actor: string): Promise<SignedNftOrder> {
    const { latch } = this.#options;
    const reading = latch.read({ chainId: terms.chainId });
    const checked = await this.#checked(terms);
    if (checked.plan.words !== terms.words) {
      throw new DeskError('nft_order_changed', 'What would be signed now is not what was confirmed.', {
        remedy: 'Nothing was signed. Look the order over again.',
      });
    }
    this.#expectAllowed(checked, terms);
    if (!latch.holds(reading)) throw refused('halted');
    return this.#signed(checked, { terms, actor, reading });
  }

  /** An open order that was signed by hand before. It leaves the desk again, so that it is refused wherever signing would be. */
  async signed(chainId: number, orderHash: string): Promise<SignedNftOrder> {
    const { guard, journal } = this.#options;
    const chain = this.#chain(chainId);
    const quote = await journal.read.quoteByHash(chainId, orderHash.toLowerCase());
    const isByHand = quote !== null && (quote.makerNft !== undefined || quote.takerNft !== undefined);
    if (!isByHand) throw new DeskError('unknown_order', 'This desk signed no NFT order with this hash.');
    if (quote.outcome !== 'open')
      throw new DeskError('order_over', `This order is ${quote.outcome}: it is no longer handed out.`);
    if (this.#kept.has(quote.orderHash ?? '')) {
      throw new DeskError('order_kept', 'This order was signed, and the desk has not handed it over.', {
        remedy: 'Wait for the answer to its signing. One that was withheld is handed out to nobody.',
      });
    }
    const { takerAddress: taker, makerAmount, takerAmount } = quote;
    const terms = termsOf({ ...quote, makerAmount: makerAmount ?? '0', takerAmount: takerAmount ?? '0' });
    const closed = guard.handRefusal(chain, { ...terms, taker }, true);
    if (closed !== null) throw refused(closed);
    return handedOver(quote.seq, chain, quote);
  }

  #chain(chainId: number): ChainBook {
    const chain = this.#options.book.chain(chainId);
    if (chain !== undefined) return chain;
    throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
  }

  /** The block that balances and exposure are known at. */
  #block({ chainId }: ChainBook): KnownBlock {
    const block = this.#options.guard.orders.of(chainId).view()?.block;
    if (!block) throw refused('chain_unseen');
    return block;
  }

  /** The order against the book and the chain. */
  async #checked(terms: NftOrderTerms): Promise<Checked> {
    const chain = this.#chain(terms.chainId);
    this.#expectTerms(chain, terms);
    const { maker, name } = chain.config;
    const asked = [nftOf(terms.gives, maker), nftOf(terms.gets, terms.taker)];
    const nfts = asked.filter((nft) => nft !== null);
    let block = this.#block(chain);
    let holdings = await this.#holdings(chain, block, nfts);
    for (let again = 0; again < MOST_READS && block.hash !== this.#block(chain).hash; again += 1) {
      block = this.#block(chain);
      holdings = await this.#holdings(chain, block, nfts);
    }
    const [given, got] = asked.map((nft) => (nft === null ? undefined : holdings[nfts.indexOf(nft)]));
    const gives = sideOf(chain, terms.gives, given);
    const gets = sideOf(chain, terms.gets, got);
    if (given !== undefined) expectGivable(gives, given);
    if (got !== undefined && got.held < gets.amount) {
      const remedy = 'Check address and id of the NFT, and the taker: what they do not have they cannot give.';
      throw new DeskError('nft_not_held', `The taker ${terms.taker} does not have ${gets.words}.`, { remedy });
    }
    const until = terms.expiry * 1_000;
    const inParts = gives.nft?.kind !== 'erc721' && gets.nft?.kind !== 'erc721';
    const where = `${name} (chain ${chain.chainId})`;
    const deal = `The maker ${maker} gives ${gives.words} and gets ${gets.words}, on ${where}.`;
    const words = `${deal} Only ${terms.taker} can take it${inParts ? ', at once or in parts' : ''}, until ${utcText(until)}.`;
    const plan = { chain: where, gives: gives.words, gets: gets.words, taker: terms.taker, until, inParts, words };
    return { chain, block, gives, gets, held: given?.held ?? null, plan };
  }

  /** What the chain says of NFTs, by the word of both its nodes where it has two. */
  async #holdings(
    { config: { rpcUrl, secondRpcUrl, rfqContract } }: ChainBook,
    block: KnownBlock,
    nfts: readonly AskedNft[],
  ): Promise<NftHolding[]> {
    const { seals } = this.#options.book;
    const read = (url: string) => readNfts({ rpcUrl: seals.whole(url), block, operator: rfqContract, nfts });
    const [said, confirmed] = await Promise.all([read(rpcUrl), secondRpcUrl == null ? null : read(secondRpcUrl)]);
    if (confirmed !== null && !isDeepStrictEqual(said, confirmed)) throw refused('chain_unconfirmed');
    return said;
  }

  /** What can be said without asking the chain. */
  #expectTerms({ config, tokens, never }: ChainBook, { gives, gets, taker, expiry }: NftOrderTerms): void {
    const wrong = (sentence: string, remedy = 'Nothing was signed.') =>
      new DeskError('bad_nft_order', sentence, { remedy });
    const { maker, signer, rfqContract } = config;
    const sides = [gives, gets].flatMap((side) => ('nft' in side ? [side] : []));
    if (sides.length === 0) {
      throw wrong(
        'Neither side of this order is an NFT.',
        'Orders of tokens alone are quoted to the service, not signed by hand.',
      );
    }
    const [one, other] = sides;
    if (other !== undefined && one?.nft === other.nft && one.id === other.id)
      throw wrong('Both sides are the same NFT.');
    for (const { nft } of sides) {
      const listed = [...tokens].find(([, { address }]) => address === nft);
      if (listed !== undefined) throw wrong(`${nft} is the token ${listed[0]}, not the contract of an NFT.`);
      if ([maker, signer, rfqContract, taker, ZERO_ADDRESS].includes(nft)) {
        throw wrong(
          `${nft} is not the contract of an NFT: it is the maker, its signer, the RFQ contract, the taker or nobody.`,
        );
      }
    }
    const whose: [Address, string][] = [
      [ZERO_ADDRESS, 'nobody: anyone could take the order'],
      [maker, 'the maker itself'],
      [signer, 'the signer of the maker'],
      [rfqContract, 'the RFQ contract'],
    ];
    const preset = presetOf(config.chainId);
    const is = never.get(taker);
    if (is !== undefined) whose.push([taker, is]);
    // Whoever calls these has them take an order for anybody.
    if (taker === (config.router ?? preset.router)) whose.push([taker, 'the router of the service']);
    if ([...config.takers, ...(config.takersLeftOut ?? []), ...preset.takers].includes(taker)) {
      whose.push([taker, 'an execution contract of the service: whoever calls it could take the order']);
    }
    for (const [address, name] of whose) {
      if (taker === address) throw wrong(`The taker cannot be ${name}.`, 'Name the address of whom you trade with.');
    }
    if ([...tokens.values()].some(({ address }) => address === taker)) throw wrong(`The taker ${taker} is a token.`);
    const left = expiry - Math.floor(this.#options.now() / 1_000);
    if (left < LEAST_LIFETIME_SECONDS || left > LONGEST_BY_HAND_SECONDS) {
      throw wrong(
        left <= 0
          ? 'The end of this order is in the past.'
          : `An order by hand ends in 2 minutes to 30 days, not in ${left} seconds.`,
        'Choose another end.',
      );
    }
  }

  /** What the guard says, in this tick. What is broken must not go on signing, so it halts. */
  #expectAllowed({ chain, block, gives, gets, held }: Checked, { taker }: NftOrderTerms): void {
    const { guard } = this.#options;
    try {
      const ask = askOf({ gives, gets, taker });
      const code = guard.handRefusal(chain, ask, false);
      if (code !== null) throw refused(code);
      // What was promised is judged by the same block as what is held: one that was sold since is in neither.
      if (block.hash !== this.#block(chain).hash) {
        throw new DeskError('block_moved', 'A new block came while the order was checked.', { remedy: 'Try again.' });
      }
      if (held === null) return;
      const promised = guard.covered(chain, ask).exposure;
      if (held - promised >= gives.amount) return;
      throw new DeskError('nft_promised', `The maker gives ${gives.words} in another order that is still live.`, {
        remedy: 'Cancel that one on chain, or wait until it ends.',
      });
    } catch (error) {
      if (!(error instanceof DeskError)) guard.trading.failed({ chainId: chain.chainId }, error);
      throw error;
    }
  }

  /** Reserves, signs and hands the row to the journal; then waits for the disk, and looks at everything once more. */
  async #signed(
    checked: Checked,
    { terms, actor, reading }: { terms: NftOrderTerms; actor: string; reading: LatchReading },
  ): Promise<SignedNftOrder> {
    const { guard, latch, journal, checks, signerFor, formOf, randomBytes, now, log } = this.#options;
    const { chain, gives, gets, held, plan } = checked;
    const { chainId, config } = chain;
    const { taker, expiry } = terms;
    const signer = signerFor(config.signer);
    if (signer?.address !== config.signer) {
      throw new DeskError('no_signer', `The key of ${config.signer} is not open on this desk.`);
    }
    const order = nftOrderFields({
      nonceAndMeta: packNonceAndMeta(taker, BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)),
      expiry,
      maker: config.maker,
      taker,
      makerAsset: gives.asset,
      takerAsset: gets.asset,
      makerNft: gives.nft ?? undefined,
      takerNft: gets.nft ?? undefined,
      makerAmount: gives.amount,
      takerAmount: gets.amount,
    });
    const { domainName, rfqContract } = config;
    const orderHash = nftOrderHash(domainSeparator({ domainName, chainId, rfqContract }), order);
    const signable = inForm(formOf(chain), config, nftOrderToSign(config, order, orderHash));
    const ask = askOf({ gives, gets, taker });
    const { balance, allowance, exposure } = guard.covered(chain, ask);
    const reservation = guard.reserveByHand(chain, { orderHash, terms: ask, expiry });
    const receivedAt = now();
    let written: Promise<number>;
    let body: NftOrderBody;
    let own: Promise<boolean>;
    try {
      const signature = await signer.sign(signable);
      body = {
        chainId,
        pair: null,
        side: null,
        given: 'makerAmount',
        userAddress: taker,
        takerAddress: taker,
        maker: config.maker,
        makerAsset: gives.asset,
        takerAsset: gets.asset,
        makerAmount: `${gives.amount}`,
        takerAmount: `${gets.amount}`,
        orderHash,
        nonceAndMeta: `${order.nonceAndMeta}`,
        expiry,
        signature,
        code: null,
        ladderRevision: null,
        balance: text(held ?? balance),
        // The whole of an NFT that may be taken at all may be taken.
        allowance: text(held ?? allowance),
        exposure: `${exposure}`,
        counterparty: null,
        receivedAt,
        latencyMs: 0,
        requestBody: plan.words,
        makerNft: gives.nft ?? undefined,
        takerNft: gets.nft ?? undefined,
      };
      this.#kept.add(orderHash);
      written = journal.append({ time: receivedAt, actor, kind: 'nft_order', body });
      own = signer.kind === 'remote' ? Promise.resolve(true) : checks.isOwn(signer, signable.hash, signature);
    } catch (error) {
      guard.withhold(chainId, reservation); // nothing was handed to the journal, so nothing can come of it
      throw error;
    }
    const seq = await written.catch((error: unknown) => {
      // A row that was refused is on no disk. After any other failure it may be, so the order counts until it expires.
      if (isDeskError(error, 'journal_row_refused')) guard.withhold(chainId, reservation);
      throw new DeskError('journal_failed', 'The order could not be written to the journal, and was not handed over.', {
        cause: error,
      });
    });
    const isOwn = await own;
    guard.written(chainId, reservation, seq);
    const code = this.#withheldFor(checked, { terms, isOwn });
    // Once more in the very step in which it is handed over: a stop since the person confirmed it comes first.
    if (code === null && latch.release(reading, () => {}) !== null) {
      this.#kept.delete(orderHash);
      return handedOver(seq, chain, body);
    }
    const why = code ?? 'halted';
    log?.error('An order by hand was signed and not handed over.', { seq, why });
    journal
      .append({ time: now(), actor: 'desk', kind: 'quote_withheld', body: { chainId, quoteSeq: seq, code: why } })
      .then(
        () => guard.withhold(chainId, reservation),
        () => {}, // it counts until it expires, as it would after a restart
      );
    throw refused(why);
  }

  /** Why an order whose row is durable must not leave, or null. */
  #withheldFor(
    { chain, gives, gets }: Checked,
    { terms, isOwn }: { terms: NftOrderTerms; isOwn: boolean },
  ): RefusalCode | null {
    const { guard, book, now } = this.#options;
    const { chainId, config } = chain;
    try {
      if (!isOwn) throw new Error(`A signature did not recover to its signer ${config.signer}.`);
      if (terms.expiry - Math.floor(now() / 1_000) < LEAST_LIFETIME_SECONDS / 2) return 'deadline';
      const current = book.chain(chainId);
      const same = (['maker', 'signer', 'rfqContract', 'domainName'] as const).every(
        (name) => current?.config[name] === config[name],
      );
      if (current === undefined || !same) return 'checks_failed';
      return guard.handRefusal(current, askOf({ gives, gets, taker: terms.taker }), true);
    } catch (error) {
      guard.trading.failed({ chainId }, error);
      return 'internal';
    }
  }
}

function text(amount: bigint | null): string | null {
  return amount === null ? null : `${amount}`;
}

/** As limits and exposure know it: an NFT by its own name, which is no token's. */
function askOf({ gives, gets, taker }: Pick<Checked, 'gives' | 'gets'> & { taker: Address }): Ask {
  return {
    pair: null,
    user: taker,
    taker,
    makerAmount: gives.amount,
    takerAmount: gets.amount,
    makerAsset: exposedAsset(gives.asset, gives.nft ?? undefined),
    takerAsset: exposedAsset(gets.asset, gets.nft ?? undefined),
  };
}

function nftOf(side: NftOrderSide, holder: Address): AskedNft | null {
  return 'nft' in side ? { contract: side.nft, id: BigInt(side.id), holder } : null;
}

const KINDS = { erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

function sideOf(chain: ChainBook, side: NftOrderSide, holding: NftHolding | undefined): SignedSide {
  const wrong = (sentence: string, remedy: string) => new DeskError('bad_nft_order', sentence, { remedy });
  if ('nft' in side) {
    if (holding === undefined) throw refused('internal');
    const { kind } = holding;
    const amount = BigInt(side.pieces);
    const which = `NFT #${side.id} of ${side.nft} (${KINDS[kind]})`;
    if (amount < 1n) throw wrong(`No piece of ${which} is given or got.`, 'Name at least 1 piece.');
    if (kind === 'erc721' && amount !== 1n) {
      throw wrong(`${which} is one of a kind: there are no ${amount} pieces of it.`, 'Name 1 piece.');
    }
    return {
      asset: side.nft,
      amount,
      nft: { kind, id: side.id },
      words: `${amount === 1n ? '' : `${amount} × `}${which}`,
    };
  }
  const { tokenId } = side;
  const token = chain.tokens.get(tokenId);
  if (token === undefined) {
    throw wrong(`${tokenId} is not a listed token of ${chain.config.name}.`, 'Use a token that the desk lists there.');
  }
  const { address, decimals } = token;
  const { n, d } = parseDecimal(side.amount);
  if ((n * 10n ** BigInt(decimals)) % d !== 0n) {
    throw wrong(`${side.amount} ${tokenId} has more than ${decimals} decimals.`, 'Write the amount with fewer.');
  }
  const amount = toRaw(side.amount, decimals);
  if (amount === 0n) throw wrong(`An amount of 0 ${tokenId} gives an NFT away.`, 'Name an amount above 0.');
  if (amount >= 2n ** 256n) throw refused('amount_too_large');
  return { asset: address, amount, nft: null, words: `${fromRaw(amount, decimals)} ${tokenId} (${address})` };
}

/** Only what the maker has, and what the RFQ contract may take from it, is given. */
function expectGivable({ amount, words, nft }: SignedSide, { held, approved }: NftHolding): void {
  if (held < amount) {
    const has = nft?.kind === 'erc1155' ? `has ${held} of it` : 'is not its owner';
    throw new DeskError('nft_not_held', `The maker cannot give ${words}: it ${has}.`, {
      remedy: 'Check address and id of the NFT, or have it sent to the maker first.',
    });
  }
  if (approved) return;
  throw new DeskError('nft_not_approved', `The RFQ contract may not take ${words} from the maker.`, {
    remedy: 'Have the maker approve the RFQ contract at the contract of the NFT first.',
  });
}

function handedOver(
  seq: number,
  { chainId, config }: ChainBook,
  body: Pick<NftOrderBody, 'orderHash' | 'signature' | 'nonceAndMeta' | 'expiry' | 'makerAmount' | 'takerAmount'> &
    Pick<
      NftOrderBody,
      'maker' | 'takerAddress' | 'makerAsset' | 'takerAsset' | 'makerNft' | 'takerNft' | 'requestBody'
    >,
): SignedNftOrder {
  const { orderHash, signature, nonceAndMeta, makerAmount, takerAmount, expiry } = body;
  if (orderHash === null || signature === null || nonceAndMeta === null || expiry === null) throw refused('internal');
  const { maker, takerAddress: taker, makerAsset, takerAsset, makerNft, takerNft } = body;
  const order: NftOrderFields = nftOrderFields({
    nonceAndMeta: BigInt(nonceAndMeta),
    expiry,
    maker,
    taker,
    makerAsset,
    takerAsset,
    makerNft,
    takerNft,
    makerAmount: BigInt(makerAmount ?? 0),
    takerAmount: BigInt(takerAmount ?? 0),
  });
  return {
    seq,
    chainId,
    orderHash,
    words: body.requestBody,
    rfqContract: config.rfqContract,
    order: {
      nonceAndMeta: `${order.nonceAndMeta}`,
      expiry,
      makerAsset: `${order.makerAsset}`,
      makerAssetId: `${order.makerAssetId}`,
      takerAsset: `${order.takerAsset}`,
      takerAssetId: `${order.takerAssetId}`,
      maker,
      taker,
      makerAmount: `${order.makerAmount}`,
      takerAmount: `${order.takerAmount}`,
      signature: signature as Hex,
    },
  };
}

function refused(code: RefusalCode): DeskError {
  return new DeskError(code, `${REFUSALS[code].sentence} Nothing was handed over.`);
}

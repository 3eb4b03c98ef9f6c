import { Fragment } from 'react';
import { MARKOUT_NAMES, MARKS } from '../../../electron/contract/marks.ts';
import { type MarkedFill, type Nft, nftText } from '../../../electron/contract/quote-log.ts';
import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { Address } from '../../components/figures/address.tsx';
import type { TokenFigure } from '../../components/figures/amounts.ts';
import { countText, markText } from '../../components/figures/counts.ts';
import { User } from '../../components/figures/party.tsx';
import { clockText, momentText, stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { zoneName } from '../../state/time-zone.ts';
import styles from './facts.module.css';
import { Checked, Fact, Facts, wholeText } from './facts.tsx';

/** The eight fields that were signed, with what they mean. */
export function XrayOrder({ xray, gives, gets }: { xray: QuoteXray } & Tokens) {
  const { preimage } = xray;
  if (preimage === null) return null;
  const { order, user, random } = preimage;
  const { makerNft, takerNft } = xray.quote;
  const signedAt = Date.parse(xray.quote.time);
  return (
    <Facts name="Order, as signed">
      <dl>
        <Fact name="makerAsset">
          we give <AssetName nft={makerNft} token={gives} /> <Address hex={order.makerAsset} of="maker asset" />
        </Fact>
        <Fact name="makerAmount" raw={order.makerAmount}>
          <b>{makerNft === undefined ? wholeText(order.makerAmount, gives) : nftText(makerNft, order.makerAmount)}</b>
        </Fact>
        <Fact name="takerAsset">
          we get <AssetName nft={takerNft} token={gets} /> <Address hex={order.takerAsset} of="taker asset" />
        </Fact>
        <Fact name="takerAmount" raw={order.takerAmount}>
          <b>{takerNft === undefined ? wholeText(order.takerAmount, gets) : nftText(takerNft, order.takerAmount)}</b>
        </Fact>
        <Fact name="maker">
          our funds <Address hex={order.maker} of="maker’s address" />
        </Fact>
        <Fact name="taker">
          only {order.nft === undefined ? 'this contract' : 'they'} may fill{' '}
          <Address hex={order.taker} of="taker’s address" />
        </Fact>
        <Fact name="expiry" raw={String(order.expiry)}>
          <b>{momentText(order.expiry * 1_000, signedAt)}</b> {zoneName(order.expiry * 1_000)}
          {order.nft === undefined && `, ${order.expiry - Math.floor(signedAt / 1_000)} s after the request`}
        </Fact>
        <Fact name="nonceAndMeta" raw={order.nonceAndMeta}>
          user <User address={user} copies /> + random <span className="mono">{random}</span>
        </Fact>
      </dl>
    </Facts>
  );
}

function AssetName({ nft, token }: { nft: Nft | undefined; token: TokenFigure | undefined }) {
  if (nft === undefined) return <b>{token?.symbol ?? 'a token that is not listed'}</b>;
  return (
    <b>
      {nft.kind === 'erc721' ? 'ERC-721' : 'ERC-1155'} #{nft.id}
    </b>
  );
}

interface Tokens {
  gives: TokenFigure | undefined;
  gets: TokenFigure | undefined;
}

/** The hash and what it was made of, hashed and recovered once more. */
export function XraySignature({ xray }: { xray: QuoteXray }) {
  const { quote, preimage } = xray;
  return (
    <Facts name={preimage === null ? 'Journal' : 'Signature'}>
      <dl>
        {preimage !== null && (
          <>
            <Fact name="Domain">
              {preimage.domain.name}, version 1, chain {preimage.domain.chainId},{' '}
              <Address hex={preimage.domain.verifyingContract} of="RFQ contract’s address" />
              <span className={`mono quiet ${styles.raw}`}>{preimage.domainSeparator}</span>
            </Fact>
            <Fact name="Hash">
              <span className={`mono ${styles.whole}`}>{quote.orderHash}</span>
              <Checked holds={preimage.matches}>
                {preimage.matches
                  ? 'Hashed once more: the same.'
                  : `Hashed once more with today’s domain: ${preimage.hash}`}
              </Checked>
            </Fact>
            {preimage.message !== undefined && (
              <Fact name="Message">
                <span className={`mono ${styles.whole}`}>{preimage.message}</span>
                <span className="quiet">The hash as a message of the maker’s wallet: this is what the key signed.</span>
              </Fact>
            )}
            <Fact name="Signature">
              <span className={`mono ${styles.whole}`}>{quote.signature}</span>
            </Fact>
            <Fact name="Recovered">
              {preimage.recovered === null ? (
                <Checked holds={false}>These bytes are no signature.</Checked>
              ) : (
                <Checked holds={preimage.recovered === preimage.signer}>
                  <Address hex={preimage.recovered} of="recovered address" />{' '}
                  {preimage.recovered === preimage.signer ? 'is our signer' : 'is not our signer of today'}
                </Checked>
              )}
            </Fact>
          </>
        )}
        <Fact name="Row" raw={quote.hash}>
          {countText(quote.seq)}, written {stampText(Date.parse(quote.time))} {zoneName(Date.parse(quote.time))} before
          the answer left
        </Fact>
      </dl>
    </Facts>
  );
}

/** What became of it on the chain. */
export function XrayFills({ xray, gives, gets }: Props) {
  const { quote, fills, cancels } = xray;
  if (quote.orderHash === null) return null;
  const left = BigInt(quote.makerAmount ?? 0) - BigInt(quote.filledMakerAmount);
  return (
    <Facts name={fills.length === 1 ? 'Fill' : 'Fills'}>
      {fills.length + cancels.length === 0 && <p className="muted">Nothing on chain yet.</p>}
      <dl>
        {fills.map((fill) => (
          <Fact key={fill.seq} name={clockText(fill.time)}>
            <FillFacts fill={fill} gives={gives} gets={gets} />
          </Fact>
        ))}
        {cancels.map((cancel) => (
          <Fact key={cancel.transactionHash} name={clockText(cancel.time)}>
            cancelled on chain, block {countText(cancel.block)}{' '}
            <Address hex={cancel.transactionHash} of="transaction" />
            {cancel.reverted && <TakenBack />}
          </Fact>
        ))}
        {fills.length > 0 && left > 0n && (
          <Fact name="Left over">
            {wholeText(`${left}`, gives)}
            {quote.expiry !== null && (
              <>
                , fillable until {stampText(quote.expiry * 1_000)} {zoneName(quote.expiry * 1_000)}
              </>
            )}
          </Fact>
        )}
      </dl>
    </Facts>
  );
}

interface Props {
  xray: QuoteXray;
  gives: TokenFigure | undefined;
  gets: TokenFigure | undefined;
}

function FillFacts({ fill, gives, gets }: { fill: MarkedFill } & Omit<Props, 'xray'>) {
  return (
    <>
      <b>{wholeText(fill.makerAmount, gives)}</b> for <b>{wholeText(fill.takerAmount, gets)}</b>, block{' '}
      {countText(fill.block)}, <Address hex={fill.transactionHash} of="transaction" />
      {fill.reverted && <TakenBack />}
      <span className={styles.raw}>
        edge <b>{markText(fill.edge)}</b>
        {MARKOUT_NAMES.map((name) => (
          <Fragment key={name}>
            {' '}
            · {MARKS[name].text} <b>{markText(fill[name])}</b>
          </Fragment>
        ))}{' '}
        bps
      </span>
    </>
  );
}

function TakenBack() {
  return (
    <span className="attn with-mark">
      {' '}
      <Mark shape="cancelled" tone="attn" />
      taken back by a reorganisation
    </span>
  );
}

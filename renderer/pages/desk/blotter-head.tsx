/** Widths are fixed before data arrives. Columns of the same number of figures stand under each other. */
export function BlotterHead() {
  return (
    <>
      <colgroup>
        <col className="c-pair" />
        <col className="c-quoting narrow-out" />
        <col className="c-size narrow-out" />
        <col className="c-price" />
        <col className="c-price" />
        <col className="c-size narrow-out" />
        <col className="c-small" />
        <col className="c-small narrow-out" />
        <col className="c-small" />
        <col className="c-spark" />
        <col className="c-by wide-only" />
        <col className="c-volume wide-only" />
        <col className="c-volume wide-only" />
        <col className="c-signed" />
        <col className="c-in-quote wide-only" />
        <col className="c-volume" />
        <col className="c-count" />
        <col className="c-in-quote wide-only" />
        <col className="c-volume" />
        <col className="c-small roomy-only" />
        <col className="c-count" />
        <col className="c-switch" />
        <col className="c-switch" />
        <col className="c-switch" />
      </colgroup>
      <thead>
        <tr>
          <th>Pair</th>
          <th className="narrow-out">Quoting</th>
          <Head name="Size" unit="base" look="edge narrow-out" />
          <Head name="We buy at" unit="quote" />
          <Head name="We sell at" unit="quote" />
          <Head name="Size" unit="base" look="narrow-out" />
          <Head name="Spread" unit="bps" />
          <Head name="Mid–ref" unit="bps" look="narrow-out" />
          <Head name="Age" unit="ladder" />
          <th className="edge">
            Mid<small>last 2 h</small>
          </th>
          <th className="wide-only">
            Revision<small>by</small>
          </th>
          <Head name="Bids worth" unit="k$" look="edge wide-only" />
          <Head name="Asks worth" unit="k$" look="wide-only" />
          <Head name="Signed" unit="today" look="edge" />
          <Head name="Volume" unit="quote" look="wide-only" />
          <Head name="Volume" unit="k$" />
          <Head name="Filled" unit="today" look="edge" />
          <Head name="Volume" unit="quote" look="wide-only" />
          <Head name="Volume" unit="k$" />
          <Head name="Ratio" unit="%" look="roomy-only" />
          <Head name="Refused" unit="today" />
          <th className="center edge">Bids</th>
          <th className="center">Asks</th>
          <th className="center">Pair</th>
        </tr>
      </thead>
    </>
  );
}

function Head({ name, unit, look = '' }: { name: string; unit: string; look?: string }) {
  return (
    <th className={`right ${look}`}>
      {name}
      <small>{unit}</small>
    </th>
  );
}

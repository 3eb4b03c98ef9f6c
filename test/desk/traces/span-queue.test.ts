import { ROOT_CONTEXT } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SpanQueue } from '../../../electron/desk/traces/span-queue.ts';
import { openCollector } from './collector.ts';

/** A queue to a collector that answers once it is let to. */
async function queueTo({ open }: { open: boolean }) {
  const held: (() => void)[] = [];
  const gate = { open };
  const collector = await openCollector((response) => {
    if (gate.open) response.end();
    else held.push(() => response.end());
  });
  onTestFinished(() => collector.close());
  const counts = { sent: 0, lost: 0 };
  const lines: string[] = [];
  let now = 0;
  const queue = new SpanQueue({
    exporter: new OTLPTraceExporter({ url: `${collector.url}/v1/traces` }),
    origin: collector.url,
    onSpans: (outcome, count) => {
      counts[outcome] += count;
    },
    monotonic: () => now,
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
  });
  const provider = new TracerProvider({ spanProcessors: [queue] });
  const tracer = provider.getTracer('test');
  return {
    collector,
    counts,
    lines,
    end: (count: number) => {
      for (let one = 0; one < count; one += 1) tracer.startSpan('span', {}, ROOT_CONTEXT).end();
    },
    let: () => {
      gate.open = true;
      for (const answer of held.splice(0)) answer();
    },
    later: (milliseconds: number) => {
      now += milliseconds;
    },
    close: () => provider.shutdown(),
  };
}

test('so many spans wait for a slow collector and no more; what is lost is counted and said once, and so is the end of it', async () => {
  const queue = await queueTo({ open: false });
  queue.end(256);
  await vi.waitFor(() => expect(queue.collector.asked).toBe(1)); // the first batch is on its way
  queue.end(8_192 + 100);
  expect(queue.counts).toEqual({ sent: 0, lost: 100 });
  queue.let();
  await vi.waitFor(() => expect(queue.counts).toEqual({ sent: 256 + 8_192, lost: 100 }));
  expect(queue.collector.spans).toHaveLength(256 + 8_192);
  expect(queue.lines).toEqual([expect.stringContaining('traces are lost')]);
  queue.later(60_000);
  queue.end(256);
  await vi.waitFor(() => expect(queue.lines).toEqual([expect.anything(), 'traces are taken again']));
});

test('a few spans are sent too, and those that are left at the end', async () => {
  const queue = await queueTo({ open: true });
  queue.end(1);
  await vi.waitFor(() => expect(queue.counts.sent).toBe(1));
  queue.end(3);
  await queue.close();
  await vi.waitFor(() => expect(queue.counts).toEqual({ sent: 4, lost: 0 }));
  queue.end(1);
  expect(queue.counts).toEqual({ sent: 4, lost: 0 });
});

test('an end of the desk does not wait for a collector that does not answer', async () => {
  const queue = await queueTo({ open: false });
  queue.end(300);
  await queue.close();
  expect(queue.counts).toEqual({ sent: 0, lost: 44 }); // of the other 256 it is not known
});

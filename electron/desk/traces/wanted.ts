import { DeskError } from '../../protocol/desk-error.ts';
import { isSafeFromOthers } from '../../protocol/loopback.ts';

/** Of all requests, all (unless told), none, or a share. Ours is the first span of its trace, so there is no parent to ask. */
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

export interface WantedTraces {
  /** Where they go, to be shown: without a path or a key. */
  origin: string;
  /** The share of firm requests that is traced, 0 to 1. */
  share: number;
}

/**
 * What the standard variables of OpenTelemetry say about traces; null where they name no endpoint or turn them off. The library
 * reads the endpoint, headers, certificates and times from the same variables by itself. Throws DeskError `bad_traces` for what would have
 * a person wait for traces that never come.
 */
export function wantedTraces(environment: NodeJS.ProcessEnv): WantedTraces | null {
  const said = (name: string) => environment[name]?.trim() || undefined;
  const ours = (name: string) => {
    for (const one of [`OTEL_EXPORTER_OTLP_TRACES_${name}`, `OTEL_EXPORTER_OTLP_${name}`]) {
      const text = said(one);
      if (text !== undefined) return { name: one, text };
    }
    return null;
  };
  const endpoint = ours('ENDPOINT');
  const exporter = said('OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (endpoint === null || exporter === 'none' || said('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  if (exporter !== 'otlp') throw badTraces('OTEL_TRACES_EXPORTER', 'is neither otlp nor none');
  const protocol = ours('PROTOCOL');
  if (protocol !== null && protocol.text !== 'http/protobuf')
    throw badTraces(
      protocol.name,
      'is not http/protobuf, which is how a desk speaks to a collector, mostly on port 4318',
    );
  const url = URL.parse(endpoint.text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw badTraces(endpoint.name, 'is no address such as http://127.0.0.1:4318');
  if (ours('HEADERS') !== null && !isSafeFromOthers(url.href))
    throw badTraces(
      endpoint.name,
      'is neither https nor on this machine, and the headers that go there may be a secret',
    );
  return { origin: url.origin, share: shareOf(said('OTEL_TRACES_SAMPLER'), said('OTEL_TRACES_SAMPLER_ARG')) };
}

function shareOf(sampler = 'always_on', argument = '1'): number {
  const kind = SAMPLERS.find((one) => one === sampler.replace(/^parentbased_/, ''));
  if (kind === undefined) throw badTraces('OTEL_TRACES_SAMPLER', `is none of ${SAMPLERS.join(', ')}`);
  if (kind !== 'traceidratio') return kind === 'always_on' ? 1 : 0;
  if (!/^(0|1|[01]?\.\d{1,9})$/.test(argument) || Number(argument) > 1)
    throw badTraces('OTEL_TRACES_SAMPLER_ARG', 'is no share from 0 to 1, such as 0.1');
  return Number(argument);
}

/** What was given is not repeated: it may have a key in it. */
function badTraces(name: string, what: string): DeskError {
  return new DeskError('bad_traces', `Traces cannot be given: ${name} ${what}.`, {
    remedy: 'Correct the variable, or set OTEL_TRACES_EXPORTER=none to run without traces.',
  });
}

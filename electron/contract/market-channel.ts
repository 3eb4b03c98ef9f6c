import { z } from 'zod';
import { faultSwitchSchema, practiceSpeedSchema, practiceStateSchema } from './practice.ts';
import { refusing } from './refusing.ts';

const portSchema = z.int().min(0).max(65_535);

/** How the practice market is opened. Port 0 takes a free one. */
export const marketStartSchema = z.object({
  /** Of the practice desk: the market keeps its state in `market/` of it, and its log in `logs/`. */
  folder: z.string(),
  /** How its lines stand on stderr, which it shares with the desk. */
  logForm: z.enum(['json', 'text']),
  /** Of the chains' nodes; a chain that none is given for gets one beside the first chain's. */
  rpcPorts: z.array(portSchema).min(1),
  servicePort: portSchema,
  seed: z.int(),
  /** Firm quotes asked for in a second on each chain; the market's own pace unless told. */
  speed: practiceSpeedSchema.optional(),
  /** How the service judges the desk; `strict` unless told. */
  mode: z.enum(['strict', 'spec']).optional(),
  /** How long the service holds a failure against the desk; as long as the real one unless told. */
  forgiveSeconds: z.int().optional(),
  /** A fleet server beside it, and so many surfaces of the desk; `port` is where the desk finds it. */
  fleet: z.object({ surfaces: z.int().min(1), port: portSchema }).optional(),
});
export type MarketStart = z.infer<typeof marketStartSchema>;

/** What the desk has to know of a market that stands. */
export const marketReadySchema = z.object({
  /** The desk file of this market, with the counterparty's secret. */
  deskFile: z.record(z.string(), z.unknown()),
  /** Of the maker; worth nothing anywhere else. */
  makerPrivateKey: z.templateLiteral(['0x', z.string()]),
  serviceUrl: z.string(),
  /** Of the chains' nodes, in the order of the desk file. */
  rpcUrls: z.array(z.string()).min(1),
  /** Where the desk finds its fleet; null without one. */
  fleetUrl: z.string().nullable(),
});
export type MarketReady = z.infer<typeof marketReadySchema>;

/** What its service, its takers and its faults are doing. */
const runningStateSchema = practiceStateSchema.omit({ ended: true });

/**
 * What the desk says to the process of its practice market, beside what goes over the sockets of the wire. The market ends
 * with the channel.
 */
export const marketContract = {
  open: refusing.input(marketStartSchema).output(marketReadySchema),
  /** Starts the surfaces of the fleet, each at the port of its place, and answers where they listen. The desk is there already. */
  startSurfaces: refusing
    .input(z.object({ passphrase: z.string(), ports: z.array(portSchema) }))
    .output(z.array(z.string())),
  /** The service begins to consume the surfaces at these addresses, in turn, and takers to ask. */
  trade: refusing.input(z.object({ surfaceUrls: z.array(z.string()).min(1) })),
  stopTrading: refusing,
  state: refusing.output(runningStateSchema),
  /** Answers once the fault is in force, or gone. */
  fault: refusing.input(faultSwitchSchema),
  speed: refusing.input(z.object({ asksPerSecond: practiceSpeedSchema })),
  /** Answers once the chains have written their state and nothing runs any more. */
  close: refusing,
};

/** One JSON-RPC request as it goes over the wire. */
export interface RpcRequest {
  jsonrpc: '2.0';
  id: number;
  method: string;
  params: readonly unknown[];
}

/** How requests reach a node: one body out, one answer (parsed JSON, of any shape) back. Throws a DeskError. */
export interface NodeTransport {
  /** Sends the requests as one batch, or a single one as itself. */
  send(requests: readonly RpcRequest[]): Promise<unknown>;
  close(): void;
}

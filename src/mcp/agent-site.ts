import { isWritingMethod } from '../docs/sample-request.ts';
import type { SchemaSource } from '../docs/schema-tree.ts';
import type { JsonObject } from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import type { OwnAddresses } from '../router/target.ts';
import type { Catalog, ListedOperation } from './catalog.ts';

/** A site as agents reach it: its document, and the way of a request to it. */
export interface AgentSite extends SchemaSource {
  /** Path of the site at the gateway: `/content`, or empty. */
  readonly mountPath: string;
  readonly addresses: OwnAddresses;
  /** Operations that change the site and can be called, by their ids; `*` for all that delete nothing. */
  readonly writes: readonly string[];
  readonly catalog: Catalog;
  /** Why the document is incomplete, for each result of a tool; `null` if the site was read whole. */
  readonly incompleteSummary: string | null;
  /** Aborted if the agent does not wait for the result any more. */
  readonly signal: AbortSignal;
  /** Operations that are tools of their own. */
  readonly tools: readonly string[];
  /** The credentials of the agent's user, as in `Authorization`; empty for a visitor. */
  readonly authorization: string;
  /** Says what the site would run for a request, in each spelling of its path: it can mean the operation in one of them alone. */
  readonly resolve: (method: string, path: string) => readonly ResolvedCall[];
  /** Sends a request as any other client's: through access lists, limits, validation and the cache. */
  readonly send: (request: AgentRequest, signal: AbortSignal) => Promise<Response>;
  /** Reads a file to upload; absent over HTTP, where the files of this machine are none of a client's. */
  readonly readFile?: FileReader;
  /** Receives the name of a tool that is called, and of the operation. */
  readonly onTool: (name: string) => void;
  readonly onError: (error: unknown) => void;
}

/** @returns `undefined` for a file that the user has not named, or that is too large */
export type FileReader = (
  path: string,
) => Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined>;

export interface ResolvedCall {
  readonly method: string;
  readonly operation: Operation;
  /** Path and query at the gateway. */
  readonly target: string;
  /** Says whether responses to visitors can be stored. */
  readonly isCached: () => boolean;
}

export interface AgentRequest extends Pick<ResolvedCall, 'method' | 'target'> {
  /** Without `Content-Length`, a flat list name, value. */
  readonly headers: readonly string[];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Whether an operation can remove something for good: a deletion, or a batch, which can contain deletions. */
export function isDestructive({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return method === 'DELETE' || (method !== 'GET' && /\/batch(?:\/v\d+)?$/.test(path));
}

/** Says why a write is not sent, and which setting would allow it. @returns `undefined` if the operation is allowed */
export function explainRefusedWrite(
  { id, operation }: ListedOperation,
  { writes }: Pick<AgentSite, 'writes'>,
): string | undefined {
  if (!isWritingMethod(operation.method) || writes.includes(id)) return undefined;
  const option = `mcp.writes: ['${id}'] at a gateway, --writes ${id} of waygate mcp`;
  if (isDestructive(operation)) return `${id} can delete, so the operator must name it: ${option}.`;
  if (writes.includes('*')) return undefined;
  return `this server does not allow ${id}. The operator can: ${option}, or '*' for all writes that delete nothing.`;
}

/** A tool as `tools/list` has it. Its description contains no text of the site. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonObject;
  readonly outputSchema?: Tool['inputSchema'] | undefined;
  readonly annotations: Readonly<Record<`${string}Hint`, boolean>>;
}

/** The result of a tool: the lines of this server, and what the site has sent, apart from them. */
export interface ToolResult {
  readonly text: string;
  readonly content?: string;
  /** Valid against the `outputSchema` of the tool, if that has one. */
  readonly structuredContent?: { [name: string]: unknown };
  readonly isError?: boolean;
}

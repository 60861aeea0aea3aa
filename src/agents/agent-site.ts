import type { JsonObject } from '../base/json.ts';
import type { CallClass } from '../generator/openapi/operation-classes.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import type { SchemaSource } from '../generator/reference/schema-tree.ts';
import type { Catalog, ListedOperation } from './catalog.ts';

/** What serves the tools of a site, also before its document is known. */
export interface AgentHost extends Pick<AgentSite, 'reads' | 'writes'> {
  /** The site as its operator has named it. */
  readonly title: string;
  /** The client as its request names it, for one that does not introduce itself. */
  readonly client: string;
  /** Reads the site, unless that has been done. @throws an error for the agent if it cannot be read */
  readonly load: () => Promise<AgentSite>;
  /** Receives each call of a tool once it has ended. */
  readonly onCall: (call: AgentCall) => void;
  readonly onError: (error: unknown) => void;
}

/** What is logged of a call. It has neither bodies nor credentials. */
export interface AgentCall {
  readonly tool: string;
  /** Name and version of the client. */
  readonly client: string;
  /** Absent if the site was not read. */
  readonly user?: string;
  readonly operation?: string;
  /** Declared path arguments, each a number or at most 100 characters. */
  readonly path?: JsonObject;
  readonly class?: string;
  /** The status of the site's response, or what happened here. */
  readonly outcome: number | 'answered' | 'asked' | 'failed' | 'refused';
}

/** A site as agents reach it: its document, and the way of a request to it. */
export interface AgentSite extends SchemaSource {
  /** Path of the site at the gateway: `/content`, or empty. */
  readonly mountPath: string;
  /** Hosts of the site's own addresses. */
  readonly hosts: readonly string[];
  /** Operations that agents can call besides reads, as `mcp.writes` has them. */
  readonly writes: readonly string[];
  /** The reads that agents can call, as `mcp.reads` has them: `*` for all that only read. */
  readonly reads: readonly string[];
  readonly catalog: Catalog;
  /** Why the document is incomplete, for each result of a tool; `null` if the site was read whole. */
  readonly incompleteSummary: string | null;
  /** Aborted if the agent does not wait for the result any more. */
  readonly signal: AbortSignal;
  /** The credentials of the agent's user, as in `Authorization`; empty for a visitor. */
  readonly authorization: string;
  /** Says what the site would run for a request, in each spelling of its path: it can mean the operation in one of them alone. */
  readonly resolve: (method: string, path: string) => readonly ResolvedCall[];
  /** Sends a request as any other client's: through access lists, limits, validation and the cache. */
  readonly send: (request: AgentRequest, signal: AbortSignal) => Promise<Response>;
  /** Shows a secret of a response to the person, e.g. a new application password; absent where only the agent would see it. */
  readonly showSecret?: (name: string, value: string) => void;
  /** Returns what the person has answered to a question; absent if the client cannot ask. */
  readonly ask?: (question: string) => 'accepted' | 'declined' | 'unasked';
  /** Receives what is known of the call. */
  readonly note: (call: Pick<AgentCall, 'class' | 'operation' | 'path'>) => void;
  /** What the site gets as `User-Agent`. */
  readonly userAgent: string;
}

export interface ResolvedCall {
  readonly method: string;
  readonly operation: Operation;
  /** Path and query at the gateway. */
  readonly target: string;
}

export interface AgentRequest extends Pick<ResolvedCall, 'method' | 'target'> {
  /** Without `Content-Length`, a flat list name, value. */
  readonly headers: readonly string[];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Says why the settings refuse a call, and which one would allow it. @returns `undefined` if allowed */
export function explainRefusal(
  { id, operation }: ListedOperation,
  called: CallClass,
  { catalog, reads, writes }: Pick<AgentSite, 'catalog' | 'reads' | 'writes'>,
): string | undefined {
  const { namespace } = operation;
  const isWriting = isWritingMethod(operation.method);
  const settings = isWriting ? writes : reads;
  // An update that moves a post to the trash is the deletion of this post, whatever else is allowed.
  const named = (called.name === 'deletion' && findDeletion({ operation }, { catalog })?.id) || id;
  if (settings.includes(named) || settings.includes(`${namespace}!`)) return undefined;
  const group = isWriting ? 'content' : '*';
  const isInGroup = called.name === (isWriting ? 'content' : 'read');
  if (isInGroup && (settings.includes(group) || settings.includes(namespace))) return undefined;
  const setting = isWriting ? 'writes' : 'reads';
  const all = isInGroup ? ` '${group}' allows all of its kind.` : '';
  const kind = called.name === 'read' ? 'a read that the operator left out' : called.name;
  // The settings of reads replace a default.
  const names = isWriting ? [named] : [...reads, named];
  const list = names.map((name) => `'${name}'`).join(', ');
  const flags = names.map((name) => `--${setting} ${name.replace(/^.*[*!].*$/, "'$&'")}`).join(' ');
  return `it is ${kind}: ${called.reason} The operator can allow it: mcp.${setting}: [${list}] at a gateway, ${flags} of waygate mcp.${all}`;
}

/** The operation that deletes what another one writes. */
export function findDeletion(
  { operation }: Pick<ListedOperation, 'operation'>,
  { catalog }: Pick<AgentSite, 'catalog'>,
): ListedOperation | undefined {
  return catalog.byRoute.get(`DELETE ${operation.path}`);
}

/** The tool that calls an operation, unless what is sent deletes something. */
export function toolOf({ classify, operation }: ListedOperation): 'delete' | 'read' | 'write' {
  if (!isWritingMethod(operation.method)) return 'read';
  return classify().name === 'deletion' ? 'delete' : 'write';
}

/** A tool as `tools/list` has it. Its description contains no text of the site. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonObject;
  readonly annotations: Readonly<Record<`${string}Hint`, boolean>>;
}

/** The result of a tool: the lines of this server, and what the site has sent, apart from them. */
export interface ToolResult {
  readonly text: string;
  readonly content?: string;
  readonly isError?: boolean;
  /** Status of the site's response. */
  readonly status?: number;
  /** The question to the person whose answer the call waits for. */
  readonly question?: string;
}

import type { JsonObject } from '../base/json.ts';
import type { AgentCall, CallableSite } from '../gateway/surfaces.ts';
import type { CallClass } from '../generator/openapi/operation-classes.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import type { SchemaSource } from '../generator/reference/schema-tree.ts';
import type { Catalog, ListedOperation } from './catalog.ts';

export interface AgentSite extends Omit<CallableSite, 'documented'>, SchemaSource {
  readonly catalog: Catalog;
  /** Aborted if the agent does not wait for the result any more. */
  readonly signal: AbortSignal;
  /** Returns what the person has answered to a question; absent if the client cannot ask. */
  readonly ask?: (question: string) => 'accepted' | 'declined' | 'unasked';
  readonly note: (call: Pick<AgentCall, 'class' | 'operation' | 'path'>) => void;
  readonly userAgent: string;
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

export function findDeletion(
  { operation }: Pick<ListedOperation, 'operation'>,
  { catalog }: Pick<AgentSite, 'catalog'>,
): ListedOperation | undefined {
  return catalog.byRoute.get(`DELETE ${operation.path}`);
}

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
  readonly status?: number;
  /** The question to the person whose answer the call waits for. */
  readonly question?: string;
}

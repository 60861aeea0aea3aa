import type { JsonObject } from '../base/json.ts';
import type { AgentCall, AgentRights, CallableSite } from '../gateway/surfaces.ts';
import type { Level } from '../generator/openapi/operation-levels.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import type { SchemaSource } from '../generator/reference/schema-tree.ts';
import type { Catalog, ListedOperation } from './catalog.ts';

export interface AgentSite extends Omit<CallableSite, 'documented'>, SchemaSource {
  readonly catalog: Catalog;
  /** Aborted when the agent no longer waits. */
  readonly signal: AbortSignal;
  /** Returns the person's answer to a question; absent if the client cannot ask. */
  readonly ask?: (question: string) => 'accepted' | 'declined' | 'unasked';
  readonly note: (call: Partial<AgentCall>) => void;
  /** Logs one call of a list. */
  readonly logItem: (call: Partial<AgentCall>) => void;
  readonly userAgent: string;
}

export const CALL_TOOLS = {
  read: 'read_operation',
  write: 'write_operation',
  delete: 'delete_operation',
} as const;
export type CallTool = (typeof CALL_TOOLS)[keyof typeof CALL_TOOLS];

/** Effects of a call by level, for refusals. */
const EFFECTS: Readonly<Record<Level, string>> = {
  read: 'it reads what the operator left out',
  draft: 'it changes what users of wp-admin see',
  publish: 'it changes what visitors, customers or colleagues see',
  manage: 'it can change users, settings, code or payments, send data out, or do what nobody has described',
  delete: 'it deletes or removes something',
};

/** By id, pattern of ids, or pattern of paths such as `wp/v2/tags*`. */
function namesOperation(setting: string, id: string, path: string): boolean {
  if (setting === id) return true;
  if (!/[*/]/.test(setting) || /^[*/]+$/.test(setting)) return false;
  const pattern = setting.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(setting.includes('/') ? path.slice(1) : id);
}

type Rights = AgentRights & Pick<AgentSite, 'ask' | 'levels'>;

/**
 * Says why a call is refused and what would allow it; `undefined` if it is allowed.
 * @param level of the call, which can be higher than the operation's, e.g. of an update that publishes
 */
export function explainRefusal(
  { id, level: own, operation }: ListedOperation,
  level: Level,
  { ask, levels, reads, unasked, writes }: Rights,
  tool?: CallTool,
): string | undefined {
  const { method, namespace, path } = operation;
  const isWriting = isWritingMethod(method);
  const isNamed = (isWriting ? writes : reads).some((name) => namesOperation(name, id, path));
  const isGranted = (each: Level): boolean =>
    each === 'read'
      ? reads.includes('*') || reads.includes(namespace)
      : writes.includes(each) || (each === 'draft' && writes.includes('publish'));
  // A write that moves its item to the trash can change other things, too: `{ status: 'trash', set_paid: true }`.
  const needed = level === 'delete' && own !== 'delete' ? [own, level] : [level];
  const missing = isNamed ? undefined : needed.find((each) => !isGranted(each));
  if (missing !== undefined) {
    if (own === 'draft' && missing === 'publish' && writes.includes('draft'))
      return 'it would be public, or change what is. Send it with "status": "draft", for an item that is no more than a draft, pending or private, without a new "slug" or "parent", and without addresses that the site can fetch: it is saved, and a person publishes it in wp-admin.';
    const setting = missing === 'read' || !isWriting ? `reads ${id}` : `writes ${missing}`;
    return `its level is ${needed.join(' and ')}: ${EFFECTS[level]}. The operator can allow it: --${setting}, or mcp.${setting.replace(' ', ': [')}] at a gateway.`;
  }
  const lacking = needed.find((each) => levels?.includes(each) === false);
  if (lacking !== undefined) return `its level is ${lacking}, and your token lacks that scope.`;
  const expected = CALL_TOOLS[toolOf({ operation }, level)];
  if (tool !== undefined && tool !== expected) return `call it with ${expected}: ${EFFECTS[level]}.`;
  if (needsAnswer(level) && ask === undefined && !unasked)
    return `its level is ${level}: a person must be asked, which your client cannot. The operator can allow it: --unasked, or mcp.unasked: true at a gateway.`;
  return undefined;
}

export function needsAnswer(level: Level): boolean {
  return level !== 'read' && level !== 'draft';
}

function toolOf({ operation }: Pick<ListedOperation, 'operation'>, level: Level): keyof typeof CALL_TOOLS {
  if (!isWritingMethod(operation.method)) return 'read';
  return level === 'delete' ? 'delete' : 'write';
}

/** A tool as `tools/list` has it. Its description contains no text of the site. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonObject;
  readonly annotations: Readonly<Record<`${string}Hint`, boolean>>;
}

/** A tool's result: lines of this server, and separately content of the site. */
export interface ToolResult {
  readonly text: string;
  readonly content?: string;
  readonly isError?: boolean;
  readonly status?: number;
  /** The question whose answer the call waits for. */
  readonly question?: string;
}

export function refuse(reason: string, content?: string): ToolResult {
  return { text: `It was not sent: ${reason}`, isError: true, ...(content !== undefined && { content }) };
}

export function outcomeOf(result: ToolResult | undefined): AgentCall['outcome'] {
  if (result?.status !== undefined) return result.status;
  if (result?.question !== undefined) return 'asked';
  return result?.isError === true ? 'refused' : 'answered';
}

import type { SchemaSource } from '../docs/schema-tree.ts';
import type { JsonObject } from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import type { Catalog } from './catalog.ts';
import type { AllowedWrites } from './write-policy.ts';

/** A site as agents reach it: its document, and the way of a request to it. */
export interface AgentSite extends SchemaSource {
  /** Title of its reference. */
  readonly title: string;
  /** Path of the site at the gateway: `/content`, or empty. */
  readonly mountPath: string;
  readonly writes: AllowedWrites;
  readonly catalog: Catalog;
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

export interface AgentRequest {
  readonly method: string;
  /** Path and query at the gateway. */
  readonly target: string;
  /** Without `Content-Length`, a flat list name, value. */
  readonly headers: readonly string[];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Hints about a tool, for clients that ask the user before a call. Its world is open: anyone can write to a site. */
export function createHints(
  readOnlyHint: boolean,
  destructiveHint = false,
  idempotentHint: boolean = readOnlyHint,
): Tool['annotations'] {
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint: true };
}

/** A tool as `tools/list` has it. Its description contains no text of the site. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonObject;
  readonly annotations: Readonly<
    Record<`${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`, boolean>
  >;
}

/** The result of a tool: the lines of this server, and what the site has sent, apart from them. */
export interface ToolResult {
  readonly text: string;
  readonly content?: string;
  readonly isError?: boolean;
}

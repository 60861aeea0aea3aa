import type { IncomingRequestHead, RequestHead } from '../base/http/exchange.ts';
import type { JsonObject } from '../base/json.ts';
import type { Level } from '../generator/openapi/operation-levels.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import type { OwnAddresses } from './router/target.ts';
import type { AgentQuestions, WaitingCall } from './site/agent-tokens.ts';
import type { DocumentedApi } from './site/snapshot/snapshot.ts';
import type { DocumentChanges } from './site/snapshot/stored-document.ts';

export { PROBLEMS, type Problem, problemResponse } from './exchange/problem.ts';
export { MAX_REPLACEMENTS } from './site/snapshot/stored-document.ts';
export type { WaitingCall };

/** What the reference and the tools for agents implement. Their modules load with the first request that needs them. */
export interface Surfaces {
  /** @returns `null` without such a page */
  respondToDocs(request: DocsRequest): Promise<Response | null>;
  respondToAgent(host: AgentHost, request: Request, message: JsonObject | undefined): Promise<Response>;
}

/** Serves `/-/`. @param head of the request, as received */
export type AdminHandler = (request: Request, head: IncomingRequestHead) => Promise<Response>;

export interface Operations {
  /** All operations, for the listener of `admin.port`. */
  readonly admin: AdminHandler;
  /** Operations of the public listener: only health with `admin.port`. */
  readonly publicAdmin: AdminHandler;
}

export interface DocsRequest {
  readonly head: RequestHead;
  /** Path below the overview, raw: `/wp/v2/posts`, or empty. */
  readonly path: string;
  /** `null` without a document: only assets are found. */
  readonly documented: DocumentedApi | null;
  /** Changes by the last replacements of the document, the latest first. */
  readonly changes: readonly DocumentChanges[];
  readonly findOperation: (method: string, path: string) => Operation | undefined;
  readonly addresses: OwnAddresses;
  /** URL of the mount, without a slash at its end. */
  readonly baseUrl: string;
}

export interface AgentRights {
  /** Reads, as in `mcp.reads`: `*` for all that only read. */
  readonly reads: readonly string[];
  /** Levels and operations besides reads, as in `mcp.writes`. */
  readonly writes: readonly string[];
  /** Whether a client that cannot ask its person can publish, manage and delete what is allowed. */
  readonly unasked: boolean;
  /** Plugins whose abilities only read if they say so, by the names of their abilities: `fluent-boards`. */
  readonly abilities: readonly string[];
}

/** What serves the tools of a site, also before its document is known. */
export interface AgentHost extends AgentRights {
  readonly title: string;
  /** The client as its request names it, if it doesn't introduce itself. */
  readonly client: string;
  /** The client's, whose network has a limited memory for open questions; empty at stdio. */
  readonly address: string;
  /** Common to a client's calls, if the transport says it. */
  readonly session?: string;
  readonly questions: AgentQuestions;
  /** Reads the site, unless that has been done. @throws an error for the agent if it cannot be read */
  readonly load: () => Promise<CallableSite>;
  readonly onCall: (call: AgentCall) => void;
  readonly onError: (error: unknown) => void;
}

/** Logged for each call, without body values and credentials. */
export interface AgentCall {
  readonly tool: string;
  readonly client: string;
  readonly session?: string;
  /** Absent if the site was not read. */
  readonly user?: string;
  readonly operation?: string;
  /** Declared path arguments, each a number or at most 100 characters. */
  readonly path?: JsonObject;
  readonly level?: Level;
  /** Id of the item in the site's answer, e.g. a new post. */
  readonly item?: string;
  /** Ids of files uploaded for members of the item. */
  readonly files?: readonly string[];
  readonly members?: readonly string[];
  /** Statuses of the item before and after a write. */
  readonly before?: string;
  readonly after?: string;
  /** The person's answer; `failed` if the client tried to ask, `unasked` if it cannot. */
  readonly asked?: 'accepted' | 'declined' | 'failed' | 'unanswered' | 'unasked';
  /** Status of the site's response, or what happened here. What was cancelled may have been carried out. */
  readonly outcome: number | 'answered' | 'asked' | 'cancelled' | 'failed' | 'refused';
}

export interface CallableSite extends AgentRights {
  readonly documented: DocumentedApi;
  /** Path of the site at the gateway: `/content`, or empty. */
  readonly mountPath: string;
  /** Levels that the agent's token has; absent without a token. */
  readonly levels?: readonly Level[];
  /** Why the document is incomplete, for each tool's result; `null` if it is complete. */
  readonly incompleteSummary: string | null;
  /** Credentials of the agent's user, as in `Authorization`; empty for a visitor. */
  readonly authorization: string;
  /** Operations that the site would run, one for each spelling of the path. */
  readonly resolve: (method: string, path: string) => readonly ResolvedCall[];
  /** Sends a request like any client's: through access lists, limits, validation and the cache. */
  readonly send: (request: AgentRequest, signal: AbortSignal) => Promise<Response>;
  /** Reads a file of the operator's folder; absent where agents have none. */
  readonly readFile?: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>;
}

export interface ResolvedCall {
  readonly method: string;
  readonly operation: Operation;
  readonly target: string;
}

export interface AgentRequest extends Pick<ResolvedCall, 'method' | 'target'> {
  /** Without `Content-Length`, a flat list name, value. */
  readonly headers: readonly string[];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

import type { IncomingRequestHead } from '../base/http/exchange.ts';
import type { CallApp } from './incoming-request.ts';
import type { HostLookup } from './site/hosts.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { SharedParts } from './site/shared-parts.ts';
import type { AdminHandler, Operations, Surfaces } from './surfaces.ts';
import type { RequestHeaders } from './upstream/request-headers.ts';

/** Makes the operations below `/-/`. They see parts and sites as the classes of `report/` show them. */
export type CreateOperations = (parts: SharedParts, sites: MountedSites) => Operations;

export interface MountedSites {
  readonly sites: ReadonlyMap<string, MountedSite>;
  /** Finds the site of a path at a host of the gateway; an empty host leads to sites by path. */
  readonly findSite: (path: string, host: string) => MountedSite | undefined;
  readonly rediscover: () => Promise<void>;
}

/** What all requests share. */
export interface RequestContext {
  readonly parts: SharedParts;
  readonly sites: ReadonlyMap<string, MountedSite>;
  readonly findSite: (target: string) => MountedSite | undefined;
  /** `undefined` if all hosts lead to the sites by path. */
  readonly hosts: HostLookup<MountedSite> | undefined;
  readonly nextRequestId: () => string;
  /** Returns the context of the gateway that replaced this one after a reload, or this one. */
  readonly findLatest: () => RequestContext;
  readonly surfaces: Surfaces;
  readonly publicAdmin: AdminHandler;
  /** Unlike a server, records nothing. @param callApp the app that got the agent's message */
  readonly respondToAgent: (
    head: IncomingRequestHead,
    init: RequestInit,
    callApp: CallApp | null,
  ) => Promise<Response>;
  readonly waitForAgents: () => Promise<void>;
}

/** A trusted proxy's id: a gateway's, or one as long as nginx's and UUIDs. */
export const REQUEST_ID: RegExp = /^(?:[0-9a-z]{6}-[0-9a-z]{1,12}|[\w-]{16,64})$/;

export interface ReceivedRequest {
  readonly parts: SharedParts;
  readonly requestId: string;
  readonly client: string;
  readonly head: IncomingRequestHead;
  readonly fields: RequestHeaders;
}

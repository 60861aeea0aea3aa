import type { JsonObject } from '../../json.ts';
import { systemClock } from '../../ports.ts';
import { runInSlices } from '../../steps.ts';
import { PROBLEMS, type Problem, problemResponse } from '../exchange/problem.ts';
import type { MountedSite } from '../mounted-site.ts';
import { printContent } from '../snapshot/document-history.ts';
import {
  type AdminApp,
  type AdminCall,
  type AdminContext,
  adminResponse,
  createOperatorCheck,
  readBody,
  readJsonObject,
} from './admin-app.ts';
import { describeHeld, forSite, type MountedSites, siteKey } from './site-operations.ts';

export function addDocumentOperations(
  app: AdminApp,
  context: AdminContext & { readonly sites: MountedSites },
): void {
  const { sites } = context;
  const check = createOperatorCheck(context);
  const path = '/sites/:site/documents';
  app.get(
    path,
    check,
    forSite(sites, (site) => adminResponse(describeDocuments(site))),
  );
  app.get(`${path}/:version`, check, forSite(sites, showDocument));
  const read = readBody(() => problemResponse(PROBLEMS.invalidDocumentAction));
  app.post(path, check, read, forSite(sites, postAction));
}

/** The versions that were served, the latest first. `served` is the number of the first; 0 if there is none. */
function describeDocuments(site: MountedSite): object {
  const { history, pinnedBy } = site.runtime;
  const versions = history.versions.map(({ seenAt, ...version }, at) => ({
    version: history.count - at,
    seenAt: new Date(seenAt).toISOString(),
    ...version,
  }));
  return { ...describeHeld(site), pinned: pinnedBy !== null, served: history.count, versions };
}

/** Responds with the document of a version, or with the one that is held back (`held`). */
async function showDocument(site: MountedSite, { req }: AdminCall): Promise<Response> {
  const version = req.param('version') ?? '';
  const { held } = site.runtime;
  const document =
    version === 'held'
      ? (held?.snapshot.documented?.document ?? null)
      : await site.runtime.findDocument(/^\d{1,9}$/.test(version) ? Number(version) : 0);
  if (document === null)
    return problemResponse(version === 'held' ? PROBLEMS.nothingHeld : PROBLEMS.noVersion);
  const text = await runInSlices(printContent({ site: siteKey(site), version }, document), systemClock);
  return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
}

async function postAction(site: MountedSite, call: AdminCall): Promise<Response> {
  const { action, version }: JsonObject = readJsonObject(call) ?? {};
  call.set('target', `${siteKey(site)}, ${String(action)} ${String(version ?? '')}`.trimEnd());
  const problem = await changeDocument(site, action, version);
  return problem === null ? adminResponse(describeDocuments(site)) : problemResponse(problem);
}

/**
 * Pins the document of a site, promotes or rejects the one that is held back, or rolls back to a version.
 *
 * @param version of a roll-back. @default the one before the served one
 * @returns why it was not done
 */
export async function changeDocument(
  { runtime }: MountedSite,
  action: unknown,
  version: unknown,
): Promise<Problem | null> {
  const { history } = runtime;
  switch (action) {
    case 'pin':
      return runtime.pin() ? null : PROBLEMS.nothingToPin;
    case 'promote':
      return (await runtime.accept()) ? null : PROBLEMS.nothingHeld;
    case 'reject':
      return runtime.reject() ? null : PROBLEMS.nothingHeld;
    case 'rollback': {
      // Two of them would lead back to the version that somebody did not want.
      if (version === undefined && history.versions[0]?.cause === 'rolled-back') return PROBLEMS.rolledBack;
      const number = version === undefined ? history.count - 1 : Number(version);
      return (await runtime.rollBack(number)) ? null : PROBLEMS.noVersion;
    }
    default:
      return PROBLEMS.invalidDocumentAction;
  }
}

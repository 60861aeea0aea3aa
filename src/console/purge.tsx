import type { PurgePreview } from '../cache/purge-preview.ts';
import type { PurgeMode } from '../cache/store.ts';
import { countOf } from '../count-of.ts';
import { toTag } from '../gateway/admin/purge.ts';
import { findSiteByKey, siteKey } from '../gateway/admin/site-operations.ts';
import type { MountedSite } from '../gateway/mounted-site.ts';
import { Select } from '../ui/form.tsx';
import { formatBytes } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { pageTag } from '../wordpress/tags.ts';
import { readAddressInput } from './address-input.ts';
import { ActionForm, toSitePagePath } from './layout.tsx';
import type { ActionResult, Confirmation, ConsoleAction, ConsoleContext, ConsoleRequest } from './page.ts';
import WORDS from './words.json' with { type: 'json' };

const PURGE_KINDS = WORDS.purgeKinds;

/** Asks what to purge. The next page shows what that is, and asks again. @param example a route of the site */
export function purgeForm(request: ConsoleRequest, site: string, example: string): Html {
  const { query } = request;
  return (
    <ActionForm request={request} action="purge" fields={{ site }} button="Preview" tone="primary">
      <div class="filter">
        <Select
          label="By"
          name="kind"
          value={query.get('kind') ?? 'route'}
          choices={Object.entries(PURGE_KINDS)}
        />
        <label>
          Value
          <input
            type="text"
            name="value"
            value={query.get('value') ?? ''}
            placeholder={example}
            spellcheck={false}
          />
        </label>
        <label class="check">
          <input type="checkbox" name="soft" value="yes" />
          make stale instead of removing
        </label>
      </div>
    </ActionForm>
  );
}

interface PlannedPurge {
  readonly words: string;
  readonly site: MountedSite;
  readonly mode: PurgeMode;
  preview(): Promise<PurgePreview>;
  run(): Promise<number>;
}

/** Purges stored responses of a site, after a page that shows which. */
export function createPurgeAction(context: ConsoleContext): ConsoleAction {
  return {
    name: 'purge',
    async confirm(form): Promise<Confirmation | null> {
      const planned = planPurge(context, form);
      if (typeof planned === 'string') return null;
      const { mode, site, words } = planned;
      const isSoft = mode === 'soft';
      const key = siteKey(site);
      const verb = isSoft ? 'Makes stale' : 'Removes';
      const question = {
        title: 'Purge',
        button: isSoft ? 'Make stale' : 'Purge',
        page: toSitePagePath(key, 'cache'),
        site: key,
        tab: 'cache',
      } as const;
      const isShared = context.readGateway().shared !== null;
      const { bytes, responses } = await planned.preview();
      const count = countOf(responses, 'response');
      const content = (
        <>
          <p class="lead">{`${verb} ${words}: ${count}, ${formatBytes(bytes)} of memory.`}</p>
          {isShared ? (
            <p>
              This is what the memory of this gateway holds. The purge concerns the shared store and all
              gateways.
            </p>
          ) : null}
        </>
      );
      // Other gateways may hold more in the shared store.
      if (isShared) return { ...question, content };
      return { ...question, button: isSoft ? `Make ${count} stale` : `Purge ${count}`, content };
    },
    async run(form): Promise<ActionResult> {
      const planned = planPurge(context, form);
      const key = form.get('site') ?? '';
      const page = findSiteByKey(context.sites, key) === undefined ? '' : toSitePagePath(key, 'cache');
      if (typeof planned === 'string') {
        return { result: 'refused', target: `site ${key}`, notice: planned, page };
      }
      const { mode, words } = planned;
      const count = await planned.run();
      return {
        result: 'done',
        target: `site ${key}, ${mode} purge of ${words}: ${count}`,
        notice: `${mode === 'soft' ? 'Made stale' : 'Purged'}: ${countOf(count, 'response')} in the memory of this gateway.`,
        page,
      };
    },
  };
}

/** @returns a sentence if the form describes no purge */
function planPurge(context: ConsoleContext, form: URLSearchParams): PlannedPurge | string {
  const site = findSiteByKey(context.sites, form.get('site') ?? '');
  const snapshot = site?.runtime.snapshot ?? null;
  if (site === undefined || snapshot === null) return 'There is no such site, or it has not been read yet.';
  const { caching } = site;
  if (caching === null) return 'Nothing of this site is cached.';
  const mode: PurgeMode = form.get('soft') === 'yes' ? 'soft' : 'hard';
  const kind = form.get('kind') ?? '';
  const value = (form.get('value') ?? '').trim();
  const purgeRoute = (noun: string, route: string): PlannedPurge => {
    const preview = () => caching.previewPurge(caching.selectTags(snapshot, [toTag(route)]));
    const run = () => caching.purgeRoute(snapshot, route, mode);
    return { words: `${noun} ${value}`, site, mode, preview, run };
  };
  const purgeTag = (words: string, tag: string): PlannedPurge => {
    const preview = () => caching.previewPurge(caching.selectTags(snapshot, [tag]));
    return { words, site, mode, preview, run: () => caching.purgeTags(snapshot, [tag], mode) };
  };
  if (kind === 'site') return purgeTag(PURGE_KINDS.site, '/');
  if (value === '') return 'Type what to purge.';
  switch (kind) {
    case 'address': {
      // A purge concerns all addresses of the gateway.
      const consoleAddress = { host: 'localhost', protocol: 'http' } as const;
      const request = readAddressInput({ text: value, consoleAddress }, context, site);
      if (typeof request === 'string') return request;
      if (request.site !== site) return 'This address belongs to another site.';
      const tag = caching.getResourceTag(snapshot, { ...request.head, headers: [] });
      if (tag === null) return 'Responses for this address are never stored.';
      return purgeTag(`the address ${value}`, tag);
    }
    case 'route':
      return value.startsWith('/') ? purgeRoute('the route', value) : 'A route begins with a slash.';
    case 'page':
      return value.startsWith('/')
        ? purgeTag(`the page ${value}`, pageTag(value.replace(/(?<=.)\/$/, '')))
        : 'A path begins with a slash.';
    case 'tag':
      return purgeTag(`the tag ${value}`, LISTED_TAG.test(value) ? value : toTag(value));
    default:
      return 'Choose what to purge by.';
  }
}

/** Tags as the page lists them: all but paths and names that the site states begin with a sign or a letter of their own. */
const LISTED_TAG = /^(?:[!=>@#]|P\/|R"|A\/|\/.*[?#])/;

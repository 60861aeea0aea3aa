import { parsePurge } from '../admin/purge.ts';
import { SHARED_STORE_MESSAGES, siteKey } from '../admin/site-operations.ts';
import { countOf } from '../count-of.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { Html } from '../ui/page.tsx';
import { Definition, List } from '../ui/parts.tsx';
import { shorten } from '../ui/text.ts';
import { type Explanation, explain } from './explain.ts';
import { ActionForm, note, Section, toSitePagePath } from './layout.tsx';
import {
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleRequest,
  listServedOperations,
  refuseAction,
  type SitePage,
} from './page.ts';

/** Page about an address in the cache, with purges. */
export const cachePage: SitePage = async (context, site, request) => {
  const { caching, mountPath } = site;
  const address = (request.query.get('address') ?? '').trim();
  const example = findExampleRoute(site);
  const explained = address === '' ? null : await explain(context, site, address, request.client);
  return (
    <>
      <Section id="store" isLive>
        {caching === null ? <p>Nothing of this site is cached.</p> : sharedStoreNote(context)}
      </Section>
      <Section id="explain" title="Explain an address">
        <form method="get" action="#explain" class="filter wide">
          <label>
            URL or path at the gateway, or id of a request
            <input
              type="text"
              name="address"
              value={address}
              placeholder={mountPath + example}
              spellcheck={false}
            />
          </label>
          <button type="submit" class="button primary">
            Explain
          </button>
        </form>
        {explained === null ? null : explanation(explained, address)}
      </Section>
      {caching === null ? null : (
        <Section id="purge" title="Purge">
          {purgeForm(request, siteKey(site), example)}
        </Section>
      )}
    </>
  );
};

const MAX_ITEMS = 30;

function explanation(explained: Explanation | string, address: string): Html {
  if (typeof explained === 'string') return <p class="problem">{explained}</p>;
  const purgeUrl = `?${new URLSearchParams({ address, purge: address })}#purge`;
  return (
    <>
      <dl class="explanation">
        {explained.facts.map(({ items = [], name, text }) => (
          <Definition name={name}>
            {shorten(text, 600)}
            {items.length === 0 ? null : (
              <List items={items.slice(0, MAX_ITEMS).map((item) => <code>{shorten(item, 200)}</code>)} />
            )}
            {items.length <= MAX_ITEMS ? null : <small>{`and ${items.length - MAX_ITEMS} more`}</small>}
          </Definition>
        ))}
      </dl>
      {explained.isStored ? (
        <p>
          <a href={purgeUrl}>Purge this address</a>
        </p>
      ) : null}
    </>
  );
}

/** A route that can be read as it is: `/wp/v2/posts`. */
function findExampleRoute({ runtime }: MountedSite): string {
  const reads = listServedOperations(runtime.snapshot).filter(
    ({ operation: { method, path } }) => method === 'GET' && /^\/[^{}]*$/.test(path),
  );
  const posts = reads.find(({ operation }) => operation.path.endsWith('/posts'));
  return (posts ?? reads.at(-1))?.operation.path ?? '/';
}

/** Says what the gateway does while it cannot use the store that it shares with others; `null` while it can. */
export function sharedStoreNote({ cache }: Pick<ConsoleContext, 'cache'>): Html | null {
  const { state = 'connected' } = cache?.store.report().shared ?? {};
  return note(state === 'connected' ? null : SHARED_STORE_MESSAGES[state]);
}

/** Selectors of a form: members of the body of `POST /-/purge`, with what they select. */
const SELECTORS: ReadonlyMap<string, string> = new Map([
  ['route', 'a route and what is below it'],
  ['url', 'a URL or path at the gateway, with its query'],
  ['tag', 'a tag'],
  ['site', 'everything of the site'],
]);

/** @param example a route of the site */
function purgeForm(request: ConsoleRequest, site: string, example: string): Html {
  const url = request.query.get('purge') ?? '';
  const selected = url === '' ? 'route' : 'url';
  return (
    <ActionForm request={request} action="purge" fields={{ site }} button="Purge" tone="primary">
      <div class="filter">
        <label>
          By
          <select name="kind">
            {[...SELECTORS].map(([kind, text]) => (
              <option value={kind} selected={kind === selected}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Value
          <input type="text" name="value" value={url} placeholder={example} spellcheck={false} />
        </label>
        <label class="check">
          <input type="checkbox" name="soft" value="yes" />
          soft: ask the site first, and keep responses for the time that it fails
        </label>
      </div>
    </ActionForm>
  );
}

/** Purges stored responses of a site, as `POST /-/purge` does. */
export const purge: ConsoleAction = async (context, form) => {
  const site = form.get('site') ?? '';
  const kind = form.get('kind') ?? '';
  const value = (form.get('value') ?? '').trim();
  const target = `site ${site}`;
  if (!SELECTORS.has(kind)) return refuseAction(target, 'Choose what to purge by.');
  if (value === '' && kind !== 'site') return refuseAction(target, 'Type what to purge.');
  const selector = kind === 'tag' ? { tags: [value] } : kind === 'site' ? {} : { [kind]: value };
  const run = parsePurge({ site, ...selector }, context);
  if (typeof run === 'string') return refuseAction(target, run);
  const isSoft = form.get('soft') === 'yes';
  const count = await run(isSoft);
  const purged = count === null ? 'at all gateways' : countOf(count, 'response');
  const words = kind === 'site' ? 'everything' : `${kind} ${value}`;
  return {
    result: 'done',
    target: `${target}, ${isSoft ? 'soft' : 'hard'} purge of ${words}: ${count ?? 'all gateways'}`,
    notice: `Purged${isSoft ? ' softly' : ''}: ${purged}.`,
    page: toSitePagePath(site, 'cache'),
  };
};

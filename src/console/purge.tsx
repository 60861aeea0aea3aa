import { parsePurges } from '../admin/purge.ts';
import type { PurgeMode } from '../cache/store.ts';
import { countOf } from '../count-of.ts';
import type { Html } from '../ui/page.tsx';
import { ActionForm, toSitePagePath } from './layout.tsx';
import { type ConsoleAction, type ConsoleRequest, refuseAction } from './page.ts';

/** What a form purges by: members of the body of `POST /-/purge`, with what they select. */
const SELECTORS: ReadonlyMap<string, string> = new Map([
  ['route', 'a route and what is below it'],
  ['url', 'a URL or path at the gateway, with its query'],
  ['tag', 'a tag'],
  ['site', 'everything of the site'],
]);

/** @param example a route of the site */
export function purgeForm(request: ConsoleRequest, site: string, example: string): Html {
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
          make stale instead of removing
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
  const purges = parsePurges({ site, ...selector }, context);
  if (typeof purges === 'string') return refuseAction(target, purges);
  const mode: PurgeMode = form.get('soft') === 'yes' ? 'soft' : 'hard';
  const counts = await Promise.all(purges.map((each) => each(mode)));
  const count = counts.reduce((sum, each) => sum + each, 0);
  const words = kind === 'site' ? 'everything' : `${kind} ${value}`;
  return {
    result: 'done',
    target: `${target}, ${mode} purge of ${words}: ${count}`,
    notice: `${mode === 'soft' ? 'Made stale' : 'Purged'}: ${countOf(count, 'response')} in the memory of this gateway.`,
    page: toSitePagePath(site, 'cache'),
  };
};

import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { toSitePageUrl } from '../shell/console-layout.tsx';
import { ActionForm } from '../shell/forms.tsx';

/** A mounted site, as the overview shows it. */
export interface SiteOverview {
  readonly key: string;
  readonly title: string;
}

/** The sites of the gateway. */
export function SiteList({
  request,
  sites,
}: {
  readonly request: ConsoleRequest;
  readonly sites: readonly SiteOverview[];
}): Html {
  return (
    <>
      {sites.map(({ key, title }) => (
        <section class="site" id={`site-${key}`}>
          <h2>
            <a href={toSitePageUrl(request.root, key, 'traffic')}>{toPlainText(title, 80)}</a>
          </h2>
          <ActionForm
            request={request}
            action="rediscover"
            fields={{ site: key }}
            button="Rediscover"
            label={`Rediscover ${key}`}
          />
        </section>
      ))}
    </>
  );
}

import type { ConsoleAction, ConsolePage } from '../../console/index.ts';
import { SiteList } from '../../console/pages/overview-page.tsx';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { ConsoleContext } from './console-context.ts';

/** The first page: all sites. */
export function createOverviewPage({ sites }: ConsoleContext): ConsolePage {
  return {
    path: '',
    render: (request) => ({
      title: 'Overview',
      tab: 'overview',
      sections: [
        {
          id: 'sites',
          isLive: true,
          content: () => (
            <SiteList
              request={request}
              sites={Array.from(sites.values(), (site) => ({
                key: siteKey(site),
                title: site.runtime.snapshot?.title ?? siteKey(site),
              }))}
            />
          ),
        },
      ],
    }),
  };
}

export function createOverviewActions({ sites }: ConsoleContext): readonly ConsoleAction[] {
  return [
    {
      name: 'rediscover',
      async run(form) {
        const site = findSiteByKey(sites, form.get('site') ?? '');
        if (site === undefined)
          return { result: 'refused', target: '', notice: 'There is no such site.', page: '' };
        await site.rediscover();
        return {
          result: 'done',
          target: `site ${siteKey(site)}`,
          notice: 'The site was discovered again.',
          page: '',
        };
      },
    },
  ];
}

import type { Child } from 'hono/jsx';
import { shorten } from '../../base/text.ts';
import type { DocsRequest } from '../../gateway/surfaces.ts';
import { listShown } from '../../generator/openapi/operations.ts';
import { describeAccess } from '../../generator/reference/operation-details.ts';
import type { SampleSource } from '../../generator/reference/operation-samples.ts';
import {
  type AnchoredOperation,
  CHANGES_ADDRESS,
  GUIDE_ADDRESS,
  type ReferencePage,
} from '../../generator/reference/reference.ts';
import type { DocsAssets } from '../ui/packaged-assets.ts';
import { Frame, type Html, Method, PageShell } from '../ui/page.tsx';
import { GUIDE, type SiteReference } from './guide.ts';

export interface RenderContext
  extends SiteReference,
    SampleSource,
    Pick<DocsRequest, 'addresses' | 'baseUrl' | 'changes'> {
  readonly assets: DocsAssets;
  readonly root: string;
  /** URL of the overview, relative: `../../../docs`. All links to pages begin with it. */
  readonly docs: string;
}

export const CHANGES_TITLE = 'Changes';

/** Pages beside those of resources. */
export const EXTRA_PAGES: readonly (readonly [title: string, address: string])[] = [
  [GUIDE.title, GUIDE_ADDRESS],
  [CHANGES_TITLE, CHANGES_ADDRESS],
];

export function toPageUrl(docs: string, page: Pick<ReferencePage, 'address'> | undefined): string {
  return page === undefined ? docs : `${docs}/${page.address}`;
}

export function Layout(props: {
  readonly context: RenderContext;
  readonly page: ReferencePage | undefined;
  readonly extra?: string;
  readonly titles: readonly string[];
  readonly children: Child;
}): Html {
  const { children, context, extra, page, titles } = props;
  const { assets, docs, reference, root } = context;
  const icon = findIcon(context);
  return (
    <PageShell
      titles={[...new Set([...titles, shorten(reference.title, 100)])]}
      assetFolder={`${docs}/assets/`}
      styles={[assets.style.file]}
      script={assets.script}
      licences={assets.licences.file}
      icon={icon}
      data={{
        'data-root': root,
        'data-docs': docs,
        'data-search-worker': assets.searchWorker.file,
        'data-page': page?.address ?? '',
        'data-prefix': context.requestUrl.slice(context.baseUrl.length),
        'data-user': shorten(reference.userPath, 200),
      }}
    >
      <Frame
        label="Resources"
        navigation={tree(context, page, page === undefined ? (extra ?? '') : undefined)}
        header={
          <>
            <a class="brand" href={toPageUrl(docs, undefined)} dir="auto">
              {icon === undefined ? null : <img src={icon} alt="" width="24" height="24" />}
              {shorten(reference.title, 60)}
            </a>
            {reference.title === UNNAMED ? null : <span class="tag">{UNNAMED}</span>}
            <button type="button" class="button search-open" title="Press /" data-search hidden>
              Search
            </button>
            <button type="button" class="button" data-login hidden>
              Credentials
            </button>
          </>
        }
      >
        {children}
      </Frame>
    </PageShell>
  );
}

/** Stands for the gateway's origin in the check of an icon. */
const SERVED = 'http://gateway.invalid';

/** The site's icon, if the gateway serves its files: pages load nothing from elsewhere. */
function findIcon({ baseUrl, reference, requestUrl, source }: RenderContext): string | undefined {
  const url = source.localize(reference.icon);
  if (requestUrl === baseUrl || !url.startsWith('/') || !URL.canParse(url, SERVED)) return undefined;
  // For browsers, `/\example.com` and `/.//example.com` name another host.
  const { origin, pathname, href } = new URL(url, SERVED);
  const isServed =
    origin === SERVED &&
    href === origin + pathname &&
    /^\/(?!\/).*\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i.test(pathname);
  return isServed ? pathname : undefined;
}

/** Title of a site that has no name (`toPublicTitle` of its served document). */
export const UNNAMED = 'REST API';

const MAX_TREE_OPERATIONS = 100;
const MAX_TREE_ITEMS = 80;

function tree(context: RenderContext, current: ReferencePage | undefined, extra: string | undefined): Html {
  const { docs, reference } = context;
  const open = new Set<ReferencePage>(current === undefined ? [] : [...current.ancestors, current]);
  const link = (page: ReferencePage | undefined, title: string, isCurrent: boolean): Html => (
    <a href={toPageUrl(docs, page)} aria-current={isCurrent ? 'page' : undefined}>
      {shorten(title, 60)}
      {page === undefined ? null : olderMark(page)}
    </a>
  );
  const operationItems = (page: ReferencePage): Html | null => {
    const operations = listShown(page.operations).slice(0, MAX_TREE_OPERATIONS);
    return operations.length === 0 ? null : (
      <ul class="tree-operations">
        {operations.map(({ anchor, method, title }) => (
          <li>
            <a href={`#${anchor}`}>
              <Method method={method} /> {shorten(title, 80)}
            </a>
          </li>
        ))}
      </ul>
    );
  };
  const resourceItems = ({ children }: ReferencePage): Html => (
    <ul>{children.filter((child, at) => at < MAX_TREE_ITEMS || open.has(child)).map(item)}</ul>
  );
  const item = (page: ReferencePage): Html => (
    <li>
      {link(page, page.title, page === current)}
      {page === current ? operationItems(page) : null}
      {open.has(page) && page.children.length > 0 ? resourceItems(page) : null}
    </li>
  );
  return (
    <ul>
      <li>{link(undefined, 'Overview', extra === '')}</li>
      {EXTRA_PAGES.map(([title, address]) => (
        <li>
          <a href={`${docs}/${address}`} aria-current={extra === address ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
      {reference.namespaces.map(item)}
    </ul>
  );
}

export function olderMark({ ancestors, successor }: ReferencePage): Html | null {
  return successor === undefined || ancestors.length > 0 ? null : <span class="flag">older version</span>;
}

export function operationLinks(operations: readonly AnchoredOperation[], url: string): Html {
  return (
    <ul class="operations">
      {operations.map((operation) => (
        <li>
          <a href={`${url}#${operation.anchor}`}>{shorten(operation.title, 120)}</a>
          <Method method={operation.method} />
          <span>
            <code>{shorten(operation.path, 160)}</code>
            {describeAccess(operation)?.isRequired ? <span class="flag">login</span> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

import type { Child } from 'hono/jsx';
import { countOf } from '../../count-of.ts';
import { shorten } from '../details/plain-text.ts';
import { listShown } from '../reference/equivalents.ts';
import type { NamespacePage, ReferencePage, ResourcePage } from '../reference/reference.ts';
import type { Html } from './html.ts';
import { PageShell } from './page-shell.tsx';
import { type RenderContext, toPageUrl } from './render-context.ts';

/** Properties of {@link Layout}. */
export interface LayoutProps {
  readonly context: RenderContext;
  /** `undefined` for the overview. */
  readonly page: ReferencePage | undefined;
  /** Address of a page that is not one of the reference; empty for a page that has no address. */
  readonly extra?: string;
  /** The parts of the page's title, the narrowest first. */
  readonly titles: readonly string[];
  readonly children: Child;
}

/** The frame of every page of a site's reference: header, tree of resources, content, previous and next page. */
export function Layout({ children, context, extra, page, titles }: LayoutProps): Html {
  const { assets, reference, root } = context;
  return (
    <PageShell
      titles={[...titles, shorten(reference.title, 100)]}
      assetFolder={`${root}docs/assets/`}
      styles={[assets.styleName]}
      script={{ name: assets.scriptName, integrity: assets.scriptIntegrity }}
      licences={assets.licencesName}
      markdown={`${extra === undefined || extra === '' ? toPageUrl(root, page) : `${root}docs/${extra}`}.md`}
      data={{
        'data-root': root,
        'data-search-worker': assets.searchWorkerName,
        'data-page': page?.address ?? '',
        'data-prefix': context.requestUrl.slice(context.baseUrl.length),
      }}
    >
      <header class="top">
        <a class="brand" href={toPageUrl(root, undefined)}>
          {shorten(reference.title, 60)}
        </a>
        <span class="tag">REST API</span>
        <button type="button" class="search-open" data-search hidden>
          Search <kbd>/</kbd>
        </button>
        <Downloads root={root} />
      </header>
      <div class="frame">
        <nav class="tree" aria-label="Resources">
          <details open class="tree-fold">
            <summary>Resources</summary>
            <Tree context={context} extra={extra} page={page} />
          </details>
        </nav>
        <main id="content" tabindex={-1}>
          {children}
          {extra === undefined ? <Neighbours context={context} page={page} /> : null}
        </main>
      </div>
    </PageShell>
  );
}

function Downloads({ root }: { readonly root: string }): Html {
  return (
    <nav class="downloads" aria-label="Downloads">
      <a href={`${root}openapi.json`}>OpenAPI</a>
      <a href={`${root}openapi.yaml`}>YAML</a>
      <a href={`${root}types.ts`}>Types</a>
      <a href={`${root}docs.md`}>Markdown</a>
    </nav>
  );
}

interface TreeProps {
  readonly context: RenderContext;
  readonly page: ReferencePage | undefined;
}

/** The tree shows all namespaces, the resources of the page's namespace, and what is below the page and its ancestors. */
function Tree({ context, extra, page }: TreeProps & { readonly extra: string | undefined }): Html {
  const open = new Set<ReferencePage>(page === undefined ? [] : [page]);
  if (page?.kind === 'resource') for (const ancestor of page.ancestors) open.add(ancestor);
  return (
    <ul>
      <li>
        <TreeLink
          context={context}
          page={undefined}
          current={page === undefined && extra === undefined}
          title="Overview"
        />
      </li>
      {context.reference.namespaces.map((namespace) => (
        <TreeItem context={context} item={namespace} open={open} current={page} />
      ))}
    </ul>
  );
}

interface TreeItemProps {
  readonly context: RenderContext;
  readonly item: NamespacePage | ResourcePage;
  readonly open: ReadonlySet<ReferencePage>;
  readonly current: ReferencePage | undefined;
}

function TreeItem({ context, current, item, open }: TreeItemProps): Html {
  return (
    <li class={item.kind === 'namespace' && item.name === '' ? undefined : item.kind}>
      <TreeLink context={context} page={item} current={item === current} title={item.title} />
      {item === current ? <TreeOperations item={item} /> : null}
      {open.has(item) && item.children.length > 0 ? (
        <TreeItems context={context} item={item} open={open} current={current} />
      ) : null}
    </li>
  );
}

/** Operations that the tree shows below the open page. The page itself lists all. */
const MAX_TREE_OPERATIONS = 100;

/** The operations of the open page. The script marks the one that is read. */
function TreeOperations({ item }: { readonly item: ReferencePage }): Html | null {
  const operations = listShown(item).slice(0, MAX_TREE_OPERATIONS);
  if (operations.length === 0) return null;
  return (
    <ul class="tree-operations" data-operations>
      {operations.map(({ anchor, title }) => (
        <li>
          <a href={`#${anchor}`}>{shorten(title, 80)}</a>
        </li>
      ))}
    </ul>
  );
}

/** Resources that the tree shows below one page, and those of them that precede the open one, if there are more. */
const MAX_TREE_ITEMS = 80;
const MAX_PRECEDING_ITEMS = 20;

/** The resources below a page. Of very many, those around the open one are shown; the page itself lists all. */
function TreeItems({ context, current, item, open }: TreeItemProps): Html {
  const { children } = item;
  const isCut = children.length > MAX_TREE_ITEMS;
  const openAt = children.findIndex((child) => open.has(child));
  const first = isCut ? Math.max(0, openAt - MAX_PRECEDING_ITEMS) : 0;
  return (
    <ul>
      {children.slice(first, first + MAX_TREE_ITEMS).map((child) => (
        <TreeItem context={context} item={child} open={open} current={current} />
      ))}
      {isCut ? (
        <li class="all">
          <a href={toPageUrl(context.root, item)}>All {countOf(children.length, 'resource')}</a>
        </li>
      ) : null}
    </ul>
  );
}

interface TreeLinkProps {
  readonly context: RenderContext;
  readonly page: ReferencePage | undefined;
  readonly current: boolean;
  readonly title: string;
}

function TreeLink({ context, current, page, title }: TreeLinkProps): Html {
  return (
    <a href={toPageUrl(context.root, page)} aria-current={current ? 'page' : undefined}>
      {shorten(title, 60)}
    </a>
  );
}

function Neighbours({ context, page }: TreeProps): Html {
  const { pages } = context.reference;
  const previous = page === undefined ? undefined : pages[page.index - 1];
  const next = pages[page === undefined ? 0 : page.index + 1];
  return (
    <nav class="neighbours" aria-label="Previous and next page">
      {page === undefined ? null : (
        <a rel="prev" href={toPageUrl(context.root, previous)}>
          <span>Previous</span>
          {previous === undefined ? 'Overview' : shorten(previous.title, 60)}
        </a>
      )}
      {next === undefined ? null : (
        <a rel="next" href={toPageUrl(context.root, next)}>
          <span>Next</span>
          {shorten(next.title, 60)}
        </a>
      )}
    </nav>
  );
}

/** The way from the overview to a page. */
export function Breadcrumbs({
  context,
  page,
}: {
  readonly context: RenderContext;
  readonly page: ReferencePage;
}): Html {
  const ancestors: readonly ReferencePage[] = page.kind === 'resource' ? page.ancestors : [];
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        <li>
          <a href={toPageUrl(context.root, undefined)}>Overview</a>
        </li>
        {ancestors.map((ancestor) => (
          <li>
            <a href={toPageUrl(context.root, ancestor)}>{shorten(ancestor.title, 60)}</a>
          </li>
        ))}
        <li aria-current="page">{shorten(page.title, 60)}</li>
      </ol>
    </nav>
  );
}

import { getNamespaces } from '../../base/document-extensions.ts';
import { isJsonObject, type JsonObject, memberAt } from '../../base/json.ts';
import { countOf, toPlainText } from '../../base/text.ts';
import { UniqueNames } from '../../base/unique-names.ts';
import { findSuccessors } from '../model/naming/namespaces.ts';
import { listOperations, listShown, Operation } from '../openapi/operations.ts';
import {
  createResourceTree,
  MAX_OPERATIONS,
  type PlacedOperation,
  type ResourceDraft,
  toResourceTitle,
} from '../openapi/resource-tree.ts';

export interface Reference {
  readonly title: string;
  readonly description: string;
  readonly icon: string;
  readonly namespaces: readonly ReferencePage[];
  /** `210 operations in 5 namespaces` */
  readonly extent: string;
  /** Path of the operation that returns the user of the request; empty if there is none. */
  readonly userPath: string;
  readonly pages: readonly ReferencePage[];
  find(address: string): ReferencePage | undefined;
  findOperation(
    operationId: string,
  ): readonly [page: ReferencePage, operation: AnchoredOperation] | undefined;
}

export interface ReferencePage {
  readonly title: string;
  /** Path below `/docs/`, without slashes at its ends: `wp/v2/posts`. */
  readonly address: string;
  /** Empty for the operations outside all namespaces. */
  readonly namespace: string;
  /** The latest version of the page's namespace, if it is another: `wc/v3` for `wc/v1`. */
  readonly successor: string | undefined;
  /** From the outermost; empty for a namespace. */
  readonly ancestors: readonly ReferencePage[];
  readonly operations: readonly AnchoredOperation[];
  readonly children: readonly ReferencePage[];
  /** With the pages below. Those that differ in their method alone count once. */
  readonly operationCount: number;
}

const MAX_TITLE_LENGTH = 200;

function operationTitle({ method, path, shared }: Operation): string {
  return toPlainText(shared.summary, MAX_TITLE_LENGTH) || toPlainText(`${method} ${path}`, MAX_TITLE_LENGTH);
}

export class AnchoredOperation extends Operation {
  readonly anchor: string;
  readonly title: string;

  constructor(operation: Operation, anchor: string) {
    super(operation.source);
    this.anchor = anchor;
    this.title = operationTitle(operation);
  }
}

export const NUMBERED = { ignoresCase: true, separator: '-' };

/** No namespace can have this name. */
const SITE_ADDRESS = '-';

export const GUIDE_ADDRESS = 'guide';
export const CHANGES_ADDRESS = 'changes';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function createReference(document: JsonObject, title: string): Reference {
  const operations = listOperations(document).filter(({ path }) => path.startsWith('/'));
  const byNamespace = new Map<string, Operation[]>(getNamespaces(document).map((name) => [name, []]));
  byNamespace.set('', []);
  const successors = findSuccessors(operations.filter(({ namespace }) => namespace !== ''));
  for (const operation of operations) byNamespace.get(operation.namespace)?.push(operation);
  const pages: ReferencePage[] = [];
  const addresses = new UniqueNames([GUIDE_ADDRESS, CHANGES_ADDRESS], NUMBERED);

  function createPage(
    { children, operations: placed }: ResourceDraft<Operation>,
    page: Pick<ReferencePage, 'address' | 'ancestors' | 'namespace' | 'successor' | 'title'>,
  ): ReferencePage {
    const created: Mutable<ReferencePage> = {
      ...page,
      operations: anchorOperations(placed),
      children: [],
      operationCount: 0,
    };
    pages.push(created);
    created.children = [...children.values()].map((draft) => {
      const address = addresses.claim(`${page.address}/${toAddressSegment(draft.name)}`);
      const title = toResourceTitle(draft.name);
      return createPage(draft, { ...page, address, title, ancestors: [...page.ancestors, created] });
    });
    const own = listShown(created.operations).length;
    created.operationCount = created.children.reduce((sum, child) => sum + child.operationCount, own);
    return created;
  }

  const rankOf = (name: string): number => (name === '' ? 2 : successors.has(name) ? 1 : 0);
  const namespaces = [...byNamespace]
    .filter(([, members]) => members.length > 0)
    // Namespaces claim their addresses before all resources: a resource of `wc` can be called `v3`.
    .map(([name, members]) => ({ name, members, address: addresses.claim(toNamespaceAddress(name)) }))
    // Namespaces that most readers want first; older versions and operations outside all namespaces last.
    .sort((one, other) => rankOf(one.name) - rankOf(other.name) || other.members.length - one.members.length)
    .map(({ address, members, name }) =>
      createPage(createResourceTree(name, members), {
        title: name === '' ? 'Site' : name,
        ...{ address, namespace: name, successor: successors.get(name), ancestors: [] },
      }),
    );
  const byAddress = new Map(pages.map((page) => [page.address, page]));
  const byId = new Map(
    pages.flatMap((page) =>
      page.operations.map((operation) => [String(operation.shared.operationId), [page, operation]] as const),
    ),
  );
  const { description, 'x-logo': logo } = isJsonObject(document['info']) ? document['info'] : {};
  const icon = memberAt(logo, 'url');
  return {
    title,
    description: typeof description === 'string' ? description : '',
    icon: typeof icon === 'string' ? icon : '',
    namespaces,
    extent: `${countOf(
      namespaces.reduce((sum, { operationCount }) => sum + operationCount, 0),
      'operation',
    )} in ${countOf(namespaces.filter(({ namespace }) => namespace !== '').length, 'namespace')}`,
    userPath:
      operations.find(({ method, path }) => method === 'GET' && path.endsWith('/users/me'))?.path ?? '',
    pages,
    find: (address) => byAddress.get(address),
    findOperation: (operationId) => byId.get(operationId),
  };
}

function toNamespaceAddress(name: string): string {
  if (name === '') return SITE_ADDRESS;
  return name.split('/').slice(0, 8).map(toAddressSegment).join('/');
}

function anchorOperations(placed: readonly PlacedOperation<Operation>[]): readonly AnchoredOperation[] {
  const anchors = new UniqueNames(['content', 'objects', 'search-results'], NUMBERED);
  return placed
    .slice(0, MAX_OPERATIONS)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ operation }) => {
      const anchor = toAnchor(operationTitle(operation));
      return new AnchoredOperation(
        operation,
        anchors.claim(anchor, toAnchor(`${anchor} ${operation.method}`)),
      );
    });
}

const MAX_SEGMENT_LENGTH = 80;

/** A path segment without percent-encoding that isn't a dot segment. */
function toAddressSegment(text: string): string {
  const segment = text
    .slice(0, 400)
    .replace(/[^A-Za-z0-9_.~-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_SEGMENT_LENGTH);
  return segment === '' ? 'x' : segment;
}

export function toAnchor(title: string): string {
  const words = title
    .slice(0, 400)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(0, MAX_SEGMENT_LENGTH).replace(/-+$/, '') || 'operation';
}

export function toSchemaAnchor(component: string): string {
  return `schema.${toAnchor(component)}`;
}

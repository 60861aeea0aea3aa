import type { ResponseExamples } from '../../example-values/response-examples.ts';
import type { SeenVersion } from '../changes/seen-version.ts';
import type { SchemaSource } from '../details/schema-tree.ts';
import type { DocsAssets } from '../docs-assets.ts';
import type { ReferenceOperation } from '../reference/document-operations.ts';
import type { Reference, ReferencePage } from '../reference/reference.ts';

/** Names of the files that a page loads, and the hash that lets the script run. */
export type PageAssets = Pick<
  DocsAssets,
  'styleName' | 'scriptName' | 'scriptIntegrity' | 'searchWorkerName' | 'licencesName'
>;

/** How the gateway handles an operation: `Validation` and a sentence. */
export interface OperationPolicy {
  readonly label: string;
  readonly text: string;
}

/** What the pages of one site are rendered from. */
export interface RenderContext {
  readonly reference: Reference;
  readonly source: SchemaSource;
  readonly responseExamples: ResponseExamples;
  readonly assets: PageAssets;
  /** URL of the mount, without a slash at its end. */
  readonly baseUrl: string;
  /** URL that the paths of operations follow, without a slash at its end. It stands in code samples. */
  readonly requestUrl: string;
  /** Path from the page to the mount, relative: `../../`, or `./`. All links of a page begin with it. */
  readonly root: string;
  /** The versions of the document that the gateway has seen, the latest first. */
  readonly listVersions: () => readonly SeenVersion[];
  readonly describePolicies: (operation: ReferenceOperation) => readonly OperationPolicy[];
}

/** The relative URL of a page. */
export function toPageUrl(root: string, page: Pick<ReferencePage, 'address'> | undefined): string {
  return page === undefined ? `${root}docs` : `${root}docs/${page.address}`;
}

/** Returns the path from a page to the mount. @param path what follows `/docs` in the address of the page */
export function toRoot(path: string): string {
  const slashes = path.split('/').length - 1;
  return slashes === 0 ? './' : '../'.repeat(slashes);
}

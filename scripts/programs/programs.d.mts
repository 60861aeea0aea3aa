/** A program, and the same with one mistake. */
export interface Program {
  /** `storefront-4-cart-02` */
  readonly name: string;
  /** What it does. */
  readonly title: string;
  readonly right: string;
  readonly wrong: string;
}

/** What programs know of their site. */
export interface Setup {
  readonly baseUrl: string;
  readonly ids: Readonly<Record<string, number>>;
  readonly admin: { readonly username: string; readonly password: string };
  readonly customer: { readonly username: string; readonly password: string };
}

/** How another client is called. Its setup module exports the names that programs use. */
export type Translation = (program: string) => string;

/**
 * Reads the programs of a folder: in each file the text below a line `### <what it does>`. A line `//! <line>` is the one before with the
 * mistake.
 *
 * @param base with the folders
 */
export function readPrograms(base?: string | URL): Promise<readonly Program[]>;

/**
 * Programs are written for waygate's client. openapi-fetch calls path and query `params`, and its `data` may be undefined: `ok` throws.
 */
export const toOpenapiFetch: Translation;

/** hey-api has a function for each operation. @param operationIds by `GET /path` */
export function toHeyApi(operationIds: ReadonlyMap<string, string>): Translation;

/** What the setup of each client exports beside its clients. */
export function commonSetup(setup: Setup): string;

export function setupOfWaygate(setup: Setup): string;

/** A program as a module: it imports what it names, and has a visitor of its own. */
export function withImports(text: string): string;

/** Runs programs at their site, one after the other. @returns the errors by file */
export function runPrograms(
  folder: string,
  setup: Setup,
  client: string,
  programs: readonly { readonly file: string; readonly text: string }[],
): Promise<ReadonlyMap<string, string>>;

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void>;

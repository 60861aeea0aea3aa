import { getErrorCodes, hasMark } from '../document-extensions.ts';
import { isJsonObject, jsonMembers } from '../json.ts';
import { shorten } from '../ui/text.ts';
import { createCodeSamples } from './code-samples.ts';
import type { CodeLanguage } from './code-tokens.ts';
import { adviseOn, type ErrorAdvice, renderAdviceMarkdown } from './error-advice.ts';
import { toMarkdownBlock, toMarkdownCode, toMarkdownText } from './markdown-text.ts';
import { type OperationDetails, readOperationDetails } from './operation-details.ts';
import { createSampleRequest } from './operation-samples.ts';
import type { AnchoredOperation, Reference, ReferencePage } from './reference.ts';
import type { SampleRequest } from './sample-request.ts';
import type { SchemaSource } from './schema-tree.ts';

/** A part of a guide. HTML and Markdown are made from the same parts. */
export type GuidePart =
  /** Plain text; what stands between backticks is code. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly code: string }
  | { readonly kind: 'operations'; readonly operations: readonly GuidedOperation[] }
  | { readonly kind: 'codes'; readonly codes: readonly ErrorAdvice[] };

/** An operation, and the page that it stands on. */
export interface GuidedOperation {
  readonly operation: AnchoredOperation;
  readonly page: ReferencePage;
}

/** What a reader has to know beside single operations, told with operations of this site. */
export interface Guide {
  readonly title: string;
  /** Path below `/docs/`: `guides/paging`. */
  readonly address: string;
  /** Whether the site has what the guide is about. */
  readonly applies: (site: GuidedSite) => boolean;
  readonly write: (site: GuidedSite) => readonly GuidePart[];
}

/** Every guide, in reading order. */
const GUIDES: readonly Guide[] = [
  {
    title: 'Credentials',
    address: 'guides/credentials',
    applies: ({ operations }) => operations.length > 0,
    write: writeCredentials,
  },
  {
    title: 'Pages of a list',
    address: 'guides/paging',
    applies: (site) => findLists(site).length > 0,
    write: writePaging,
  },
  {
    title: 'Errors',
    address: 'guides/errors',
    applies: ({ operations }) => operations.length > 0,
    write: writeErrors,
  },
  {
    title: 'Batch requests',
    address: 'guides/batch',
    applies: (site) => site.find('POST', /.\/batch$|^\/batch\/v1$/) !== undefined,
    write: writeBatch,
  },
  {
    title: 'Uploads',
    address: 'guides/uploads',
    applies: (site) => findUploads(site).length > 0,
    write: writeUploads,
  },
  {
    title: 'Carts and checkout',
    address: 'guides/carts',
    applies: (site) => site.find('GET', CART) !== undefined,
    write: writeCart,
  },
];

const CART = /^\/wc\/store\/v\d+\/cart$/;

/** Lists the guides that a site needs. */
export function listGuides(site: GuidedSite): readonly Guide[] {
  return GUIDES.filter(({ applies }) => applies(site));
}

/** Operations of a guide's list. */
const MAX_OPERATIONS = 8;

interface SiteReference {
  readonly reference: Reference;
  /** URL that the paths of operations follow, without a slash at its end. */
  readonly requestUrl: string;
  readonly source: SchemaSource;
}

/** The operations of a reference, as guides ask for them. */
export class GuidedSite {
  readonly operations: readonly GuidedOperation[];
  readonly requestUrl: string;
  readonly #source: SchemaSource;

  constructor({ reference, requestUrl, source }: SiteReference) {
    // Those of current versions come first.
    this.operations = reference.pages.flatMap((page) =>
      page.operations.map((operation) => ({ operation, page })),
    );
    this.requestUrl = requestUrl;
    this.#source = source;
  }

  find(method: string, path: RegExp): GuidedOperation | undefined {
    return this.operations.find(({ operation }) => operation.method === method && path.test(operation.path));
  }

  read({ operation }: GuidedOperation): OperationDetails {
    return readOperationDetails(operation, this.#source);
  }

  /**
   * Writes a request as a code sample.
   *
   * @param change what is other than in the reference
   * @param options further options of curl
   */
  sample(
    placed: GuidedOperation,
    label: 'curl' | 'TypeScript',
    change: Partial<SampleRequest> = {},
    options: readonly string[] = [],
  ): GuidePart {
    const request = createSampleRequest(placed.operation, this.read(placed), this.requestUrl);
    const samples = createCodeSamples({ ...request, ...change });
    const { code = '', language = 'shell' } = samples.find((sample) => sample.label === label) ?? {};
    return { kind: 'code', code: [code, ...options].join(' \\\n  '), language };
  }
}

/** What names the cart in a command. */
const TOKEN = ["--header 'Cart-Token: the token of the first response'"];

const text = (content: string): GuidePart => ({ kind: 'text', text: content });
const heading = (content: string): GuidePart => ({ kind: 'heading', text: content });
const listed = (operations: readonly (GuidedOperation | undefined)[]): GuidePart => ({
  kind: 'operations',
  operations: operations.filter((each) => each !== undefined).slice(0, MAX_OPERATIONS),
});

function writeCredentials(site: GuidedSite): readonly GuidePart[] {
  const me = site.find('GET', /\/users\/me$/);
  const shop = site.find('GET', /^\/wc\/v\d+\/orders$/);
  const example = me ?? shop ?? site.operations.find(({ operation }) => operation.method === 'GET');
  if (example === undefined) return [];
  return [
    text(
      'Requests without credentials read what is public. What a user may read or change needs one of these.',
    ),
    heading('Application passwords'),
    text(
      'Each user creates them on their profile page, one for each program, and can revoke each. The program sends the user name and the application password with HTTP Basic. The password of the account itself does not work.',
    ),
    site.sample(example, 'curl', { hasCredentials: true }),
    site.sample(example, 'TypeScript', { hasCredentials: true }),
    listed([site.find('POST', /\/application-passwords$/), site.find('GET', /\/application-passwords$/)]),
    heading('Cookie and nonce'),
    text(
      'A script on a page of the site has the cookie of the signed-in user. WordPress believes it only together with a nonce in `X-WP-Nonce`, which the page gets as `wpApiSettings.nonce`. A nonce belongs to one session and lasts a day at most.',
    ),
    ...(shop === undefined
      ? []
      : [
          heading('Keys of the shop'),
          text(
            'WooCommerce has keys of its own, which its settings create under Advanced, REST API. Over HTTPS the consumer key is the user name, and the consumer secret the password. They work in the namespaces of WooCommerce alone.',
          ),
        ]),
    heading('Without sufficient credentials'),
    text('The site answers 401 without credentials, and 403 if the user lacks the right. The codes of both:'),
    { kind: 'codes', codes: describeCodes(site, /not_logged_in|forbidden|cannot/) },
  ];
}

function writePaging(site: GuidedSite): readonly GuidePart[] {
  const lists = findLists(site);
  const [first] = lists;
  if (first === undefined) return [];
  const perPage = site.read(first).parameters.find(({ name }) => name === 'per_page');
  const most = perPage?.facts.find(({ label }) => label === 'Maximum')?.values[0] ?? '100';
  return [
    text(
      `A list comes in pages. \`per_page\` is their size, at most ${most}, and \`page\` counts from 1. Each response states the number of items in \`X-WP-Total\`, the number of pages in \`X-WP-TotalPages\`, and the next page in \`Link\`.`,
    ),
    site.sample(first, 'curl', {
      query: [
        ['per_page', Number(most) || 100],
        ['page', 2],
      ],
    }),
    text('The generated client follows the pages until the last one.'),
    {
      kind: 'code',
      language: 'javascript',
      code: `for await (const item of paginate(client, ${JSON.stringify(first.operation.path)})) {\n  console.log(item);\n}`,
    },
    text(
      'A page after the last one is an error with the status 400 in WordPress, and an empty list in some plugins. `offset` in place of `page` skips items, and lists that change while they are read repeat or miss some: sort by `id` then.',
    ),
    heading('Lists of this site'),
    listed(lists),
  ];
}

function writeErrors(site: GuidedSite): readonly GuidePart[] {
  if (site.operations.length === 0) return [];
  return [
    text(
      'An error has a status of 4xx or 5xx and a JSON object: `code` for programs, `message` for people, and `data.status`, which repeats the status. Errors of parameters have a text for each in `data.params`.',
    ),
    {
      kind: 'code',
      language: 'json',
      code: JSON.stringify(
        {
          code: 'rest_invalid_param',
          message: 'Invalid parameter(s): per_page',
          data: {
            status: 400,
            params: { per_page: 'per_page must be between 1 (inclusive) and 100 (inclusive)' },
          },
        },
        null,
        2,
      ),
    },
    text(
      'Errors of the gateway itself have the same members, and those of RFC 9457 beside them. Their code begins with `gateway_`: the site did not answer, or the request was refused before it reached the site.',
    ),
    heading('Codes of this site'),
    { kind: 'codes', codes: describeCodes(site, /./) },
  ];
}

function writeBatch(site: GuidedSite): readonly GuidePart[] {
  const batch = site.find('POST', /^\/batch\/v1$/);
  const allowed = site.operations.filter(
    ({ operation }) => operation.method === 'POST' && hasMark(operation.value, 'allowBatch'),
  );
  const ofLists = site.operations.filter(
    ({ operation }) => operation.method === 'POST' && /[^/]\/batch$/.test(operation.path),
  );
  const [first] = allowed;
  return [
    ...(batch === undefined || first === undefined
      ? []
      : [
          text(
            '`POST /batch/v1` carries up to 25 writing requests, and responds with the status 207 and a response for each, in their order. With `validation: "require-all-validate"` none runs unless all are valid. Reading requests cannot be batched.',
          ),
          site.sample(batch, 'curl', {
            hasCredentials: true,
            body: {
              requests: [1, 2].map(() => ({
                method: 'POST',
                path: first.operation.path.replace(/\{[^}]*\}/g, '1'),
                body: site.read(first).bodies[0]?.example ?? {},
              })),
            },
          }),
          heading('Operations that a batch may contain'),
          listed(allowed),
        ]),
    ...(ofLists.length === 0
      ? []
      : [
          heading('Batches of one resource'),
          text(
            'These take lists of items to `create` and to `update`, and of ids to `delete`, at most 100 together. The response has the same lists, with an item or an error in each place.',
          ),
          listed(ofLists),
        ]),
  ];
}

function writeUploads(site: GuidedSite): readonly GuidePart[] {
  const uploads = findUploads(site);
  const [first] = uploads;
  if (first === undefined) return [];
  return [
    text(
      'A file is the whole content of a request, with its type in `Content-Type` and its name in `Content-Disposition`, or a part of a form. A form can carry the fields of the item too.',
    ),
    site.sample(first, 'curl'),
    site.sample(first, 'TypeScript'),
    text(
      'The server limits the size of uploads. An operation that takes a URL of a picture loads it from there.',
    ),
    heading('Operations that take a file'),
    listed(uploads),
  ];
}

function writeCart(site: GuidedSite): readonly GuidePart[] {
  const cart = site.find('GET', CART);
  const add = site.find('POST', /^\/wc\/store\/v\d+\/cart\/add-item$/);
  if (cart === undefined || add === undefined) return [];
  const checkout = site.find('POST', /^\/wc\/store\/v\d+\/checkout$/);
  return [
    text(
      'The Store API is the public side of a shop: it needs no credentials, and works for the visitor whose cart a request names. The first response of the cart has `Cart-Token` and `Nonce` in its head.',
    ),
    site.sample(cart, 'curl', {}, ['--include']),
    text(
      'Send `Cart-Token` with each further request: it names the cart, and stands for the nonce as well. A page of the shop itself sends its cookie and `Nonce` in its place. Each response renews both.',
    ),
    site.sample(add, 'curl', { hasCredentials: false }, TOKEN),
    text(
      'Each change responds with the whole cart. Amounts are texts in the smallest unit of the currency: `"1990"` with `currency_minor_unit` 2 is 19.90.',
    ),
    listed([
      add,
      site.find('POST', /^\/wc\/store\/v\d+\/cart\/update-item$/),
      site.find('POST', /^\/wc\/store\/v\d+\/cart\/remove-item$/),
      site.find('POST', /^\/wc\/store\/v\d+\/cart\/apply-coupon$/),
      site.find('POST', /^\/wc\/store\/v\d+\/cart\/update-customer$/),
      site.find('POST', /^\/wc\/store\/v\d+\/cart\/select-shipping-rate$/),
    ]),
    ...(checkout === undefined
      ? []
      : [
          heading('Checkout'),
          text(
            'The checkout takes the addresses and one of the `payment_methods` of the cart, and responds with the order. `payment_result` says where a visitor goes to pay.',
          ),
          site.sample(checkout, 'curl', { hasCredentials: false }, TOKEN),
          listed([checkout]),
        ]),
  ];
}

/** Lists the operations whose lists come in pages. */
function findLists({ operations }: GuidedSite): readonly GuidedOperation[] {
  return operations.filter(
    ({ operation }) => operation.method === 'GET' && hasParameters(operation, ['page', 'per_page']),
  );
}

/** Lists the operations that take a file as a form or as the whole content. */
function findUploads({ operations }: GuidedSite): readonly GuidedOperation[] {
  return operations.filter(({ operation: { method, value } }) => {
    const { requestBody } = value;
    const content = isJsonObject(requestBody) ? jsonMembers(requestBody['content']) : [];
    return (
      method === 'POST' &&
      content.some(
        ([type]) => type === 'multipart/form-data' || /^(\*|image|application\/octet-stream)/.test(type),
      )
    );
  });
}

function hasParameters({ pathItem, value }: AnchoredOperation, names: readonly string[]): boolean {
  const stated = JSON.stringify([pathItem['parameters'], value['parameters']]);
  return names.every((name) => stated.includes(`"name":"${name}"`));
}

/** Codes of a guide's table. */
const MAX_CODES = 80;

/** Says what to do about the codes of the site's errors, those of most operations first. */
function describeCodes(site: GuidedSite, pattern: RegExp): readonly ErrorAdvice[] {
  const counts = new Map<string, number>();
  for (const { operation } of site.operations) {
    for (const code of getErrorCodes(operation.value)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const codes = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([code]) => code)
    .filter((code) => code.length <= 100 && pattern.test(code));
  return adviseOn(codes)
    .filter(({ advice }) => advice !== '')
    .slice(0, MAX_CODES);
}

/** Renders a guide as Markdown. @param baseUrl URL of the mount */
export function renderGuideMarkdown(guide: Guide, site: GuidedSite, baseUrl: string): string {
  const blocks = guide.write(site).map((part) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'heading':
        return `## ${part.text}`;
      case 'code':
        return toMarkdownBlock(part.code, part.language);
      case 'operations':
        return part.operations
          .map(({ operation, page }) => {
            const title = toMarkdownText(shorten(operation.title, 120));
            const call = toMarkdownCode(shorten(`${operation.method} ${operation.path}`, 200));
            return `- [${title}](${baseUrl}/docs/${page.address}.md): ${call}`;
          })
          .join('\n');
      default:
        return renderAdviceMarkdown(part.codes).join('\n');
    }
  });
  return `${[`# ${guide.title}`, ...blocks].join('\n\n')}\n`;
}

import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { ConsoleContext } from './console-context.ts';

/** An address that the operator has typed, as the head of a `GET` request. */
export interface TypedAddress {
  readonly head: IncomingRequestHead;
  /** Whether the operator has typed a host. */
  readonly hasHost: boolean;
  readonly site: MountedSite;
}

/** Longer addresses are refused. */
const MAX_LENGTH = 4_096;
/** Maximum header fields. */
const MAX_FIELDS = 30;
/** RFC 9110 §5.6.2: a token. */
const FIELD = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t -~\u0080-\u00ff]*)$/;
/** Characters that no request target has. */
const NOT_IN_TARGETS = /[\u0000- "<>\\^`{|}\u007f-\uffff]/g;

/** Fields that frame a request: it has no content. */
const FRAMING: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/**
 * Reads an address of the gateway, which may be a URL, a path at the gateway, or a path or route at the site.
 *
 * @param ofPage the site of the page, where a path is looked up that no mount has
 * @param fields header fields, one on each line
 * @returns a sentence if it is unusable
 */
export function readTypedAddress(
  { findSite, publicPath }: Pick<ConsoleContext, 'findSite' | 'publicPath'>,
  ofPage: MountedSite,
  address: string,
  fields = '',
): TypedAddress | string {
  const text = address.trim();
  if (text.length > MAX_LENGTH) return `An address has ${MAX_LENGTH} characters at most.`;
  const [authority = '', scheme = 'http', host = ''] = /^(https?):\/\/([^/?#]*)/i.exec(text) ?? [];
  const rest = (text.slice(authority.length).split('#', 1)[0] ?? '').replace(
    NOT_IN_TARGETS,
    encodeURIComponent,
  );
  if (authority === '' && !rest.startsWith('/')) return 'Type a URL, or a path that begins with a slash.';
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const isPublic = publicPath !== '' && (path === publicPath || path.startsWith(`${publicPath}/`));
  const atGateway = isPublic ? path.slice(publicPath.length) || '/' : path;
  const mounted = findSite(atGateway);
  const isAtSite = mounted === undefined && authority === '' && !isPublic;
  const target = isAtSite ? `${ofPage.mount}${atGateway}` : atGateway;
  const site = isAtSite ? ofPage : mounted;
  if (site === undefined || target.startsWith('/-/')) return 'No site is mounted at this path.';
  const headers = readFields(fields);
  if (typeof headers === 'string') return headers;
  return {
    site,
    hasHost: host !== '',
    head: {
      method: 'GET',
      target,
      headers: ['host', host === '' ? 'localhost' : host, ...headers],
      peerAddress: '',
      protocol: scheme.toLowerCase() === 'https' ? 'https' : 'http',
      httpVersion: '1.1',
    },
  };
}

function readFields(text: string): readonly string[] | string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > MAX_FIELDS) return `At most ${MAX_FIELDS} header fields.`;
  const headers: string[] = [];
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line.trim()) ?? [];
    if (name === undefined || value === undefined) return 'Write each header field as "Name: value".';
    if (FRAMING.has(name.toLowerCase())) return `The field ${name} cannot be set here.`;
    headers.push(name, value);
  }
  return headers;
}

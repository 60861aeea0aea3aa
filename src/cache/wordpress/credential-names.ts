import { memoizeByString } from '../../memoize.ts';

/** Words that name a credential wherever a name contains them: `api_token`, `restNonce`, `accesstoken`. */
const CREDENTIAL_PART =
  /nonce|token|secret|passw|passphrase|session|csrf|xsrf|jwt|signature|credential|api[-_.]?key|authori[sz]ation|bearer|hmac|oauth|autologin/;

/** Words that name a credential if they are a whole word of a name: `user_pass`, `authCode`, but not `author`. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  ...[
    'auth',
    'pass',
    'pwd',
    'passcode',
    'passkey',
    'pin',
    'otp',
    'totp',
    'sid',
    'sessid',
    'phpsessid',
    'sig',
  ],
  ...['magic', 'cart', 'basket', 'invite', 'invitation', 'ticket', 'verification', 'activation', 'recovery'],
]);

/** Words that name a credential if they are the last word of a name, unless another word says what they identify. */
const LAST_CREDENTIAL_WORDS: ReadonlySet<string> = new Set(['code', 'hash', 'reset']);
const PLAIN_QUALIFIERS: ReadonlySet<string> = new Set([
  ...[
    'country',
    'region',
    'state',
    'city',
    'area',
    'postal',
    'zip',
    'airport',
    'station',
    'currency',
    'lang',
  ],
  ...[
    'language',
    'locale',
    'iso',
    'status',
    'error',
    'product',
    'item',
    'sku',
    'bar',
    'short',
    'color',
    'colour',
  ],
  ...[
    'type',
    'source',
    'file',
    'content',
    'commit',
    'git',
    'image',
    'media',
    'block',
    'tax',
    'response',
    'http',
  ],
]);

/** Names of WordPress core whose last word is `key` or that have another word of a credential, but that are none. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['meta_key']);

/**
 * Tells whether the name of a parameter says that its value is a credential or valid once: a nonce, a token, a key, a password,
 * a session, a cart. The last word decides about `key`, `code` and `hash`: `cart_key` is one, `keyword` and `key_figures` are
 * not, nor is `country_code`.
 *
 * @param name in its own case, as `camelCase` separates words
 */
export const classifyParameterName: (name: string) => 'credential' | 'plain' = memoizeByString(
  (name): 'credential' | 'plain' => {
    const lower = name.toLowerCase();
    if (PLAIN_NAMES.has(lower)) return 'plain';
    if (CREDENTIAL_PART.test(lower)) return 'credential';
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '');
    const last = words.at(-1) ?? '';
    const isCredential =
      words.some((word) => CREDENTIAL_WORDS.has(word)) ||
      /^(?:key|[a-z]*key)\d*$/.test(last) ||
      (LAST_CREDENTIAL_WORDS.has(last) && !words.some((word) => PLAIN_QUALIFIERS.has(word)));
    return isCredential ? 'credential' : 'plain';
  },
);

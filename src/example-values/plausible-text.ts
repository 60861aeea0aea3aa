import type { KeyedRandom } from './keyed-random.ts';

/** What a plausible text depends on. */
export interface PlausibleTextWish {
  /** Name of the property, such as `first_name`. */
  readonly name: string;
  /** Determines the text. */
  readonly key: string;
}

const PLACES = [
  ...['harbour', 'winter', 'summer', 'garden', 'river', 'village', 'morning', 'island', 'mountain', 'valley'],
  ...['autumn', 'coast'],
];
const THINGS = [
  ...['market', 'walk', 'festival', 'museum', 'bridge', 'library', 'concert', 'workshop', 'guide', 'tour'],
  ...['journal', 'exhibition'],
];
const SENTENCES = [
  'The * opens on Saturday morning.',
  'Everything about the * at a glance.',
  'We met at the * and stayed until the evening.',
  'The * was moved to next week.',
];
const TITLES = ['News from the *', 'A visit to the *', 'The * in pictures', 'How the * began'];

/** Texts by the name of the property, in lower case with underscores. The first match applies; `*` stands for a subject. */
const TEXTS: readonly (readonly [name: RegExp, texts: readonly string[]])[] = [
  [/(^|_)(first_name|given_name)$/, ['Ada', 'Grace', 'Alan', 'Mary']],
  [/(^|_)(last_name|family_name|surname)$/, ['Lovelace', 'Hopper', 'Turing', 'Somerville']],
  [
    /(^|_)(author|display|full|user|owner|customer|contact|member)_name$|(^|_)(nickname|recipient|sender)$/,
    ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Mary Somerville'],
  ],
  [/(^|_)(username|login|user_login|nicename)$/, ['ada', 'grace', 'alan', 'mary']],
  [
    /(^|_)(e?mail|email_address|author_email)$/,
    ['ada', 'grace', 'alan', 'mary'].map((name) => `${name}@example.com`),
  ],
  [/(^|_)(title|headline|subject)$/, TITLES],
  [
    /(^|_)(content|description|excerpt|caption|body|text|message|summary|comment|note|reason|bio|biography)s?$/,
    SENTENCES,
  ],
  [/(^|_)alt(_text)?$/, ['People at the *', 'The * in the morning']],
  [/(^|_)(guid)$/, ['https://example.com/?p=12', 'https://example.com/?p=27']],
  [/(^|_)permalink_template$/, ['https://example.com/%postname%/']],
  [/(^|_)city$/, ['Hamburg', 'Bristol', 'Bergen']],
  [/(^|_)country(_code)?$/, ['DE', 'GB', 'NO']],
  [/(^|_)(postcode|zip|zip_code|postal_code)$/, ['20457', '28195']],
  [/(^|_)(street|address|address_(line_)?[12])$/, ['12 Harbour Street', '4 Market Square']],
  [/(^|_)(phone|telephone|mobile|fax)$/, ['+1 555 0100', '+1 555 0142']],
  [/(^|_)currency$/, ['EUR', 'USD']],
  [/(^|_)(price|amount|total|subtotal|cost|balance)$/, ['19.90', '45.00', '8.50']],
  [/(^|_)(locale|lang|language)$/, ['en_US', 'de_DE']],
  [/(^|_)time_?zone(_string)?$/, ['Europe/Berlin', 'UTC']],
  [/(^|_)colou?r$/, ['#336699', '#8a3324']],
  [/(^|_)version$/, ['1.4.2', '2.0.1']],
  [/(^|_)(mime_type|content_type)$/, ['image/jpeg', 'image/png']],
  [/(^|_)(file|file_?name)$/, ['photo.jpg', 'report.pdf']],
  [/(^|_)user_agent$/, ['Mozilla/5.0']],
  [/(^|_)icon$/, ['dashicons-admin-post', 'dashicons-calendar']],
  [/(^|_)sku$/, ['HB-1042', 'HB-2210']],
  [/(^|_)(role)s?$/, ['editor', 'author', 'subscriber']],
  [/(^|_)capabilit(y|ies)$/, ['edit_posts', 'read']],
  [/(^|_)taxonom(y|ies)$/, ['category', 'post_tag']],
  [/(^|_)(type|post_type|object_type)s?$/, ['post', 'page']],
  [/(^|_)status$/, ['publish', 'draft']],
  [/(^|_)(theme|stylesheet)$/, ['twentytwentythree']],
  [/(^|_)plugin$/, ['sample/sample']],
  [/(^|_)template$/, ['page-wide']],
  [/(^|_)location$/, ['primary']],
  [/(^|_)area$/, ['header']],
  [/(^|_)method$/, ['GET']],
  [/(^|_)namespace$/, ['core']],
  [/(^|_)(search|query|keyword)s?$/, ['harbour']],
  [/(^|_)(password|passphrase)$/, ['correct horse battery']],
  [/(^|_)class_(list|names?)$/, ['post', 'type-post', 'has-image']],
];

/**
 * Creates a text that a person would write for a property of this name.
 *
 * @returns `undefined` if the name is not known
 */
export function createPlausibleText(
  { key, name }: PlausibleTextWish,
  random: KeyedRandom,
): string | undefined {
  const known = TEXTS.find(([pattern]) => pattern.test(toSnakeCase(name)))?.[1];
  const text = known?.[random.pick(`${key} text`, known.length)];
  return text?.replace('*', createSubject(key, random));
}

/** Creates a name of something, such as `winter market`. */
export function createSubject(key: string, random: KeyedRandom): string {
  const place = PLACES[random.pick(`${key} 0`, PLACES.length)];
  return `${place} ${THINGS[random.pick(`${key} 1`, THINGS.length)]}`;
}

/** `displayName` → `display_name`. Longer names are cut. */
export function toSnakeCase(name: string): string {
  return name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

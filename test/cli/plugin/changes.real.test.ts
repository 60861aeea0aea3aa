import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PluginSite } from './plugin-site.ts';

/** `waygate.php` at a real site: each response that a change changes must have a tag that the change names. */

interface Content {
  readonly hash: string;
  readonly text: string;
  readonly tags: readonly string[];
}

/** Nonces, the secrets of embeds, the host of an avatar without an address, and the time of a feed, which any edit of its posts changes. */
const removeVarying = (text: string): string =>
  text.replace(
    /\b[0-9a-f]{10}\b|(?:data-secret=\\?"|#\?secret=)\w+|\b[0-2]\.gravatar|<lastBuildDate>[^<]+/g,
    '',
  );

/** Whether a tag of a response is purged by a name of a change. */
function isNamed(tag: string, names: ReadonlySet<string>): boolean {
  const kind = tag.endsWith('-*') ? tag.slice(0, -1) : undefined;
  return (
    names.has('*') ||
    names.has(tag) ||
    (kind !== undefined && [...names].some((name) => name.startsWith(kind)))
  );
}

/** The tags of a response; one that is not exact is purged by editors, too. */
function readTags({ headers }: Response): readonly string[] {
  const tags = headers.get('x-waygate-tags')?.split(' ') ?? [];
  return tags.length === 0 || headers.has('x-waygate-ordinary') ? [...tags, 'blog-ordinary'] : tags;
}

async function read(site: PluginSite, address: string): Promise<Content> {
  const response = await site.request(address);
  const text = removeVarying(await response.text());
  const hash = createHash('sha256').update(`${response.status} ${text}`).digest('base64');
  return { hash, text, tags: readTags(response) };
}

async function readAll(site: PluginSite): Promise<Map<string, Content>> {
  const contents = new Map<string, Content>();
  const rest = [...ADDRESSES];
  const work = async (): Promise<void> => {
    for (let address = rest.pop(); address !== undefined; address = rest.pop()) {
      contents.set(address, await read(site, address));
    }
  };
  await Promise.all([work(), work()]);
  return contents;
}

/** One address of each kind of response. Post 18 has the id 20 and comes before post 19, post 6 has the id 8. */
const ADDRESSES: readonly string[] = [
  ...'/ /feed/ /comments/feed/ /?s=post /?s=excerpt /author/editor/ /category/news/ /2024/01/'.split(' '),
  ...[1, 6, 18, 19].map((n) => `/2024/01/post-${n}/`),
  ...'/2024/01/post-1/feed/ /about/team/ /noticeboard/'.split(' '),
  ...'/wp-sitemap-posts-post-1.xml /wp-sitemap-taxonomies-category-1.xml'.split(' '),
  ...'posts?per_page=3&_embed posts/20 comments users media search?search=post categories'
    .split(' ')
    .map((route) => `/wp-json/wp/v2/${route}`),
];

/** PHP of a process without a gateway, or a request. */
type Change = string | ((site: PluginSite) => Promise<Response>);

const POST = 20;
const latest = "get_posts(['numberposts' => 1])[0]->ID";
const json = (path: string, body: object) => (site: PluginSite) => site.rest(path, body);

/** Changes in their order. */
const CHANGES: Readonly<Record<string, Change>> = {
  'first excerpt': json(`/posts/${POST}`, { excerpt: 'An excerpt of words' }),
  excerpt: json(`/posts/${POST}`, { excerpt: 'Other words in short' }),
  content: json(`/posts/${POST}`, { content: '<p>A content that is <b>new</b>.</p>' }),
  title: json(`/posts/${POST}`, { title: 'Another title' }),
  publish: json('/posts', { title: 'A new post', content: 'Its content is here', status: 'publish' }),
  sticky: json(`/posts/${POST}`, { sticky: true }),
  date: json(`/posts/${POST}`, { date: '2024-01-30T10:00:00' }),
  slug: json(`/posts/${POST}`, { slug: 'another-slug' }),
  'slug as before': json(`/posts/${POST}`, { slug: 'post-18' }),
  'category of a post': json(`/posts/${POST}`, { categories: [1] }),
  'featured image': `set_post_thumbnail(${POST}, get_posts(['post_type' => 'attachment', 'post_mime_type' => 'image'])[0]->ID);`,
  'shown metadata': `update_post_meta(${POST}, 'mood', 'good');`,
  'comment by a form': (site) =>
    site.request('/wp-comments-post.php', {
      method: 'POST',
      body: new URLSearchParams({
        comment_post_ID: '8',
        comment: 'A comment by form',
        author: 'Reader',
        email: 'r@example.com',
      }),
    }),
  approval:
    "wp_set_comment_status(wp_insert_comment(['comment_post_ID' => 8, 'comment_content' => 'Waits', 'comment_approved' => 0]), 'approve');",
  'comment to the trash':
    "wp_trash_comment(get_comments(['status' => 'approve', 'post_id' => 8, 'fields' => 'ids'])[0]);",
  'name of a term':
    "wp_update_term(get_term_by('slug', 'news', 'category')->term_id, 'category', ['name' => 'Latest news']);",
  'description of a term':
    "wp_update_term(get_term_by('slug', 'news', 'category')->term_id, 'category', ['description' => 'What is new']);",
  'new term': "wp_insert_term('Sports', 'category');",
  'deleted term': "wp_delete_term(get_term_by('slug', 'local', 'category')->term_id, 'category');",
  'name of an author': "wp_update_user(['ID' => username_exists('editor'), 'display_name' => 'Edith']);",
  'description of an author': "update_user_meta(username_exists('editor'), 'description', 'Writes a lot');",
  'menu item':
    "wp_update_nav_menu_item(wp_get_nav_menu_object('Main')->term_id, 0, ['menu-item-title' => 'More', 'menu-item-url' => home_url('/more/'), 'menu-item-status' => 'publish']);",
  widget: "update_option('widget_text', [2 => ['title' => 'Words', 'text' => 'Other words']]);",
  'option of a plugin': "update_option('notes_hours', 'always');",
  'table of a plugin': "$GLOBALS['wpdb']->insert($GLOBALS['wpdb']->prefix . 'notes', ['text' => 'A note']);",
  'statement of a plugin': 'notes_write();',
  upload:
    "$file = wp_upload_bits('more.txt', null, 'More'); wp_insert_attachment(['post_title' => 'More', 'post_mime_type' => 'text/plain'], $file['file'], " +
    POST +
    ');',
  'text of a picture':
    "update_post_meta(get_posts(['post_type' => 'attachment', 'post_mime_type' => 'image'])[0]->ID, '_wp_attachment_image_alt', 'A disc');",
  page: "wp_update_post(['ID' => get_page_by_path('about/team')->ID, 'post_parent' => 0]);",
  'page as before':
    "wp_update_post(['ID' => get_page_by_path('team')->ID, 'post_parent' => get_page_by_path('about')->ID]);",
  'XML-RPC': (site) => {
    const { loginPassword, user } = site.wordpress.users.administrator;
    const values = [1, user, loginPassword, POST].map(
      (value) =>
        `<param><value>${typeof value === 'number' ? `<int>${value}</int>` : `<string>${value}</string>`}</value></param>`,
    );
    return site.request('/xmlrpc.php', {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: `<?xml version="1.0"?><methodCall><methodName>wp.editPost</methodName><params>${values.join('')}<param><value><struct><member><name>post_excerpt</name><value><string>By XML-RPC</string></value></member></struct></value></param></params></methodCall>`,
    });
  },
  'password of a post': "wp_update_post(['ID' => 21, 'post_password' => 'secret']);",
  import:
    "wp_insert_post(['import_id' => 900, 'post_title' => 'Imported', 'post_content' => 'From elsewhere', 'post_status' => 'publish', 'post_date' => '2020-05-05 10:00:00', 'post_category' => [1], 'meta_input' => ['mood' => 'old'], 'comment_status' => 'open']);",
  navigation:
    "wp_insert_post(['post_type' => 'wp_navigation', 'post_status' => 'publish', 'post_title' => 'Main', 'post_content' => '<!-- wp:navigation-link {\"label\":\"Elsewhere\",\"url\":\"/elsewhere/\"} /-->']);",
  pattern:
    "wp_insert_post(['post_type' => 'wp_block', 'post_status' => 'publish', 'post_title' => 'A pattern', 'post_content' => 'Words of it']);",
  trash: `wp_trash_post(${latest});`,
  template:
    "wp_insert_post(['post_type' => 'wp_template_part', 'post_status' => 'publish', 'post_name' => 'footer', 'post_title' => 'Footer', 'post_content' => '<!-- wp:paragraph --><p>A footer</p><!-- /wp:paragraph -->', 'tax_input' => ['wp_theme' => [get_stylesheet()]]]);",
  'title of the site': "update_option('blogname', 'Another name');",
  theme: "switch_theme('twentytwentytwo');",
};

/** Makes a change, and returns what it names. */
async function make(site: PluginSite, change: Change): Promise<ReadonlySet<string>> {
  site.messages.length = 0;
  const response = typeof change === 'string' ? undefined : await change(site);
  const names = new Set(response?.headers.get('x-waygate-changed')?.split(' '));
  names.delete('none');
  if (typeof change === 'string') await site.php(change);
  if (names.size === 0) await vi.waitFor(() => expect(site.messages).not.toEqual([]), 60_000);
  for (const { tags } of site.messages) for (const tag of tags) names.add(tag);
  return names;
}

/** As the single posts of Twenty Twenty-Five: the latest posts by title, and the posts before and after. */
const ADD_LATEST_POSTS = `
  $blocks = '<!-- wp:post-title /--><!-- wp:post-content /--><!-- wp:post-navigation-link {"type":"previous"} /--><!-- wp:post-navigation-link /--><!-- wp:query {"queryId":1,"query":{"perPage":4,"postType":"post","order":"desc","orderBy":"date","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title /--><!-- wp:post-date /--><!-- /wp:post-template --></div><!-- /wp:query -->';
  $part = fn ($slug) => '<!-- wp:template-part {"slug":"' . $slug . '"} /-->';
  wp_insert_post(['post_type' => 'wp_template', 'post_status' => 'publish', 'post_name' => 'single', 'post_title' => 'Single', 'post_content' => $part('header') . $blocks . $part('comments') . $part('footer'), 'tax_input' => ['wp_theme' => [get_stylesheet()]]]);
`;

/** Responses that the names of a change purge. */
const listPurged = (
  contents: Iterable<readonly [string, Content]>,
  names: ReadonlySet<string>,
): (readonly [string, Content])[] =>
  names.size === 0 ? [] : [...contents].filter(([, { tags }]) => tags.some((tag) => isNamed(tag, names)));

/** What a response reads, and a write that changes it. */
const READS: Readonly<Record<string, readonly [read: string, write: string]>> = {
  'posts that a query does not keep in the object cache': [
    "foreach (get_posts(['numberposts' => -1, 'cache_results' => false]) as $post) echo $post->post_title;",
    "wp_update_post(['ID' => 21, 'post_title' => 'Renamed again']);",
  ],
  'posts of a search server': [
    "add_filter('posts_pre_query', fn () => [new WP_Post((object) ['ID' => 21, 'post_title' => 'Found', 'filter' => 'raw'])]); echo get_posts(['s' => 'x', 'suppress_filters' => false])[0]->post_title;",
    "wp_insert_post(['post_title' => 'x', 'post_status' => 'publish']);",
  ],
  'a table in a common table expression': [
    'echo $wpdb->get_var("WITH n AS (SELECT text FROM {$wpdb->prefix}notes) SELECT COUNT(*) FROM n");',
    "$wpdb->insert($wpdb->prefix . 'notes', ['text' => 'x']);",
  ],
  'a table that a statement with a comment writes': [
    'echo $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->prefix}notes");',
    '$wpdb->query("/* notes */ INSERT INTO {$wpdb->prefix}notes (text) VALUES (\'x\')");',
  ],
  'an option whose name ends like those of WordPress': [
    "echo get_option('notes_show_children');",
    "update_option('notes_show_children', wp_rand());",
  ],
  'an option that is loaded when it is read': [
    "echo get_option('notes_late');",
    "update_option('notes_late', wp_rand());",
  ],
  'an option that is missing': [
    "echo get_option('notes_missing', 0);",
    "update_option('notes_missing', wp_rand());",
  ],
  'an option that the read deletes': [
    "echo get_option('notes_once'); delete_option('notes_once');",
    "update_option('notes_once', wp_rand());",
  ],
  'an option that the read adds': [
    "update_option('notes_added', 1); echo get_option('notes_added');",
    "update_option('notes_added', wp_rand());",
  ],
  'attachments of a post': [
    "foreach (get_children(['post_parent' => 20, 'post_type' => 'attachment']) as $each) echo $each->ID;",
    "require_once ABSPATH . 'wp-admin/includes/media.php'; [$id] = get_posts(['post_type' => 'attachment', 'fields' => 'ids']); $_REQUEST = ['media' => [$id], '_wpnonce' => wp_create_nonce('bulk-media')]; add_filter('wp_redirect', function () { exit; }); wp_media_attach_action(20);",
  ],
  'a list of posts of another type': [
    "foreach (get_posts(['post_type' => 'page', 'numberposts' => 5]) as $each) echo $each->ID;",
    "set_post_type(24, 'page');",
  ],
  'a list of posts of an author': [
    "foreach (get_posts(['author' => 1, 'fields' => 'ids']) as $id) echo $id;",
    "wp_delete_user(username_exists('editor'), 1);",
  ],
  'a list of a query that is used again': [
    "$query = new WP_Query(['post_type' => 'wp_block', 'ignore_sticky_posts' => true]); echo $query->post_count; $query->query(['post_type' => 'page']);",
    "wp_insert_post(['post_type' => 'wp_block', 'post_status' => 'publish', 'post_title' => 'Words']);",
  ],
  'a number of comments': ["echo get_comments(['count' => true]);", 'wp_trash_post(8);'],
  'the name of an author of comments': [
    "foreach (get_comments(['post_id' => 9]) as $each) echo $each->comment_author;",
    "wp_comments_personal_data_eraser('name@example.com');",
  ],
};

describe('a site', () => {
  let site: PluginSite;
  beforeAll(async () => {
    site = await PluginSite.start('twentytwentythree');
    await site.php(`
      wp_update_post(['ID' => 22, 'post_content' => "\u{421}\u{43b}\u{43e}\u{432}\u{430} \u{44f}\u{437}\u{44b}\u{43a}\u{430}"]);
      foreach (['late', 'once'] as $name) add_option("notes_$name", 1, '', 'no');
      foreach ([8, 9] as $id) wp_insert_comment(['comment_post_ID' => $id, 'comment_author' => 'Name', 'comment_author_email' => 'name@example.com', 'comment_approved' => 1]);
    `);
    // The first page of a theme is ordinary.
    await site.request('/');
  }, 300_000);
  afterAll(() => site?.stop());

  /** What PHP of a process without a gateway names. */
  const listNames = async (php: string): Promise<readonly string[]> => {
    site.messages.length = 0;
    await site.php(php);
    return site.messages.flatMap(({ tags }) => tags);
  };

  test.each(Object.entries(READS))('names %s', async (_, [run, write]) => {
    const response = await site.request(`/?notes_run=${encodeURIComponent(run)}`);
    expect(response.status, await response.text()).toBe(200);
    const tags = readTags(response);
    const names = new Set(await listNames(write));
    expect(
      tags.some((tag) => isNamed(tag, names)),
      `${tags.join(' ')} | ${[...names].join(' ')}`,
    ).toBe(true);
  });
});

describe.each([
  {
    // Its pages take PHP less than half of the time that those of blocks take.
    theme: 'twentytwentyone',
    kind: 'a classic theme',
    changes: /^(?!(?:navigation|pattern|template)$)/,
  },
  {
    theme: 'twentytwentythree',
    kind: 'a block theme',
    // What blocks show in another place, or what only they show.
    changes:
      /^(?:excerpt|content|title|publish|comment by a form|name of a term|navigation|pattern|template|trash)$/,
  },
  {
    theme: 'twentytwentyone',
    kind: 'a persistent object cache',
    // Their queries differ.
    changes: /^(?:content|publish|comment by a form|name of an? |option|table|trash$)/,
  },
])('with $kind', ({ theme, kind, changes }) => {
  let site: PluginSite;
  let contents: Map<string, Content>;
  /** Over all changes: the responses that were stored, and those that were purged though they did not change. */
  const totals = { stored: 0, purgedWithoutNeed: 0 };
  const count = (
    before: Iterable<readonly [string, Content]>,
    changed: readonly (readonly [string, Content])[],
    names: ReadonlySet<string>,
  ): void => {
    const stored = [...before];
    const needless = listPurged(stored, names).filter(
      (each) => !changed.some(([address]) => address === each[0]),
    );
    totals.stored += stored.length;
    totals.purgedWithoutNeed += needless.length;
  };
  beforeAll(async () => {
    site = await PluginSite.start(theme);
    if (kind.includes('cache')) await site.useObjectCache();
    if (kind.includes('block')) await site.php(ADD_LATEST_POSTS);
    // The first page of a theme creates a post, and what the first response has put into the object cache is read by the next.
    await readAll(site);
    contents = await readAll(site);
  }, 120_000);
  afterAll(() => site?.stop());

  test('each response has exact tags', () => {
    const others = [...contents].filter(([, { tags }]) => tags.includes('blog-ordinary'));
    expect(others.map(([address]) => address)).toEqual([]);
  });

  const chosen = Object.entries(CHANGES).filter(([name]) => changes.test(name));
  test.each(chosen)('%s: what changes has a tag that the change names', async (_, change) => {
    const before = [...contents];
    const names = await make(site, change);
    contents = await readAll(site);
    const changed = before.filter(([address, { hash }]) => contents.get(address)?.hash !== hash);
    const purged = listPurged(before, names);
    const missed = changed.filter((each) => !purged.includes(each));
    count(before, changed, names);
    const describe = ([address, { tags, text }]: [string, Content]): string => {
      const now = contents.get(address)?.text ?? '';
      const at = [...text].findIndex((character, index) => character !== now[index]);
      return `${address}: ${text.slice(at - 30, at + 50)} | ${now.slice(at - 30, at + 50)} | ${tags.join(' ')}`;
    };
    expect(missed.map(describe), [...names].join(' ')).toEqual([]);
  });

  test('changes purge little of the store without need', () => {
    // A sidebar shows posts and comments on each page, and what is not selected purges less.
    expect(totals.purgedWithoutNeed / totals.stored, JSON.stringify(totals)).toBeLessThan(0.3);
  });
});

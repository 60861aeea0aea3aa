import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../src/gateway/node/index.ts';
import { openGateway } from '../../src/open-gateway.ts';
import { fillLogin, useBrowser } from '../support/browser.ts';
import { createCertificate } from '../support/certificates.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { runServer } from '../support/run.ts';
import { findFreePort } from '../support/server.ts';
import { startWordPress, type WordPress } from '../support/wordpress.ts';
import { type Journey, type JourneyResult, type Person, performSteps } from './shop/perform-steps.ts';

/** Steps of people who use a WordPress with a shop over TLS, in order. What they write, later steps read. */
const JOURNEY: Journey = {
  'a visitor': {
    'reads the front page': ({ open }) => open('/'),
    'reads a post': ({ open }) => open('/2024/01/post-1/'),
    'forgets the slash of a post': ({ open }) => open('/2024/01/post-4'),
    'follows an old link with the number of a post': ({ open }) => open('/?p=1'),
    // A stored page is one for all campaigns, so its links lack their parameters.
    'follows a link with parameters of a campaign': async ({ page, open }) => {
      // A page that is read below without these parameters too: the gateway asks PHP for it so.
      await open('/2024/01/post-2/?utm_source=mail&fbclid=a.b-c');
      return page.title();
    },
    'reads a tag in Japanese': ({ open }) => open('/tag/日本語/'),
    'searches without a result': ({ open }) => open('/?s=nothing+of+the+kind'),
    'searches for something else': async ({ page, follow }) => {
      await page.fill('input[name=s]', 'größer “post” & more');
      await follow('.search-submit');
    },
    'reads a 404': ({ open }) => open('/no/such/page/?really=1'),
    'doubles a slash': ({ open }) => open('/2024//01/post-8/'),
    'asks for a file that does not exist': ({ open }) => open('/wp-content/uploads/none.png'),
    'fetches the feed': (person) => readFeed(person, '/feed/'),
    'fetches the feed by its old name': (person) => readFeed(person, '/wp-rss2.php'),
    'fetches robots.txt': ({ fetch }) => fetch('/robots.txt'),
    'fetches the icon': async ({ fetch }) => (await fetch('/favicon.ico')).slice(0, 30),
    'fetches a post that another site embeds': ({ open }) => open('/2024/01/post-2/embed/'),
    'fetches the card of a post': ({ fetch, origin }) =>
      fetch(`/wp-json/oembed/1.0/embed?url=${encodeURIComponent(`${origin}/2024/01/post-2/`)}`),
    'fetches posts by the REST API': ({ fetch }) =>
      fetch('/wp-json/wp/v2/posts?per_page=2&_fields=id,link,title'),
    'fetches posts by the parameter of the REST API': ({ fetch }) =>
      fetch('/?rest_route=/wp/v2/posts&per_page=1&_fields=id'),
    'asks XML-RPC what it can': ({ fetch }) =>
      fetch('/xmlrpc.php', {
        method: 'POST',
        body: '<methodCall><methodName>system.listMethods</methodName></methodCall>',
      }),
    'opens a protected post': ({ open }) => open('/2024/01/post-7/'),
    'gives the password of the post': async ({ page, follow }) => {
      await page.fill('input[name=post_password]', 'open sesame');
      await follow('.post-password-form [type=submit]');
    },
    comments: (person) => comment(person, '/2024/01/post-2/', 'From a visitor, with <b>bold</b> & “quotes”'),
    'reads the comment': ({ open }) => open('/2024/01/post-2/'),
    'sends the contact form of an address with a query': (person) =>
      contact(person, '/contact/?from=footer&tag[]=a&tag[]=b'),
    'asks admin-ajax.php for nothing': ({ fetch }) => fetch('/wp-admin/admin-ajax.php', { method: 'POST' }),
  },
  'an editor': {
    'is led from a page of wp-admin to the form and back': async (person) => {
      await person.open('/wp-admin/edit.php?post_status=draft');
      await signIn(person, 'administrator', person.users.administrator.loginPassword);
    },
    'opens the dashboard': async ({ page, open }) => {
      await open('/wp-admin/');
      await page.waitForSelector('text=RSS Error');
    },
    'saves a quick draft': async ({ page, read }) => {
      await page.fill('#quick-press #title', 'A quick draft');
      await page.fill('#quick-press #content', 'Not yet.');
      await page.click('#save-post');
      await page.waitForSelector('.drafts li:has-text("A quick draft")');
      return read('.drafts');
    },
    'begins a post in the block editor': async ({ open, page }) => {
      await open('/wp-admin/post-new.php');
      await page.waitForFunction("window.wp?.data?.select('core/editor')?.getCurrentPostId() > 0");
      return edit(
        page,
        "editPost({ title: 'Written in a browser', comment_status: 'open' })",
        "insertBlocks(wp.blocks.createBlock('core/paragraph', { content: 'First words.' }))",
        'savePost()',
      );
    },
    'lets the editor save it': ({ page }) =>
      edit(page, "editPost({ excerpt: 'In short' })", undefined, 'autosave()'),
    'uploads an image from the editor': ({ page }) =>
      evaluate(
        page,
        `const { uploadMedia } = wp.mediaUtils;
        const bytes = Uint8Array.from(atob('${PIXEL}'), (letter) => letter.charCodeAt(0));
        const image = await new Promise((resolve, reject) => uploadMedia({
          filesList: [new File([bytes], 'from-editor.png', { type: 'image/png' })],
          onFileChange: ([file]) => file?.id && resolve(file), onError: reject,
        }));
        wp.data.dispatch('core/block-editor').insertBlocks(wp.blocks.createBlock('core/image', { id: image.id, url: image.url }));
        return JSON.stringify([image.id, image.url, image.mime_type]);`,
      ),
    'changes the price of a product': ({ page }) =>
      evaluate(
        page,
        `const [product] = await wp.apiFetch({ path: '/wp/v2/products?slug=product-2' });
        const changed = await wp.apiFetch({ path: '/wp/v2/products/' + product.id, method: 'PUT', data: { meta: { price: 4.5, stock: 9 } } });
        return JSON.stringify([changed.meta, changed.link]);`,
      ),
    'publishes it': ({ page }) => edit(page, "editPost({ status: 'publish' })", undefined, 'savePost()'),
    'looks at the preview': async ({ page, open }) => {
      await edit(
        page,
        "editPost({ title: 'Written in a browser, again' })",
        undefined,
        'autosave({ isPreview: true })',
      );
      await open(
        new URL(
          String(await page.evaluate("wp.data.select('core/editor').getEditedPostPreviewLink()")),
        ).href.replace(/^https?:\/\/[^/]+/, ''),
      );
    },
    'views the post': async ({ follow, open }) => {
      await open('/wp-admin/edit.php');
      await follow('#the-list tr:first-child .view a');
    },
    'edits a post in the list': async ({ page, open, press, read }) => {
      await open('/wp-admin/edit.php');
      await press('#the-list tr:first-child .editinline');
      await page.fill('.inline-editor input[name=post_title]', 'Written in the list');
      await page.click('.inline-editor .save');
      await page.waitForSelector('.inline-editor', { state: 'detached' });
      return read('#the-list tr:first-child .row-title');
    },
    'changes several posts at once': async ({ page, follow }) => {
      await page.check('#the-list tr:nth-child(1) input[type=checkbox]');
      await page.check('#the-list tr:nth-child(2) input[type=checkbox]');
      await page.selectOption('#bulk-action-selector-top', 'trash');
      await follow('#doaction');
    },
    'takes that back': ({ follow }) => follow('#message a[href*=untrash]'),
    'uploads a file with the old form': async ({ page, open, follow }) => {
      await open('/wp-admin/media-new.php?browser-uploader');
      await page.setInputFiles('#async-upload', {
        name: 'größer 1.png',
        mimeType: 'image/png',
        buffer: Buffer.from(PIXEL, 'base64'),
      });
      await follow('#html-upload');
      await page.waitForSelector('text=Showing');
    },
    'looks through the comments': ({ open }) => open('/wp-admin/edit-comments.php'),
    'approves a comment': async ({ page, press }) => {
      await press('#the-comment-list tr.unapproved .vim-a');
      // The row changes at once, the numbers with the response.
      await page.waitForSelector('.subsubsub .moderated .pending-count:text-is("0")');
    },
    'adds a user': async ({ page, open, follow }) => {
      await open('/wp-admin/user-new.php');
      await page.fill('#user_login', 'newcomer');
      await page.fill('#email', 'newcomer@example.com');
      await page.waitForFunction("document.querySelector('#pass1').value.length > 10");
      await page.fill('#pass1', 'long enough & with “letters”');
      await follow('#createusersub');
    },
    'saves the general settings': async ({ page, open, follow }) => {
      await open('/wp-admin/options-general.php');
      await page.fill('#blogdescription', 'Now with <em>markup</em> & more');
      await follow('#submit');
    },
    'sees the new words at the site': ({ open }) => open('/about/'),
    'changes the title in the customizer': async ({ page, open }) => {
      await open('/wp-admin/customize.php');
      await page.waitForFunction(
        "window.wp?.customize?.previewer !== undefined && window.wp.customize('blogname') !== undefined",
      );
      await page.waitForFunction("wp.customize.previewer.deferred?.active?.state() === 'resolved'");
      return evaluate(
        page,
        `wp.customize('blogname').set('A changed title');
        await new Promise((resolve, reject) => wp.customize.previewer.save().done(resolve).fail((problem) => reject(new Error(JSON.stringify(problem)))));
        return wp.customize('blogname').get();`,
      );
    },
    'sees the title at the site': ({ open }) => open('/'),
    'sees the price in the shop': ({ open }) => open('/shop/'),
    'signs out': ({ follow }) => follow('#wp-admin-bar-logout a'),
    'has forgotten the password': async ({ page, open, follow }) => {
      await open('/wp-login.php?action=lostpassword');
      await page.fill('#user_login', 'newcomer');
      await follow('#wp-submit');
    },
    'sets a new password by the link of the mail': async ({ page, open, readMail, origin, follow }) => {
      await open((await readMail()).replace(origin, ''));
      await page.fill('#pass1', 'a new & long “password”');
      await follow('#wp-submit');
    },
  },
  'a shopper': {
    'opens the shop': ({ open }) => open('/shop/'),
    'opens a product': ({ open }) => open('/product/product-2/'),
    'adds two of them to the cart': async ({ page, follow }) => {
      await page.fill('input[name=quantity]', '2');
      await follow('form.cart button');
    },
    'adds another by a script': async ({ page, open, read }) => {
      await open('/shop/');
      await page.click('.ajax_add_to_cart >> nth=2');
      await page.waitForSelector('text=Added');
      return read('#cart-count');
    },
    'adds one without a script, by a link': async ({ page, open }) => {
      const product = await page.getAttribute('.ajax_add_to_cart >> nth=1', 'data-product');
      await open(`/shop/?add-to-cart=${product}`);
    },
    'adds more than there are': async ({ page, open, follow }) => {
      await open('/product/product-1/');
      await page.fill('input[name=quantity]', '50');
      await follow('form.cart button');
    },
    'reads a post with a full cart': ({ open }) => open('/2024/01/post-2/'),
    'opens the cart': ({ open }) => open('/cart/'),
    'changes a quantity': async ({ page, follow }) => {
      await page.fill('#cart input[type=number] >> nth=0', '3');
      await follow('button[name=update_cart]');
    },
    'removes a product': ({ follow }) => follow('a.remove >> nth=1'),
    'takes that back': ({ follow }) => follow('#undo'),
    'goes to the checkout': ({ follow }) => follow('#to-checkout'),
    'uses a coupon by a script': async ({ page, read }) => {
      await page.fill('#coupon', 'ten');
      await page.click('#apply');
      await page.waitForFunction("document.querySelector('#messages').textContent !== ''");
      return read('#messages');
    },
    'has the total computed': async ({ page, read }) => {
      await page.click('#review');
      await page.waitForSelector('text=Reviewed');
      return read('#order-total');
    },
    'forgets the address': async ({ page, read }) => {
      await page.click('#place_order');
      await page.waitForSelector('text=required field');
      return read('#messages');
    },
    'orders, and creates an account': async ({ page, follow }) => {
      await page.fill('[name=billing_email]', 'shopper@example.com');
      await page.fill('[name=order_comments]', 'Ring twice & “wait”');
      await page.check('[name=createaccount]');
      await follow('#place_order');
    },
    'opens the account': ({ open }) => open('/my-account/'),
    'lists the orders': ({ open }) => open('/my-account/orders/'),
    'opens the order': ({ follow }) => follow('#orders a'),
    'orders the same again': ({ follow }) => follow('#again'),
    'opens an order of somebody else': ({ open }) => open('/my-account/view-order/1/'),
    'signs out': async ({ open, follow }) => {
      await open('/my-account/');
      await follow('#account a[href*=customer-logout]');
    },
    'signs in with a wrong password': (person) => signInToAccount(person, '/my-account/', 'wrong'),
    'signs in': (person) => signInToAccount(person, '/my-account/', 'secret of a customer'),
    'signs out again': async ({ open, follow }) => {
      await open('/my-account/');
      await follow('#account a[href*=customer-logout]');
    },
    'is asked to sign in for the orders, and sees them': (person) =>
      signInToAccount(person, '/my-account/orders/?from=mail', 'secret of a customer'),
  },
};

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** A feed without the times of its making. */
async function readFeed({ fetch }: Person, path: string): Promise<string> {
  return (await fetch(path)).replaceAll(/<(lastBuildDate|updated)>[^<]*/g, '');
}

async function comment({ open, page, follow }: Person, path: string, text: string): Promise<void> {
  await open(path);
  await page.fill('#comment', text);
  await page.fill('#author', 'Visitor');
  await page.fill('#email', 'visitor@example.com');
  await page.check('#wp-comment-cookies-consent');
  await follow('#commentform [type=submit]');
}

async function contact({ open, page, follow }: Person, path: string): Promise<void> {
  await open(path);
  await page.fill('[name=visitor]', 'Zoë & “friends”');
  await page.fill('[name=message]', 'One line,\nand another');
  await page.setInputFiles('[name=attachment]', {
    name: 'a.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('text'),
  });
  await follow('#contact button');
}

async function signIn({ page, follow }: Person, user: string, password: string): Promise<void> {
  await fillLogin(page, user, password);
  await follow('#wp-submit');
}

async function signInToAccount(
  { open, page, follow }: Person,
  path: string,
  password: string,
): Promise<void> {
  await open(path);
  await page.fill('#login [name=username]', 'shopper');
  await page.fill('#login [name=password]', password);
  await follow('#login button');
}

function evaluate(page: Page, body: string): Promise<string> {
  return page.evaluate(`(async () => { ${body} })()`);
}

/** Changes the post in the block editor. @returns what the site has stored of it */
function edit(page: Page, change: string, blocks: string | undefined, save: string): Promise<string> {
  return evaluate(
    page,
    `const { dispatch, select } = wp.data;
    dispatch('core/editor').${change};
    ${blocks === undefined ? '' : `dispatch('core/block-editor').${blocks};`}
    await dispatch('core/editor').${save};
    if (!select('core/editor').didPostSaveRequestSucceed()) throw new Error('not saved');
    const { id, link, status, title, content } = select('core/editor').getCurrentPost();
    return JSON.stringify({ id, link, status, title, content });`,
  );
}

/** What a gateway asks for itself: the index, and whether the sender of a write may edit. */
const QUESTIONS = ['/wp-json/?context=help', 'action=rest-nonce', '/wp/v2/types?context=edit'];
const HOST = 'shop.example.com';
const browser = useBrowser();
let direct: JourneyResult;
let through: JourneyResult;

/**
 * Starts a site that has the public name.
 *
 * @param secure the condition in PHP by which it knows that a client uses https
 */
async function startSite(origin: string, secure: string): Promise<WordPress> {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-journey-'));
  try {
    await cp(new URL('shop/mu-plugins', import.meta.url), folder, { recursive: true });
    await writeFile(
      join(folder, 'address.php'),
      `<?php const JOURNEY_ORIGIN = '${origin}'; const AUTOSAVE_INTERVAL = 3600;
      if (${secure}) $_SERVER['HTTPS'] = 'on';`,
    );
    const site = await startWordPress({ muPlugins: folder, testPlugins: true, theme: 'twentytwentyone' });
    closeAfterTest(site.stop);
    return site;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Ends TLS at a port, as a balancer does, and sends the bytes on to a server. */
async function endTls(port: number, url: string): Promise<void> {
  const proxy = createServer(createCertificate({ name: HOST }), (socket) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    for (const each of [socket, upstream]) each.on('error', () => {}).on('close', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await runServer(proxy, { port });
}

async function visitDirectly(): Promise<JourneyResult> {
  const port = await findFreePort();
  const origin = `https://${HOST}:${port}`;
  const site = await startSite(origin, `str_starts_with($_SERVER['HTTP_HOST'] ?? '', '${HOST}')`);
  await endTls(port, site.url);
  return performSteps(JOURNEY, { browser, origin, site });
}

async function visitThroughGateway(): Promise<JourneyResult> {
  const port = await findFreePort();
  const origin = `https://${HOST}:${port}`;
  const site = await startSite(origin, "($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https'");
  const gateway = openGateway({
    sites: [
      {
        url: site.url,
        hosts: [HOST],
        publicUrl: origin,
        passthrough: true,
        upstream: { host: `${HOST}:${port}` },
        validation: { mode: 'enforce' },
        cache: { pages: 60 },
      },
    ],
    cache: 'memory',
  });
  await gateway.rediscover();
  const server = await serve({ gateway, port: 0, settings: { shutdownGrace: 1_000 } });
  closeAfterTest(() => server.stop());
  await endTls(port, server.url);
  return performSteps(JOURNEY, { browser, origin, site });
}

beforeAll(async () => {
  [direct, through] = await Promise.all([visitDirectly(), visitThroughGateway()]);
}, 600_000);

describe.each(Object.entries(JOURNEY))('%s, through the gateway as directly,', (name, steps) => {
  test.each(Object.keys(steps))('%s', (sentence) => {
    const expected = direct.outcomes.get(`${name}: ${sentence}`);
    expect(expected?.failure).toBeUndefined();
    expect(through.outcomes.get(`${name}: ${sentence}`)).toEqual(expected);
  });
});

test('PHP is asked for nothing that it is not asked for directly', () => {
  const isQuestion = (line: string): boolean => QUESTIONS.some((question) => line.includes(question));
  const added = [...through.reads].filter((line) => !direct.reads.has(line) && !isQuestion(line));
  expect(added).toEqual([]);
});

test('both sites have stored the same in the end', () => {
  expect(through.rows).toEqual(direct.rows);
});

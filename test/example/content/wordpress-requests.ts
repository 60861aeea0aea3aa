/** The role of the user, or no user. */
export type Identity = 'anonymous' | 'subscriber' | 'editor' | 'administrator';

/** A request to `wp/v2` of WordPress and `core/v2` of the example site. `{name}` is a saved id. */
export interface ComparedRequest {
  readonly as: Identity;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly raw?: { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };
  /** The name under which the id of the response is saved. */
  readonly save?: string;
}

const ALL_IDENTITIES: readonly Identity[] = ['anonymous', 'subscriber', 'editor', 'administrator'];
const NEW = { title: 'Made in the test', content: 'Text' };
const TEXT = new TextEncoder().encode('plain\n');

const LINE =
  /^(?<as>[a-z,]+) (?<method>[A-Z]+) (?<paths>.*?)(?: file:(?<file>\S+))?(?<fields>(?: @\S+)*)(?<isNew> NEW)?(?: (?<json>\{(?:"|\}).*?))?(?: => (?<save>\w+))?$/;

/**
 * Parses a table: identities, method, and paths or queries of the last path (`/posts,/pages` are two), each of which is requested by
 * each identity. Then a body (`NEW` has a title and a text) or an upload with header fields, and the name of what is saved.
 *
 * @param png bytes of the uploads
 */
function parseRequests(table: string, png: Uint8Array = TEXT): readonly ComparedRequest[] {
  const lines = table
    .trim()
    .replaceAll(/\n {2}/g, '')
    .split('\n');
  return lines.flatMap((line) => {
    const found = LINE.exec(line)?.groups;
    if (found === undefined) throw new Error(`no request: ${line}`);
    const { as = '', fields = '', file, isNew, json, method = '', paths = '', save } = found;
    const identities =
      as === 'all' ? ALL_IDENTITIES : ALL_IDENTITIES.filter((each) => as.split(',').includes(each));
    const body = json === undefined && isNew === undefined ? undefined : JSON.parse(json ?? '{}');
    const rest = {
      ...(body === undefined ? {} : { json: isNew === undefined ? body : { ...NEW, ...body } }),
      ...(file === undefined ? {} : { raw: createUpload(file, fields, png) }),
      ...(save === undefined ? {} : { save }),
    };
    let bases: readonly string[] = [];
    return paths.split(' ').flatMap((path) => {
      const [base = '', query] = path.split(/(?=\?)(.*)/);
      if (base.startsWith('/')) bases = base.split(',');
      const own = path.startsWith('?') ? path : (query ?? '');
      return bases.flatMap((each) =>
        identities.map((identity) => ({ as: identity, method, path: each + own, ...rest })),
      );
    });
  });
}

function createUpload(file: string, fields: string, png: Uint8Array): NonNullable<ComparedRequest['raw']> {
  const isText = file.endsWith('.txt');
  const headers: Record<string, string> = {
    'content-type': isText ? 'text/plain' : 'image/png',
    'content-disposition': `attachment; filename=${isText ? file : `"${file}"`}`,
  };
  for (const field of fields.split(' @').slice(1)) {
    const [name = '', value = ''] = field.split('=');
    if (value === '') delete headers[name];
    else headers[name] = value;
  }
  return { bytes: isText ? TEXT : png, headers };
}

/** The requests that create the same entries on both sites: one of each status. */
export const SETUP_REQUESTS: readonly ComparedRequest[] = parseRequests(`
administrator POST /posts {"title":"Harbour 1",
  "content":"<!-- wp:paragraph -->\\n<p>Text of 1, by the sea.</p>\\n<!-- /wp:paragraph -->","excerpt":"",
  "status":"publish","date":"2024-01-01T12:00:00","categories":["{category2}"],"tags":["{tag1}"]} => post1
administrator POST /posts {"title":"Harbour 2",
  "content":"<!-- wp:paragraph -->\\n<p>Text of 2, by the sea.</p>\\n<!-- /wp:paragraph -->","excerpt":"Excerpt 2",
  "status":"publish","date":"2024-01-02T12:00:00","categories":["{category1}"],"tags":["{tag1}"]} => post2
administrator POST /posts {"title":"Harbour 3",
  "content":"<!-- wp:paragraph -->\\n<p>Text of 3, by the sea.</p>\\n<!-- /wp:paragraph -->","excerpt":"",
  "status":"publish","date":"2024-01-03T12:00:00","categories":["{category2}"],"tags":["{tag1}","{tag2}"]} => post3
administrator POST /posts {"title":"Harbour 4",
  "content":"<!-- wp:paragraph -->\\n<p>Text of 4, by the sea.</p>\\n<!-- /wp:paragraph -->","excerpt":"Excerpt 4",
  "status":"publish","date":"2024-01-04T12:00:00","categories":["{category1}"],"tags":["{tag1}"]} => post4
administrator POST /posts {"title":"Harbour 5",
  "content":"<!-- wp:paragraph -->\\n<p>Text of 5, by the sea.</p>\\n<!-- /wp:paragraph -->","excerpt":"",
  "status":"publish","date":"2024-01-05T12:00:00","categories":["{category2}"],"tags":["{tag1}"]} => post5
administrator POST /posts {"title":"Harbour 6",
  "content":"<!-- wp:paragraph -->\\n<p>Text of 6, by the sea.</p>\\n<!-- /wp:paragraph -->","excerpt":"Excerpt 6",
  "status":"publish","date":"2024-01-06T12:00:00","categories":["{category1}"],"tags":["{tag1}","{tag2}"]} => post6
administrator POST /posts {"title":"A draft","content":"Not yet"} => draft
administrator POST /posts {"title":"Pending","status":"pending"} => pending
administrator POST /posts {"title":"Private","status":"private"} => private
administrator POST /posts {"title":"Later","status":"future","date":"2099-01-01T00:00:00"} => future
administrator POST /posts {"title":"Locked","content":"Hidden","status":"publish","password":"secret",
  "date":"2024-02-01T00:00:00"} => locked
administrator POST /posts {"title":"On top","status":"publish","sticky":true,"date":"2024-02-02T00:00:00"} => sticky
administrator POST /posts {"title":"Thrown away","status":"publish","date":"2024-02-03T00:00:00"} => trashed
administrator DELETE /posts/{trashed}
administrator POST /posts {"title":"By the subscriber","status":"draft","author":"{subscriber}"} => others
administrator POST /pages {"title":"About","content":"About us","status":"publish","date":"2024-01-01T00:00:00",
  "menu_order":2} => page
administrator POST /pages {"title":"Team","status":"publish","parent":"{page}","date":"2024-01-02T00:00:00"}
   => child
administrator POST /pages {"title":"Unfinished page"} => pageDraft
administrator POST /posts/{post1} {"content":"Changed once"}
administrator POST /posts/{post1} {"title":"Changed twice"}
editor POST /posts/{post1}/autosaves {"title":"Aside","content":"Kept","excerpt":""} => autosave
administrator POST /pages/{page} {"content":"Changed page"}`);

export const LISTS: readonly ComparedRequest[] = parseRequests(`
anonymous,editor GET /posts,/pages ?per_page=2 ?per_page=2&page=2 ?page=99 ?per_page=0 ?per_page=101 ?per_page=abc
   ?page=0 ?context=embed ?context=edit ?context=all ?order=asc ?order=up ?offset=1 ?offset=99 ?offset=-1
   ?orderby=title ?orderby=relevance ?orderby=include ?orderby=nothing ?orderby=id&order=asc ?search=harbour
   ?search=nothing-like-it ?search=harbour&orderby=relevance ?after=2024-01-02T12:00:00 ?before=2024-01-02T12:00:00Z
   ?after=yesterday ?before=2024-13-45T00:00:00 ?modified_after=2020-01-01T00:00:00
   ?modified_before=2020-01-01T00:00:00 ?author={editor} ?author_exclude={administrator} ?author=x
   ?slug=harbour-1,about ?slug[]=harbour-2 ?include={post1},{page} ?include={post1}&orderby=include ?exclude={post1}
   ?include=abc ?status=publish ?status=draft ?status=any ?status=nonsense ?status[]=publish&status[]=private
   ?status= ?_fields=id,title ?_fields=title.rendered,_links ?per_page[]=3 ?search[]=x ?unknown=1
subscriber,administrator GET /posts ?context=edit ?status=private ?status=any ?status=trash
anonymous,editor GET /posts?categories={category1} ?categories={category1},{category2}&tags={tag2}&tax_relation=OR
   ?categories[terms]={category1} ?categories[terms][]={category1}&categories[operator]=AND
   ?categories[terms]={category1}&categories[include_children]=true ?categories[operator]=XOR ?categories[extra]=1
   ?tags_exclude={tag2} ?tags_exclude[terms]={tag2} ?tax_relation=NOR ?categories=abc ?sticky=true ?sticky=false
   ?sticky=maybe ?tags[include_children]=1 ?orderby=menu_order /pages?parent={page} ?parent_exclude={page}
   ?menu_order=2 ?menu_order=x ?orderby=menu_order ?orderby=parent ?parent=0`);

export const ITEMS: readonly ComparedRequest[] = parseRequests(`
all GET /posts/{post1} ?context=edit /posts/{draft} ?context=edit /posts/{pending} ?context=edit /posts/{private}
   ?context=edit /posts/{future} ?context=edit /posts/{locked} ?context=edit /posts/{trashed} ?context=edit
   /posts/{others} ?context=edit /pages/{child} /pages/{pageDraft} /pages/{page}?context=edit
anonymous,editor GET /posts/{locked}?password=secret ?password=wrong /posts/{post1}?password=x ?context=embed
   /posts/999999 /posts/0 /posts/{page} /pages/{post1} /posts/{post1}?context=x ?id={post2} /posts/abc
   /pages/{page}?context=embed /pages/999999 /posts/{post1}?password[]=a`);

export const VERSIONS: readonly ComparedRequest[] = parseRequests(`
all GET /posts/{post1}/revisions /posts/{post1}/autosaves /pages/{page}/revisions /pages/{page}/autosaves
anonymous,editor GET /posts/{post1}/revisions?per_page=1 ?per_page=1&page=2 ?page=99&per_page=1 ?offset=99
   ?offset=1 ?search=nowhere ?order=asc ?context=edit ?context=embed ?orderby=relevance ?orderby=include ?per_page=0
   ?orderby=author ?page=2
anonymous,subscriber,editor GET /posts/999999/revisions /posts/{page}/revisions /posts/{post1}/revisions/999999
   /posts/{post1}/autosaves/{autosave} /posts/{post2}/autosaves/1 /posts/999999/autosaves
   /posts/{post1}/autosaves?context=edit /posts/{post2}/revisions /posts/{post1}/revisions/{post2}
   /pages/{page}/autosaves/1`);

export const WRITES: readonly ComparedRequest[] = parseRequests(`
all POST /posts NEW
all POST /posts NEW {"status":"publish"}
all POST /posts NEW {"author":"{editor}"}
all POST /posts NEW {"sticky":true}
all POST /posts NEW {"status":"nonsense"}
all POST /pages NEW
all POST /pages NEW {"status":"private"}
all POST /pages NEW {"parent":999999}
editor POST /posts {}
editor POST /posts {"title":""}
editor POST /posts {"title":{"raw":"Raw"}}
editor POST /posts {"title":5}
editor POST /posts {"title":{"rendered":"x"}}
editor POST /posts {"content":{"raw":"Only content"}}
editor POST /posts NEW {"slug":"harbour-1","status":"publish"}
editor POST /posts NEW {"slug":"Ünï codé","status":"publish"}
editor POST /posts NEW {"id":5}
editor POST /posts NEW {"author":999999}
editor POST /posts NEW {"author":"x"}
editor POST /posts NEW {"date":"tomorrow"}
editor POST /posts NEW {"date":"2024-05-05T05:05:05","status":"publish"}
editor POST /posts NEW {"date":"2099-05-05T05:05:05","status":"publish"}
editor POST /posts NEW {"date_gmt":"2024-05-05T05:05:05"}
editor POST /posts NEW {"date":null}
editor POST /posts NEW {"status":"future"}
editor POST /posts NEW {"password":"x","sticky":true}
editor POST /posts NEW {"password":"x","status":"publish"}
editor POST /posts NEW {"format":"aside"}
editor POST /posts NEW {"format":"ballad"}
editor POST /posts NEW {"template":"nowhere.html"}
editor POST /posts NEW {"template":""}
editor POST /posts NEW {"comment_status":"closed","ping_status":"open"}
editor POST /posts NEW {"comment_status":"ajar"}
editor POST /posts NEW {"featured_media":999999}
editor POST /posts NEW {"categories":["{category1}",999999]}
editor POST /posts NEW {"categories":"x"}
editor POST /posts NEW {"tags":"{tag1},{tag2}"}
editor POST /posts NEW {"tags":[]}
editor POST /posts NEW {"meta":{}}
editor POST /posts NEW {"meta":"x"}
editor POST /posts NEW {"sticky":"perhaps"}
editor POST /posts NEW {"slug":null}
editor POST /posts NEW {"status":null}
editor POST /posts {"title":"T","content":null}
all POST /posts/{post2} {"title":"Changed"}
all POST /posts/{post2} {"author":"{administrator}"}
all POST /posts/{post2} {"sticky":true}
all POST /posts/{post2} {"status":"draft"}
all POST /posts/{post2} {"status":"publish"}
editor PUT /posts/{post3} {"title":"By PUT"}
editor PUT /posts/{post3} {}
editor PUT /posts/{post3} {"slug":"new-slug"}
editor PUT /posts/{post3} {"status":"private"}
editor PUT /posts/{post3} {"status":"publish"}
editor PATCH /posts/{post3} {"title":"By PATCH"}
editor PATCH /posts/{post3} {}
editor PATCH /posts/{post3} {"slug":"new-slug"}
editor PATCH /posts/{post3} {"status":"private"}
editor PATCH /posts/{post3} {"status":"publish"}
editor POST /posts/{post4} {"title":"","content":"","excerpt":""}
editor POST /posts/{post4} {"status":"x"}
editor POST /posts/{post4} {"author":999999}
editor POST /posts/{post4} {"date":"2020-01-01T00:00:00"}
editor POST /posts/{post4} {"date":null}
editor POST /posts/{post4} {"date_gmt":"x"}
editor POST /posts/{post4} {"password":"later"}
editor POST /posts/{post4} {"sticky":true}
editor POST /posts/{post4} {"password":""}
editor POST /posts/{post4} {"sticky":true}
editor POST /posts/{post4} {"password":"again"}
editor POST /posts/{post4} {"sticky":false}
editor POST /posts/{post4} {"template":"x"}
editor POST /posts/{post4} {"categories":[]}
editor POST /posts/{post4} {"status":"future","date":"2099-01-01T00:00:00"}
editor POST /posts/{post4} {"status":"publish","date":"2024-01-01T00:00:00"}
editor POST /posts/{post4} {"featured_media":0}
editor POST /posts/{post4} {"id":"{post5}","title":"Whose?"}
all POST /posts/999999 {"title":"None"}
editor POST /pages/{child} {"parent":0}
editor POST /pages/{child} {"parent":"{page}"}
editor POST /pages/{child} {"parent":999999}
editor POST /pages/{child} {"menu_order":7}
editor POST /pages/{child} {"menu_order":"x"}
editor POST /pages/{child} {"status":"draft"}
editor POST /pages/{child} {"status":"publish"}
editor POST /posts/{trashed} {"title":"From the trash"}
editor POST /posts/{trashed} {"status":"trash"}
editor POST /posts/{trashed} {"status":"publish"}
all POST /posts/{draft}/autosaves {"title":"Saved draft"}
all POST /posts/{post1}/autosaves {"title":"Set aside","content":"x","excerpt":""}
all POST /posts/{post1}/autosaves {"title":"Set aside","content":"y","excerpt":""}
all POST /posts/{post1}/autosaves {"status":"x"}
editor POST /posts/999999/autosaves NEW
editor POST /pages/{page}/autosaves {"content":"Another text","title":"About","excerpt":""}
editor GET /posts/{post1}/revisions?per_page=1&order=asc => revision
all GET /posts/{post1}/revisions/{revision}
editor GET /posts/{post1}/revisions/{revision}?context=edit
all DELETE /posts/{post1}/revisions/{revision}
editor DELETE /posts/{post1}/revisions/{revision}?force=true ?force=true
all DELETE /posts/{post5}
editor DELETE /posts/{post5}?force=perhaps
all DELETE /posts/{post5}?force=true /pages/{child}?force=true
editor DELETE /posts/999999
editor GET /posts`);

/** Uploads are pictures of the test, and a text. */
const MEDIA = `
administrator POST /media file:sea.png => image
editor POST /media file:notes.txt => text
all POST /media file:again.png
all POST /media
editor POST /media file:evil.php
editor POST /media file:none
editor POST /media file:none @content-disposition=
editor POST /media file:none @content-disposition=inline
editor POST /media file:hash.png @content-md5=wrong
anonymous,editor GET /media ?context=edit ?context=embed ?media_type=image ?mime_type=image/png
   ?media_type=nothing ?status=private ?status=publish ?parent=0 ?search=sea ?per_page=1 ?page=99 ?orderby=include
   ?status=trash ?author={editor}
all GET /media/{image} /media/{text} /media/{image}?context=edit ?context=embed /media/{post1} /media/999999
all POST /media/{image} {"alt_text":"The sea"}
all POST /media/{image} {"caption":"Calm","description":{"raw":"Water"}}
all POST /media/{image} {"title":"Sea"}
all POST /media/{image} {"post":"{post1}"}
editor PATCH /media/{image} {"post":"{image}"}
editor PATCH /media/{image} {"author":999999}
editor PATCH /media/{image} {"status":"private"}
editor PATCH /media/{image} {"status":"publish"}
editor PATCH /media/{image} {"slug":"the-sea"}
editor PATCH /media/{image} {"date":"2024-01-01T00:00:00"}
anonymous,editor POST /media/{image}/post-process {"action":"create-image-subsizes"}
anonymous,editor POST /media/{image}/post-process {}
anonymous,editor POST /media/{image}/post-process {"action":"melt"}
subscriber,editor POST /media/{image}/edit {}
subscriber,editor POST /media/{image}/edit {"src":"http://example.com/x.png","modifiers":[{"type":"rotate",
  "args":{"angle":90}}]}
subscriber,editor POST /media/{image}/edit {"src":"http://example.com/x.png","modifiers":[]}
subscriber,editor POST /media/{image}/edit {"src":"http://example.com/x.png","modifiers":[{"type":"melt",
  "args":{}}]}
subscriber,editor POST /media/{image}/edit {"src":"{source:image}","modifiers":[{"type":"rotate",
  "args":{"angle":90}}]}
subscriber,editor POST /media/{image}/edit {"src":"{source:image}","modifiers":[{"type":"crop","args":{"left":0,
  "top":0,"width":50,"height":50}}]}
subscriber,editor POST /media/{image}/edit {"src":"{source:text}","modifiers":[{"type":"rotate",
  "args":{"angle":90}}]}
all DELETE /media/{text} ?force=true`;

export function mediaRequests(png: Uint8Array): readonly ComparedRequest[] {
  return parseRequests(MEDIA, png);
}

/** Calls of the operations that every site has. */
export const SERVER_CALLS: string = `
stranger GET / -> 401 incorrect_password
anonymous POST /batch/v1 {} -> 400 rest_missing_callback_param
anonymous GET /oembed/1.0/embed -> 400 rest_missing_callback_param
anonymous GET /oembed/1.0/embed?url=http://example.com/ -> 200
editor GET /oembed/1.0/proxy?url=http://example.com/&maxwidth=400 -> 200
anonymous GET /oembed/1.0?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /oembed/1.0 -> 200 {"namespace":"oembed/1.0","routes":{"/oembed/1.0":{"methods":["GET"]}}}
anonymous GET /oembed/1.0/proxy?url=http://example.com/ -> 401 rest_forbidden`;

/** Calls of an entry, by the collection and the address of one. */
const entryCalls = (
  all: string,
  one: string,
): string => `editor POST ${all} {"title":"New","status":"draft"} -> 201
anonymous POST ${all} {"title":"New"} -> 401 rest_cannot_create
subscriber POST ${all} {"title":"New"} -> 403 rest_cannot_create
editor POST ${all} {} -> 400 empty_content
editor POST ${all} {"id":5,"title":"New"} -> 400 rest_post_exists
editor POST ${all} {"title":"New","date":"tomorrow"} -> 400 rest_invalid_param
editor POST ${all} { -> 400 rest_invalid_json
editor <POST|PUT|PATCH> ${one} {"title":"Another title"} -> 200
editor <POST|PUT|PATCH> ${one} {"status":"gone"} -> 400 rest_invalid_param
editor <POST|PUT|PATCH> ${one} {"author":999} -> 400 rest_invalid_author
anonymous <POST|PUT|PATCH> ${one} {"title":"Mine"} -> 401 rest_cannot_edit
subscriber <POST|PUT|PATCH> ${one} {"title":"Mine"} -> 403 rest_cannot_edit
editor DELETE ${one} -> 200
editor DELETE ${one} -> 410 rest_already_trashed
anonymous DELETE ${one} -> 401 rest_cannot_delete
editor DELETE ${one}?force=true -> 200
editor DELETE ${one} -> 404 rest_post_invalid_id
+ editor POST ${one} {"title":"Changed"}
+ editor GET ${one}/revisions => 0.id
editor GET ${one}/revisions -> 200
+ editor POST ${one} {"title":"Changed"}
+ editor GET ${one}/revisions => 0.id
editor GET ${one}/revisions/{saved} -> 200
subscriber GET ${one}/revisions/{saved} -> 403 rest_cannot_read
editor GET ${one}/revisions/{saved}?context=all -> 400 rest_invalid_param
+ editor POST ${one} {"title":"Changed"}
+ editor GET ${one}/revisions => 0.id
anonymous DELETE ${one}/revisions/{saved}?force=true -> 401 rest_cannot_read
editor DELETE ${one}/revisions/{saved}?force=true -> 200
editor DELETE ${one}/revisions/{saved}?force=true -> 404 rest_post_invalid_id
editor POST ${one}/autosaves {"content":"Kept aside"} -> 201
anonymous POST ${one}/autosaves {"content":"Kept aside"} -> 401 rest_cannot_edit
editor POST ${one}/autosaves {"status":"gone"} -> 400 rest_invalid_param
+ editor POST ${one}/autosaves {"content":"Kept aside"} => id
editor GET ${one}/autosaves/{saved} -> 200
anonymous GET ${one}/autosaves/{saved} -> 401 rest_cannot_read
anonymous GET ${all}?per_page=101 -> 400 rest_invalid_param
anonymous GET ${all}?page=999 -> 400 rest_post_invalid_page_number
subscriber GET ${all}?status=draft -> 400 rest_invalid_param
anonymous GET ${all}?orderby=relevance -> 400 rest_no_search_term_defined
anonymous GET ${all}?orderby=include -> 400 rest_orderby_include_missing_include
anonymous GET ${one}?password=wrong -> 403 rest_post_incorrect_password
anonymous GET ${all}/999999 -> 404 rest_post_invalid_id
anonymous GET <${all}?per_page=3&orderby=title&order=asc|${one}> -> 200
anonymous GET <${all}?context=edit|${one}?context=edit> -> 401 rest_forbidden_context
editor GET <${one}?context=edit|${one}/autosaves> -> 200
anonymous GET <${one}/revisions|${one}/autosaves> -> 401 rest_cannot_read`;

/** Calls of every operation of the content site, and their responses. */
export const CONTENT_CALLS: string = `
anonymous GET /<ext-a/v1|v1|ai/v1|core/v2>?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /<ext-a/v1|v1|ai/v1|core/v2> -> 200 {"namespace":"<ext-a/v1|v1|ai/v1|core/v2>"}
anonymous GET / -> 200 {"name":"Harbour Notes","routes":{"/batch/v1":{"methods":["POST"]}}}
editor POST /batch/v1 {"requests":[{"path":"/core/v2/posts","body":{"title":"By the dozen"}}]}
   -> 207 {"responses":[{"status":201}]}
editor POST /ext-a/v1/upload file:sea.png -> 201
editor PUT /ext-a/v1/upload file:sea.png -> 200
anonymous <POST|PUT> /ext-a/v1/upload file:sea.png -> 401 rest_forbidden
anonymous GET /ext-a/v1/admin-access/abc -> 200 {"granted":true}
editor POST /ext-a/v1/abilities/content/search-posts/run {"input":{"query":"pier"}} -> 201
editor POST /ext-a/v1/abilities/content/search-posts/run {"input":1} -> 400 rest_invalid_param
editor POST /ext-a/v1/visual-safe-backend-tools/discover -> 201
editor POST /ext-a/v1/visual-safe-backend-tools/call {"name":"site/describe"} -> 201
anonymous POST </ext-a/v1/abilities/a/b/run|/ext-a/v1/visual-safe-backend-tools/call> -> 401 rest_forbidden
editor POST /ext-a/v1/chat/sessions {"title":"Plans"} -> 201
+ editor POST /ext-a/v1/chat/sessions {"title":"About boats"} => id
editor GET /ext-a/v1/chat/sessions/{saved} -> 200 {"title":"About boats"}
editor GET /ext-a/v1/chat/sessions/none -> 404 rest_post_invalid_id
+ editor POST /ext-a/v1/chat/sessions => id
editor <POST|PUT|PATCH> /ext-a/v1/chat/sessions/{saved} {"title":"About boats"} -> 200 {"title":"About boats"}
anonymous <POST|PUT|PATCH> /ext-a/v1/chat/sessions/none {"title":"Not mine"} -> 401 rest_forbidden
+ editor POST /ext-a/v1/chat/sessions => id
editor DELETE /ext-a/v1/chat/sessions/{saved} -> 200
editor DELETE /ext-a/v1/chat/sessions/{saved} -> 404 rest_post_invalid_id
editor POST </ext-a/v1/chat/model-step|/ext-a/v1/chat/consent|/ext-a/v1/chat/tools/execute|
  /ext-a/v1/chat/approvals> {"session":"a"} -> 201
anonymous POST </ext-a/v1/chat/model-step|/ext-a/v1/chat/tools/execute|/ext-a/v1/chat/approvals> -> 401 rest_forbidden
editor POST /core/v2/media file:sea.png -> 201
anonymous POST /core/v2/media file:sea.png -> 401 rest_cannot_create
editor POST /core/v2/media file:sea.png @content-disposition= -> 400 rest_upload_no_content_disposition
editor POST /core/v2/media file:sea.png @content-disposition=inline -> 400 rest_upload_invalid_disposition
editor POST /core/v2/media file:sea.png @content-disposition=attachment;%20filename=a.php
   -> 500 rest_upload_sideload_error
editor <POST|PUT|PATCH> /core/v2/media/1 {"alt_text":"The sea","caption":"Seen from the pier"} -> 200
anonymous <POST|PUT|PATCH> /core/v2/media/1 {"alt_text":"The sea"} -> 401 rest_cannot_edit
editor DELETE /core/v2/media/1 -> 501 rest_trash_not_supported
anonymous DELETE /core/v2/media/1?force=true -> 401 rest_cannot_delete
editor DELETE /core/v2/media/1?force=true -> 200
editor POST /core/v2/media/1/post-process {"action":"create-image-subsizes"} -> 200
editor POST /core/v2/media/1/post-process {"action":"melt"} -> 400 rest_invalid_param
anonymous POST /core/v2/media/1/post-process {"action":"create-image-subsizes"} -> 401 rest_cannot_edit
editor POST /core/v2/media/1/edit {"src":"http://example.com/wp-content/uploads/2024/01/market-hall-in-fog.png",
  "modifiers":[{"type":"rotate","args":{"angle":90}}]} -> 200
editor POST /core/v2/media/1/edit {"src":"http://example.com/else.png","modifiers":[{"type":"melt","args":{}}]}
   -> 400 rest_invalid_param
anonymous POST /core/v2/media/1/edit {"src":"http://example.com/else.png"} -> 401 rest_cannot_edit
administrator POST /ext-a/v1/admin-access -> 201
editor POST /ext-a/v1/admin-access -> 403 rest_forbidden
editor POST /v1/fm/cancel -> 201
editor GET /ai/v1/providers -> 400 rest_missing_callback_param
editor GET /ai/v1/providers?capability=taste -> 400 rest_invalid_param
anonymous GET /core/v2/media?media_type=sculpture -> 400 rest_invalid_param
anonymous GET /core/v2/media?context=edit -> 401 rest_forbidden_context
editor POST /core/v2/media -> 400 rest_upload_no_data
subscriber GET /core/v2/media/1?context=edit -> 403 rest_forbidden_context
anonymous GET </ext-a/v1/chat/status|/ext-a/v1/chat/sessions|/ext-a/v1/chat/tools|
  /ext-a/v1/chat/models|/ai/v1/providers?capability=vision> -> 401 rest_forbidden
anonymous POST </ext-a/v1/visual-safe-backend-tools/discover|/ext-a/v1/chat/sessions|/ext-a/v1/chat/consent|
  /v1/fm/cancel> -> 401 rest_forbidden
editor GET </ext-a/v1/chat/status|/ext-a/v1/chat/sessions|/ext-a/v1/chat/tools|/ext-a/v1/chat/models|
  /ai/v1/providers?capability=vision> -> 200
subscriber GET </ext-a/v1/chat/status|/ext-a/v1/chat/sessions|/ext-a/v1/chat/tools|
  /ext-a/v1/chat/models> -> 403 rest_forbidden
subscriber POST </ext-a/v1/chat/sessions|/ext-a/v1/chat/consent> -> 403 rest_forbidden
anonymous GET </core/v2/media?media_type=image&per_page=2|/core/v2/media/1> -> 200
editor POST </core/v2/media/1/post-process|/core/v2/media/1/edit> -> 400 rest_missing_callback_param
${entryCalls('/core/v2/posts', '/core/v2/posts/296')}
${entryCalls('/core/v2/pages', '/core/v2/pages/53')}`;

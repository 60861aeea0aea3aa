/** Calls of every operation of the content site, and their responses. `{page}` is the address of a post. */
export const CONTENT_CALLS: string = `
stranger GET / -> 401 incorrect_password
anonymous GET / -> 200 {"name":"Harbour Notes","routes":{"/batch/v1":{"methods":["POST"]}}}
anonymous GET /oembed/1.0?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /oembed/1.0 -> 200 {"namespace":"oembed/1.0","routes":{"/oembed/1.0":{"methods":["GET"]}}}
anonymous GET /ext-a/v1?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /ext-a/v1 -> 200 {"namespace":"ext-a/v1","routes":{"/ext-a/v1":{"methods":["GET"]}}}
anonymous GET /v1?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /v1 -> 200 {"namespace":"v1","routes":{"/v1":{"methods":["GET"]}}}
anonymous GET /ai/v1?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /ai/v1 -> 200 {"namespace":"ai/v1","routes":{"/ai/v1":{"methods":["GET"]}}}
anonymous GET /core/v2?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /core/v2 -> 200 {"namespace":"core/v2","routes":{"/core/v2":{"methods":["GET"]}}}
anonymous POST /batch/v1 {} -> 400 rest_missing_callback_param
editor POST /batch/v1 {"requests":[{"path":"/core/v2/posts","body":{"title":"By the dozen"}}]}
   -> 207 {"responses":[{"status":201}]}
anonymous GET /oembed/1.0/embed -> 400 rest_missing_callback_param
anonymous GET /oembed/1.0/embed?url={page} -> 200 {"version":"1.0","type":"rich","width":600}
anonymous GET /oembed/1.0/proxy?url={page} -> 401 rest_forbidden
editor GET /oembed/1.0/proxy?url={page}&maxwidth=400 -> 200 {"type":"rich"}
editor POST /ext-a/v1/upload file:sea.png -> 201
editor POST /ext-a/v1/upload -> 400 rest_upload_no_data
anonymous POST /ext-a/v1/upload file:sea.png -> 401 rest_forbidden
editor PUT /ext-a/v1/upload file:sea.png -> 201
editor PUT /ext-a/v1/upload -> 400 rest_upload_no_data
anonymous PUT /ext-a/v1/upload file:sea.png -> 401 rest_forbidden
administrator POST /ext-a/v1/admin-access -> 201
editor POST /ext-a/v1/admin-access -> 403 rest_forbidden
+ administrator POST /ext-a/v1/admin-access => nonce
anonymous GET /ext-a/v1/admin-access/{saved} -> 200
anonymous GET /ext-a/v1/admin-access/{saved} -> 410 ext_a_access_used
anonymous GET /ext-a/v1/admin-access/made-up -> 404 ext_a_access_unknown
subscriber POST /ext-a/v1/abilities/content/search-posts/run {"input":{"query":"pier"}} -> 200
subscriber POST /ext-a/v1/abilities/content/search-posts/run {"input":{}} -> 400 rest_invalid_param
anonymous POST /ext-a/v1/abilities/content/search-posts/run {"input":{"query":"pier"}} -> 401 ext_a_ability_forbidden
editor POST /ext-a/v1/visual-safe-backend-tools/discover {"query":"count"} -> 200
anonymous POST /ext-a/v1/visual-safe-backend-tools/discover -> 401 rest_forbidden
editor POST /ext-a/v1/visual-safe-backend-tools/call {"name":"site/describe"} -> 200
editor POST /ext-a/v1/visual-safe-backend-tools/call -> 400 ext_a_missing_parameter
editor POST /ext-a/v1/visual-safe-backend-tools/call {"name":"site/erase"} -> 404 ext_a_tool_not_found
editor POST /ext-a/v1/visual-safe-backend-tools/call {"name":"content/create-draft","arguments":{"title":"x"}}
   -> 403 ext_a_tool_not_safe
editor GET /ext-a/v1/chat/status -> 200
subscriber GET /ext-a/v1/chat/status -> 403 rest_forbidden
anonymous GET /ext-a/v1/chat/status -> 401 rest_forbidden
editor GET /ext-a/v1/chat/sessions -> 200
subscriber GET /ext-a/v1/chat/sessions -> 403 rest_forbidden
anonymous GET /ext-a/v1/chat/sessions -> 401 rest_forbidden
editor POST /ext-a/v1/chat/sessions {"title":"Plans"} -> 201
subscriber POST /ext-a/v1/chat/sessions -> 403 rest_forbidden
anonymous POST /ext-a/v1/chat/sessions -> 401 rest_forbidden
+ editor POST /ext-a/v1/chat/consent {"granted":true}
+ editor POST /ext-a/v1/chat/sessions => id
editor GET /ext-a/v1/chat/sessions/{saved} -> 200
administrator GET /ext-a/v1/chat/sessions/{saved} -> 404 ext_a_session_not_found
+ editor POST /ext-a/v1/chat/consent {"granted":true}
+ editor POST /ext-a/v1/chat/sessions => id
editor POST /ext-a/v1/chat/sessions/{saved} {"title":"About boats","archived":true} -> 200
editor POST /ext-a/v1/chat/sessions/{saved} {"title":""} -> 400 ext_a_invalid_parameter
administrator POST /ext-a/v1/chat/sessions/{saved} {"title":"Not mine"} -> 404 ext_a_session_not_found
+ editor POST /ext-a/v1/chat/consent {"granted":true}
+ editor POST /ext-a/v1/chat/sessions => id
editor PUT /ext-a/v1/chat/sessions/{saved} {"title":"About boats","archived":true} -> 200
editor PUT /ext-a/v1/chat/sessions/{saved} {"title":""} -> 400 ext_a_invalid_parameter
administrator PUT /ext-a/v1/chat/sessions/{saved} {"title":"Not mine"} -> 404 ext_a_session_not_found
+ editor POST /ext-a/v1/chat/consent {"granted":true}
+ editor POST /ext-a/v1/chat/sessions => id
editor PATCH /ext-a/v1/chat/sessions/{saved} {"title":"About boats","archived":true} -> 200
editor PATCH /ext-a/v1/chat/sessions/{saved} {"title":""} -> 400 ext_a_invalid_parameter
administrator PATCH /ext-a/v1/chat/sessions/{saved} {"title":"Not mine"} -> 404 ext_a_session_not_found
+ editor POST /ext-a/v1/chat/consent {"granted":true}
+ editor POST /ext-a/v1/chat/sessions => id
editor DELETE /ext-a/v1/chat/sessions/{saved} -> 200
editor DELETE /ext-a/v1/chat/sessions/{saved} -> 404 ext_a_session_not_found
editor POST /ext-a/v1/chat/model-step -> 400 ext_a_missing_parameter
editor POST /ext-a/v1/chat/model-step {"session":"made-up","message":"Hello"} -> 404 ext_a_session_not_found
anonymous POST /ext-a/v1/chat/model-step {"session":"made-up"} -> 401 rest_forbidden
editor GET /ext-a/v1/chat/tools -> 200
subscriber GET /ext-a/v1/chat/tools -> 403 rest_forbidden
anonymous GET /ext-a/v1/chat/tools -> 401 rest_forbidden
editor GET /ext-a/v1/chat/models -> 200
subscriber GET /ext-a/v1/chat/models -> 403 rest_forbidden
anonymous GET /ext-a/v1/chat/models -> 401 rest_forbidden
editor POST /ext-a/v1/chat/consent {"granted":true} -> 200
subscriber POST /ext-a/v1/chat/consent -> 403 rest_forbidden
anonymous POST /ext-a/v1/chat/consent -> 401 rest_forbidden
editor POST /ext-a/v1/chat/tools/execute -> 400 ext_a_missing_parameter
editor POST /ext-a/v1/chat/tools/execute {"session":"made-up","call":"made-up"} -> 404 ext_a_session_not_found
editor POST /ext-a/v1/chat/approvals -> 400 ext_a_missing_parameter
editor POST /ext-a/v1/chat/approvals {"session":"made-up","call":"made-up","decision":"approve"}
   -> 404 ext_a_session_not_found
editor POST /v1/fm/cancel -> 200
anonymous POST /v1/fm/cancel -> 401 rest_forbidden
editor GET /ai/v1/providers?capability=vision -> 200
editor GET /ai/v1/providers -> 400 rest_missing_callback_param
editor GET /ai/v1/providers?capability=taste -> 400 rest_invalid_param
anonymous GET /ai/v1/providers?capability=vision -> 401 rest_forbidden
anonymous GET /core/v2/posts?per_page=3&orderby=title&order=asc -> 200
anonymous GET /core/v2/posts?per_page=101 -> 400 rest_invalid_param
anonymous GET /core/v2/posts?page=999 -> 400 rest_post_invalid_page_number
anonymous GET /core/v2/posts?context=edit -> 401 rest_forbidden_context
subscriber GET /core/v2/posts?status=draft -> 400 rest_invalid_param
anonymous GET /core/v2/posts?orderby=relevance -> 400 rest_no_search_term_defined
anonymous GET /core/v2/posts?orderby=include -> 400 rest_orderby_include_missing_include
editor POST /core/v2/posts {"title":"New","status":"draft"} -> 201
anonymous POST /core/v2/posts {"title":"New"} -> 401 rest_cannot_create
subscriber POST /core/v2/posts {"title":"New"} -> 403 rest_cannot_create
editor POST /core/v2/posts {} -> 400 empty_content
editor POST /core/v2/posts {"id":5,"title":"New"} -> 400 rest_post_exists
editor POST /core/v2/posts {"title":"New","date":"tomorrow"} -> 400 rest_invalid_param
editor POST /core/v2/posts { -> 400 rest_invalid_json
anonymous GET /core/v2/posts/296 -> 200
editor GET /core/v2/posts/296?context=edit -> 200
anonymous GET /core/v2/posts/296?context=edit -> 401 rest_forbidden_context
anonymous GET /core/v2/posts/296?password=wrong -> 403 rest_post_incorrect_password
anonymous GET /core/v2/posts/999999 -> 404 rest_post_invalid_id
editor POST /core/v2/posts/296 {"title":"Another title"} -> 200
editor POST /core/v2/posts/296 {"status":"gone"} -> 400 rest_invalid_param
editor POST /core/v2/posts/296 {"author":999} -> 400 rest_invalid_author
anonymous POST /core/v2/posts/296 {"title":"Mine"} -> 401 rest_cannot_edit
subscriber POST /core/v2/posts/296 {"title":"Mine"} -> 403 rest_cannot_edit
editor PUT /core/v2/posts/296 {"title":"Another title"} -> 200
editor PUT /core/v2/posts/296 {"status":"gone"} -> 400 rest_invalid_param
editor PUT /core/v2/posts/296 {"author":999} -> 400 rest_invalid_author
anonymous PUT /core/v2/posts/296 {"title":"Mine"} -> 401 rest_cannot_edit
subscriber PUT /core/v2/posts/296 {"title":"Mine"} -> 403 rest_cannot_edit
editor PATCH /core/v2/posts/296 {"title":"Another title"} -> 200
editor PATCH /core/v2/posts/296 {"status":"gone"} -> 400 rest_invalid_param
editor PATCH /core/v2/posts/296 {"author":999} -> 400 rest_invalid_author
anonymous PATCH /core/v2/posts/296 {"title":"Mine"} -> 401 rest_cannot_edit
subscriber PATCH /core/v2/posts/296 {"title":"Mine"} -> 403 rest_cannot_edit
editor DELETE /core/v2/posts/296 -> 200
editor DELETE /core/v2/posts/296 -> 410 rest_already_trashed
anonymous DELETE /core/v2/posts/296 -> 401 rest_cannot_delete
editor DELETE /core/v2/posts/296?force=true -> 200
editor DELETE /core/v2/posts/296 -> 404 rest_post_invalid_id
+ editor POST /core/v2/posts/296 {"title":"Changed"}
+ editor GET /core/v2/posts/296/revisions => 0.id
editor GET /core/v2/posts/296/revisions -> 200
editor GET /core/v2/posts/296/revisions?page=50&per_page=1 -> 400 rest_revision_invalid_page_number
editor GET /core/v2/posts/296/revisions?offset=50 -> 400 rest_revision_invalid_offset_number
anonymous GET /core/v2/posts/296/revisions -> 401 rest_cannot_read
+ editor POST /core/v2/posts/296 {"title":"Changed"}
+ editor GET /core/v2/posts/296/revisions => 0.id
editor GET /core/v2/posts/296/revisions/{saved} -> 200
subscriber GET /core/v2/posts/296/revisions/{saved} -> 403 rest_cannot_read
editor GET /core/v2/posts/296/revisions/{saved}?context=all -> 400 rest_invalid_param
+ editor POST /core/v2/posts/296 {"title":"Changed"}
+ editor GET /core/v2/posts/296/revisions => 0.id
editor DELETE /core/v2/posts/296/revisions/{saved} -> 501 rest_trash_not_supported
anonymous DELETE /core/v2/posts/296/revisions/{saved}?force=true -> 401 rest_cannot_delete
editor DELETE /core/v2/posts/296/revisions/{saved}?force=true -> 200
editor DELETE /core/v2/posts/296/revisions/{saved}?force=true -> 404 rest_post_invalid_id
editor GET /core/v2/posts/296/autosaves -> 200
anonymous GET /core/v2/posts/296/autosaves -> 401 rest_cannot_read
editor POST /core/v2/posts/296/autosaves {"content":"Kept aside"} -> 200
anonymous POST /core/v2/posts/296/autosaves {"content":"Kept aside"} -> 401 rest_cannot_edit
editor POST /core/v2/posts/296/autosaves {"status":"gone"} -> 400 rest_invalid_param
+ editor POST /core/v2/posts/296/autosaves {"content":"Kept aside"} => id
editor GET /core/v2/posts/296/autosaves/{saved} -> 200
anonymous GET /core/v2/posts/296/autosaves/{saved} -> 401 rest_cannot_read
anonymous GET /core/v2/pages?per_page=3&orderby=title&order=asc -> 200
anonymous GET /core/v2/pages?per_page=101 -> 400 rest_invalid_param
anonymous GET /core/v2/pages?page=999 -> 400 rest_post_invalid_page_number
anonymous GET /core/v2/pages?context=edit -> 401 rest_forbidden_context
subscriber GET /core/v2/pages?status=draft -> 400 rest_invalid_param
anonymous GET /core/v2/pages?orderby=relevance -> 400 rest_no_search_term_defined
anonymous GET /core/v2/pages?orderby=include -> 400 rest_orderby_include_missing_include
editor POST /core/v2/pages {"title":"New","status":"draft"} -> 201
anonymous POST /core/v2/pages {"title":"New"} -> 401 rest_cannot_create
subscriber POST /core/v2/pages {"title":"New"} -> 403 rest_cannot_create
editor POST /core/v2/pages {} -> 400 empty_content
editor POST /core/v2/pages {"id":5,"title":"New"} -> 400 rest_post_exists
editor POST /core/v2/pages {"title":"New","date":"tomorrow"} -> 400 rest_invalid_param
editor POST /core/v2/pages { -> 400 rest_invalid_json
anonymous GET /core/v2/pages/53 -> 200
editor GET /core/v2/pages/53?context=edit -> 200
anonymous GET /core/v2/pages/53?context=edit -> 401 rest_forbidden_context
anonymous GET /core/v2/pages/53?password=wrong -> 403 rest_post_incorrect_password
anonymous GET /core/v2/pages/999999 -> 404 rest_post_invalid_id
editor POST /core/v2/pages/53 {"title":"Another title"} -> 200
editor POST /core/v2/pages/53 {"status":"gone"} -> 400 rest_invalid_param
editor POST /core/v2/pages/53 {"author":999} -> 400 rest_invalid_author
anonymous POST /core/v2/pages/53 {"title":"Mine"} -> 401 rest_cannot_edit
subscriber POST /core/v2/pages/53 {"title":"Mine"} -> 403 rest_cannot_edit
editor PUT /core/v2/pages/53 {"title":"Another title"} -> 200
editor PUT /core/v2/pages/53 {"status":"gone"} -> 400 rest_invalid_param
editor PUT /core/v2/pages/53 {"author":999} -> 400 rest_invalid_author
anonymous PUT /core/v2/pages/53 {"title":"Mine"} -> 401 rest_cannot_edit
subscriber PUT /core/v2/pages/53 {"title":"Mine"} -> 403 rest_cannot_edit
editor PATCH /core/v2/pages/53 {"title":"Another title"} -> 200
editor PATCH /core/v2/pages/53 {"status":"gone"} -> 400 rest_invalid_param
editor PATCH /core/v2/pages/53 {"author":999} -> 400 rest_invalid_author
anonymous PATCH /core/v2/pages/53 {"title":"Mine"} -> 401 rest_cannot_edit
subscriber PATCH /core/v2/pages/53 {"title":"Mine"} -> 403 rest_cannot_edit
editor DELETE /core/v2/pages/53 -> 200
editor DELETE /core/v2/pages/53 -> 410 rest_already_trashed
anonymous DELETE /core/v2/pages/53 -> 401 rest_cannot_delete
editor DELETE /core/v2/pages/53?force=true -> 200
editor DELETE /core/v2/pages/53 -> 404 rest_post_invalid_id
+ editor POST /core/v2/pages/53 {"title":"Changed"}
+ editor GET /core/v2/pages/53/revisions => 0.id
editor GET /core/v2/pages/53/revisions -> 200
editor GET /core/v2/pages/53/revisions?page=50&per_page=1 -> 400 rest_revision_invalid_page_number
editor GET /core/v2/pages/53/revisions?offset=50 -> 400 rest_revision_invalid_offset_number
anonymous GET /core/v2/pages/53/revisions -> 401 rest_cannot_read
+ editor POST /core/v2/pages/53 {"title":"Changed"}
+ editor GET /core/v2/pages/53/revisions => 0.id
editor GET /core/v2/pages/53/revisions/{saved} -> 200
subscriber GET /core/v2/pages/53/revisions/{saved} -> 403 rest_cannot_read
editor GET /core/v2/pages/53/revisions/{saved}?context=all -> 400 rest_invalid_param
+ editor POST /core/v2/pages/53 {"title":"Changed"}
+ editor GET /core/v2/pages/53/revisions => 0.id
editor DELETE /core/v2/pages/53/revisions/{saved} -> 501 rest_trash_not_supported
anonymous DELETE /core/v2/pages/53/revisions/{saved}?force=true -> 401 rest_cannot_delete
editor DELETE /core/v2/pages/53/revisions/{saved}?force=true -> 200
editor DELETE /core/v2/pages/53/revisions/{saved}?force=true -> 404 rest_post_invalid_id
editor GET /core/v2/pages/53/autosaves -> 200
anonymous GET /core/v2/pages/53/autosaves -> 401 rest_cannot_read
editor POST /core/v2/pages/53/autosaves {"content":"Kept aside"} -> 200
anonymous POST /core/v2/pages/53/autosaves {"content":"Kept aside"} -> 401 rest_cannot_edit
editor POST /core/v2/pages/53/autosaves {"status":"gone"} -> 400 rest_invalid_param
+ editor POST /core/v2/pages/53/autosaves {"content":"Kept aside"} => id
editor GET /core/v2/pages/53/autosaves/{saved} -> 200
anonymous GET /core/v2/pages/53/autosaves/{saved} -> 401 rest_cannot_read
anonymous GET /core/v2/media?media_type=image&per_page=2 -> 200
anonymous GET /core/v2/media?media_type=sculpture -> 400 rest_invalid_param
anonymous GET /core/v2/media?context=edit -> 401 rest_forbidden_context
editor POST /core/v2/media file:sea.png -> 201
anonymous POST /core/v2/media file:sea.png -> 401 rest_cannot_create
editor POST /core/v2/media -> 400 rest_upload_no_data
editor POST /core/v2/media file:sea.png @content-disposition= -> 400 rest_upload_no_content_disposition
editor POST /core/v2/media file:sea.png @content-disposition=inline -> 400 rest_upload_invalid_disposition
editor POST /core/v2/media file:sea.png @content-md5=no -> 412 rest_upload_hash_mismatch
editor POST /core/v2/media file:sea.png @content-disposition=attachment;%20filename=a.php
   -> 500 rest_upload_sideload_error
anonymous GET /core/v2/media/1 -> 200
subscriber GET /core/v2/media/1?context=edit -> 403 rest_forbidden_context
editor POST /core/v2/media/1 {"alt_text":"The sea","caption":"Seen from the pier"} -> 200
anonymous POST /core/v2/media/1 {"alt_text":"The sea"} -> 401 rest_cannot_edit
editor PUT /core/v2/media/1 {"alt_text":"The sea","caption":"Seen from the pier"} -> 200
anonymous PUT /core/v2/media/1 {"alt_text":"The sea"} -> 401 rest_cannot_edit
editor PATCH /core/v2/media/1 {"alt_text":"The sea","caption":"Seen from the pier"} -> 200
anonymous PATCH /core/v2/media/1 {"alt_text":"The sea"} -> 401 rest_cannot_edit
editor DELETE /core/v2/media/1 -> 501 rest_trash_not_supported
anonymous DELETE /core/v2/media/1?force=true -> 401 rest_cannot_delete
editor DELETE /core/v2/media/1?force=true -> 200
editor POST /core/v2/media/1/post-process {"action":"create-image-subsizes"} -> 200
editor POST /core/v2/media/1/post-process -> 400 rest_missing_callback_param
editor POST /core/v2/media/1/post-process {"action":"melt"} -> 400 rest_invalid_param
anonymous POST /core/v2/media/1/post-process {"action":"create-image-subsizes"} -> 401 rest_cannot_edit
editor POST /core/v2/media/1/edit {"src":"http://example.com/wp-content/uploads/2024/01/market-hall-in-fog.png",
  "modifiers":[{"type":"rotate","args":{"angle":90}}]} -> 201
editor POST /core/v2/media/1/edit -> 400 rest_missing_callback_param
editor POST /core/v2/media/1/edit {"src":"http://example.com/else.png","modifiers":[{"type":"rotate",
  "args":{"angle":90}}]} -> 404 rest_unknown_attachment
editor POST /core/v2/media/1/edit {"src":"http://example.com/else.png","modifiers":[{"type":"melt","args":{}}]}
   -> 400 rest_invalid_param
anonymous POST /core/v2/media/1/edit {"src":"http://example.com/else.png"} -> 401 rest_cannot_edit_image`;

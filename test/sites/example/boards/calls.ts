/**
 * Calls of every operation of the boards, and their responses. Paths are below `/boards/v2`. `{labelled}` is a task with a label,
 * and `{its_label}` that label.
 */
export const BOARD_CALLS: string = `
anonymous GET /projects?orderby=title&order=asc -> 200 [{"title":"Editorial calendar"},{"title":"Product roadmap"}]
subscriber POST /projects {"title":"Summer"} -> 403 rest_cannot_create
editor POST /projects {"title":"Summer","stages":["Now","Later"],"folder_id":1} -> 201 {"title":"Summer",
  "role":"manager","stages":[{"title":"Now","position":1},{"title":"Later","default_status":"closed"}]}
subscriber GET /projects/get-default-board-colors -> 200 [{"name":"Indigo","value":"#4c6ef5"}]
editor GET /projects/list-of-boards?type=roadmap -> 200 [{"id":3,"title":"Product roadmap","type":"roadmap"}]
subscriber GET /projects/user-accessible-boards?per_page=1 -> 200 [{"status":"active"}]
subscriber GET /projects/currencies -> 200 [{"code":"AUD","symbol":"A$"}]
editor GET /projects/user-admin-in-boards -> 200 [{"id":1},{"id":3},{"id":6}]
editor GET /projects/recent-boards -> 200 [{"id":1},{"id":2}]
admin GET /projects/pinned-boards?limit=1 -> 200 [{"id":1,"is_pinned":true}]
editor GET /projects/crm-associated-boards/4?per_page=2 -> 200 [{},{}]
subscriber POST /projects/onboard {} -> 403 rest_cannot_create
editor POST /projects/onboard {} -> 201 {"title":"My first board","stage_count":5}
subscriber PUT /projects/skip-onboarding -> 200 {"status":"skipped"}
anonymous GET /projects/3 -> 200 {"title":"Product roadmap","role":null,"members":[],"created_by":null}
subscriber PUT /projects/1 {"title":"Mine"} -> 403 rest_forbidden
editor PUT /projects/1 {"title":"Relaunch","currency":"CHF","color":"#000"} -> 200 {"title":"Relaunch",
  "currency":"CHF","background":{"color":"#000"}}
editor DELETE /projects/2 -> 403 rest_forbidden
editor DELETE /projects/1 -> 200 {"deleted":true,"previous":{"id":1}}
subscriber GET /projects/1/has-data-changed?since=2020-01-01T00:00:00Z -> 200 {"changed":true}
editor PUT /projects/1/update-board-properties {"property":"currency","value":"DEM"} -> 400 rest_invalid_param
editor PUT /projects/1/update-board-properties {"property":"currency","value":"JPY"} -> 200 {"currency":"JPY"}
subscriber PUT /projects/4/pin-board -> 200 {"id":4,"is_pinned":true}
admin PUT /projects/1/unpin-board -> 200 {"is_pinned":false}
editor PUT /projects/1/archive-board -> 200 {"status":"archived"}
admin PUT /projects/8/restore-board -> 200 {"status":"active","archived_at":null}
subscriber POST /projects/1/duplicate-board {} -> 403 rest_cannot_create
editor POST /projects/1/duplicate-board {} -> 201 {"id":9,"title":"Website relaunch (copy)","stage_count":5}
editor POST /projects/1/import-from-board {"source_board_id":5} -> 400 rest_invalid_param
editor POST /projects/1/import-from-board {"source_board_id":3} -> 200 {"stage_count":9}
editor PUT /projects/1/upload/background {"image_id":9} -> 404 image_not_found
editor PUT /projects/1/upload/background {"color":"#fff"} -> 200 {"background":{"is_image":false,"color":"#fff",
  "image_url":null}}
editor POST /projects/1/upload/background-image file:evil.png=text -> 400 rest_upload_unknown_type
editor POST /projects/1/upload/background-image file:beach.PNG -> 201 {"name":"beach.png","mime_type":"image/png",
  "size":70}
subscriber GET /projects/1/users?role=viewer -> 200 [{"id":10,"name":"Ingrid Dahl","role":"viewer"}]
editor POST /projects/1/user/5/remove -> 200 {"removed":true,"user":{"id":5}}
editor POST /projects/3/add-members {"user_ids":[99]} -> 400 rest_invalid_param
editor POST /projects/3/add-members {"user_ids":[11],"role":"viewer"} -> 200 {"members":[{},{},{},{},{"id":11,
  "role":"viewer"}]}
subscriber GET /projects/2/assignees -> 200 [{"id":1,"name":"Ada Lindqvist"}]
subscriber GET /projects/1/activities?action=created&subject=board -> 200
   [{"text":"created the board “Website relaunch”"}]
subscriber PUT /projects/1/toggle-public-access {} -> 403 rest_forbidden
editor PUT /projects/1/toggle-public-access {} -> 200 {"enabled":true}
editor GET /projects/3/public-access-settings -> 200 {"enabled":true}
anonymous GET /projects/3/board-menu-items -> 200 [{"key":"tasks"},{"key":"labels"}]
subscriber GET /projects/1/notification-settings -> 200 {"board_id":1,"mentioned":true,"overrides":[]}
subscriber PUT /projects/1/update-notification-settings {"mentioned":"maybe"} -> 400 rest_invalid_param
subscriber PUT /projects/1/update-notification-settings {"mentioned":false} -> 200 {"mentioned":false,
  "overrides":["mentioned"]}
subscriber POST /projects/1/crm-contact {"contact_id":1} -> 409 contact_exists
subscriber POST /projects/1/crm-contact {"contact_id":8} -> 201 {"id":8,"name":"Owen Hughes"}
subscriber GET /projects/2/crm-contacts -> 200 [{"id":4,"company":"Torrefazione Bianchi"}]
subscriber DELETE /projects/1/crm-contact/8 -> 404 contact_not_found
subscriber DELETE /projects/1/crm-contact/1 -> 200 {"deleted":true,"previous":{"id":1}}
anonymous GET /projects/4/labels?search=urg -> 200 [{"title":"Urgent","background_color":"#e03131"}]
subscriber POST /projects/1/labels {"background_color":"red"} -> 400 rest_invalid_param
subscriber POST /projects/1/labels {"title":"New","background_color":"#123456"} -> 201 {"title":"New",
  "color":"#ffffff","task_count":0}
subscriber GET /projects/1/labels/used-in-tasks -> 200 [{"board_id":1}]
subscriber POST /projects/1/labels/task {"task_id":1,"label_id":99} -> 400 rest_invalid_param
subscriber POST /projects/1/labels/task {"task_id":1,"label_id":2} -> 200 {"id":1}
subscriber PUT /projects/1/labels/first {"title":"Now"} -> 404 label_not_found
subscriber PUT /projects/1/labels/1 {"title":"Now"} -> 200 {"id":1,"title":"Now","background_color":"#e03131"}
subscriber DELETE /projects/2/labels/7 -> 403 rest_forbidden
subscriber DELETE /projects/1/labels/1 -> 200 {"deleted":true,"previous":{"id":1}}
subscriber GET /projects/1/tasks/{labelled}/labels -> 200 [{"board_id":1}]
subscriber DELETE /projects/1/tasks/1/labels/99 -> 404 label_not_found
subscriber DELETE /projects/1/tasks/{labelled}/labels/{its_label} -> 200
subscriber PUT /projects/1/stage-move-all-task {"from_stage_id":2,"to_stage_id":2} -> 400 rest_invalid_param
subscriber PUT /projects/1/stage-move-all-task {"from_stage_id":2,"to_stage_id":4} -> 200 {"to_stage_id":4}
editor POST /projects/1/stage-create {"title":""} -> 400 rest_invalid_param
editor POST /projects/1/stage-create {"title":"Next","position":2,"task_limit":3,"default_status":"open"} -> 201
   {"title":"Next","slug":"next","position":2,"task_limit":3,"default_status":"open"}
subscriber PUT /projects/1/stage/1/sort-task {"orderby":"mood"} -> 400 rest_invalid_param
subscriber PUT /projects/1/stage/1/sort-task {"orderby":"priority","order":"desc"} -> 200 {"stage_id":1}
subscriber PUT /projects/1/stage/1/archive-all-task -> 200 {"stage_id":1}
subscriber PUT /projects/1/re-position-stages {"stage_ids":[5,4,3,2]} -> 400 rest_invalid_param
subscriber PUT /projects/1/re-position-stages {"stage_ids":[5,4,3,2,1]} -> 200 {"stages":[{"id":5,"position":1},
  {"id":4,"position":2},{"id":3,"position":3},{"id":2,"position":4},{"id":1,"position":5}]}
editor PUT /projects/1/update-stage/backlog {"title":"Ideas"} -> 404 stage_not_found
editor PUT /projects/1/update-stage/1 {"title":"Ideas","default_status":null} -> 200 {"title":"Ideas",
  "slug":"backlog"}
editor PUT /projects/1/update-stage-property/1 {"property":"task_limit","value":0} -> 400 rest_invalid_param
editor PUT /projects/1/update-stage-property/1 {"property":"task_limit","value":12} -> 200 {"task_limit":12}
editor PUT /projects/1/archive-stage/2 -> 200 {"position":0,"task_count":0}
anonymous PUT /projects/3/stage-view/12 {} -> 401 rest_forbidden
subscriber PUT /projects/1/stage-view/1 {} -> 200 {"is_folded":true}
editor PUT /projects/1/restore-stage/6 {"position":1} -> 200 {"id":6,"position":1,"archived_at":null}
subscriber PUT /projects/1/drag-stage {"stage_id":1} -> 400 rest_missing_callback_param
subscriber PUT /projects/1/drag-stage {"stage_id":1,"position":3} -> 200 {"stages":[{"id":2,"position":1},{"id":3,
  "position":2},{"id":1,"position":3},{"id":4,"position":4},{"id":5,"position":5}]}
subscriber GET /projects/1/archived-stages -> 200 [{"id":6,"title":"Someday"}]
subscriber GET /projects/1/stage-task-available-positions/6 -> 200 {"stage_id":6,"positions":[1]}
admin GET /admin/feature-modules -> 200 {"modules":{"crm":true,"mcp":false},"plugins":{"mcp-adapter":false}}
admin POST /admin/feature-modules {"crm":"perhaps"} -> 400 rest_invalid_param
admin POST /admin/feature-modules {"crm":false} -> 200 {"modules":{"crm":false,"reports":true}}
admin POST /admin/feature-modules/install-plugin {"plugin":"shop"} -> 400 rest_invalid_param
admin POST /admin/feature-modules/install-plugin {"plugin":"mcp-adapter"} -> 200 {"plugin":"mcp-adapter",
  "installed":true}
admin GET /admin/general-settings -> 200 {"default_currency":"EUR"}
admin POST /admin/general-settings {"board_creators":"nobody"} -> 400 rest_invalid_param
admin POST /admin/general-settings {"board_creators":"everyone"} -> 200 {"board_creators":"everyone",
  "default_currency":"EUR"}
admin GET /admin/mcp/status -> 200 {"enabled":false,"adapter_installed":false,"endpoint":null}
editor POST /admin/mcp/toggle {} -> 403 rest_forbidden
admin POST /admin/mcp/toggle {} -> 200 {"enabled":true,"endpoint":null}
admin POST /admin/mcp/install-adapter -> 200 {"adapter_installed":true}
admin GET /admin/mcp/config-snippet?client=vscode -> 200 {"client":"vscode","file":".vscode/mcp.json"}
admin GET /admin/pages?search=road -> 200 [{"id":2,"title":"Roadmap"}]
subscriber GET /admin/folders -> 200 [{"title":"Customers","board_ids":[1,6]},{"title":"In the house",
  "board_ids":[]},{"board_ids":[3,7]}]
admin POST /admin/folders {} -> 400 rest_missing_callback_param
admin POST /admin/folders {"title":"New"} -> 201 {"id":4,"title":"New","board_ids":[]}
editor GET /admin/folders/1 -> 200 {"id":1,"board_ids":[1,6]}
editor PUT /admin/folders/1 {} -> 403 rest_forbidden
admin PUT /admin/folders/1 {"color":"#abc"} -> 200 {"title":"Customers","color":"#abc"}
admin DELETE /admin/folders/9 -> 404 folder_not_found
admin DELETE /admin/folders/1 -> 200 {"deleted":true}
editor POST /admin/folders/1/add-board {"board_id":2} -> 403 rest_forbidden
admin POST /admin/folders/1/add-board {"board_id":2} -> 200 {"board_ids":[1,6,2]}
admin POST /admin/folders/1/remove-board {"board_id":77} -> 400 rest_invalid_param
admin POST /admin/folders/1/remove-board {"board_id":1} -> 200 {"board_ids":[6]}
admin GET /ai/settings -> 200 {"enabled":true,"max_words":200}
admin POST /ai/settings {"max_words":0} -> 400 rest_invalid_param
admin POST /ai/settings {"enabled":false,"max_words":20} -> 200 {"enabled":false,"max_words":20}
subscriber GET /tasks/task-tabs/config -> 200 {"tabs":["comments","activities","time-tracks"]}
subscriber POST /tasks/task-tabs/config {"tabs":["comments","comments"]} -> 400 rest_invalid_param
subscriber POST /tasks/task-tabs/config {"tabs":["activities","comments"]} -> 200 {"tabs":["activities","comments"]}
subscriber GET /member-associated-users/3 -> 200 [{"id":1,"shared_board_count":5}]
subscriber GET /ajax-options?option_key=users&search=mira -> 200 [{"id":4,"title":"Mira Novak"}]
anonymous POST /update-global-notification-settings {} -> 401 rest_not_logged_in
subscriber POST /update-global-notification-settings {"due_soon":false} -> 200 {"due_soon":false,"mentioned":true}
subscriber GET /get-global-notification-settings -> 200 {"due_soon":true,"task_created":false}
subscriber PUT /update-dashboard-view-settings {"layout":"spiral"} -> 400 rest_invalid_param
subscriber PUT /update-dashboard-view-settings {"layout":"list","widgets":["my_tasks"]} -> 200 {"layout":"list",
  "sort":"recent","widgets":["my_tasks"]}
subscriber GET /get-dashboard-view-settings -> 200 {"layout":"grid","show_archived":false}
admin POST /projects/1/tasks {"title":"Sweep the floor","assignees":[12]} -> 400 rest_invalid_param
admin POST /projects/1/tasks {"title":"Sweep the floor","assignees":[2],"labels":[1]} -> 201
admin POST /projects/1/tasks/create-task-from-image file:notes.png=text -> 400 rest_upload_unknown_type
admin POST /projects/1/tasks/create-task-from-image file:White%20board.png -> 201
admin PUT /projects/1/tasks/4 {"title":"Another title","stage_id":2,"position":1} -> 200
admin DELETE /projects/1/tasks/999999 -> 404 task_not_found
admin DELETE /projects/1/tasks/4 -> 200
admin DELETE /projects/1/tasks/1/support-ticket -> 404 ticket_not_found
admin DELETE /projects/1/tasks/21/support-ticket -> 200
admin POST /projects/1/tasks/4/dates {"starts_at":"2026-03-05T09:00:00Z","due_at":"2026-03-04T17:00:00Z"}
   -> 400 rest_invalid_param
admin POST /projects/1/tasks/4/dates {"starts_at":"2026-03-02T09:00:00Z","due_at":"2026-03-04T17:00:00+01:00"} -> 200
admin PUT /projects/1/tasks/4/move-task {"stage_id":7} -> 400 rest_invalid_param
admin PUT /projects/1/tasks/4/move-task {"stage_id":4,"position":1} -> 200
admin POST /projects/1/tasks/bulk-actions {"action":"set-priority","task_ids":[4]} -> 400 rest_invalid_param
admin POST /projects/1/tasks/bulk-actions {"action":"set-priority","priority":"low","task_ids":[4,999999]} -> 200
admin PUT /projects/1/bulk-restore-tasks {"task_ids":[]} -> 400 rest_invalid_param
admin PUT /projects/1/bulk-restore-tasks {"task_ids":[9]} -> 200
subscriber DELETE /projects/1/bulk-delete-tasks {"task_ids":[9]} -> 403 rest_forbidden
admin DELETE /projects/1/bulk-delete-tasks {"task_ids":[9]} -> 200
admin POST /projects/1/tasks/update-cover-photo/4 {"color":"yellow"} -> 400 rest_invalid_param
admin POST /projects/1/tasks/update-cover-photo/4 {"color":"#ffd43b"} -> 200
admin POST /projects/1/tasks/status-update/4 {"status":"done"} -> 400 rest_invalid_param
admin POST /projects/1/tasks/status-update/4 {"status":"closed"} -> 200
anonymous POST /projects/1/tasks/4/ai-assist -> 401 rest_forbidden
admin POST /projects/1/tasks/4/ai-assist -> 200 {"task_id":4,"suggestions":{"priority":"urgent"}}
admin POST /projects/1/tasks/4/ai-apply-suggestions {"priority":"very"} -> 400 rest_invalid_param
admin POST /projects/1/tasks/4/ai-apply-suggestions {"priority":"urgent"} -> 200 {"priority":"urgent"}
admin POST /projects/1/tasks/4/clone-task {"stage_id":6} -> 400 rest_invalid_param
admin POST /projects/1/tasks/4/clone-task {"title":"Once more"} -> 201 {"title":"Once more"}
admin POST /projects/1/tasks/4/comment-image-upload file:White%20board.png -> 201
admin POST /projects/1/tasks/4/task-cover-image-upload file:notes.png=text -> 400 rest_upload_unknown_type
admin POST /projects/1/tasks/4/task-cover-image-upload file:White%20board.png -> 200
anonymous POST /projects/1/tasks/4/core-editor-media-file-upload file:White%20board.png -> 401 rest_forbidden
admin POST /projects/1/tasks/4/core-editor-media-file-upload file:White%20board.png -> 201
admin POST /projects/1/tasks/4/comments {"content":"  "} -> 400 rest_invalid_param
admin POST /projects/1/tasks/4/comments {"content":"Looks good","privacy":"private"} -> 201
subscriber PUT /projects/1/tasks/comments/1 {"content":"Mine now"} -> 403 rest_forbidden
admin PUT /projects/1/tasks/comments/1 {"content":"Better words"} -> 200
admin DELETE /projects/2/tasks/comments/1 -> 404 comment_not_found
admin DELETE /projects/1/tasks/comments/1 -> 200
admin PUT /projects/1/tasks/comments/1/privacy {"privacy":"private"} -> 200
subscriber PUT /projects/1/tasks/reply/1 {"content":"Mine now"} -> 403 rest_forbidden
admin PUT /projects/1/tasks/reply/1 {"content":"Better words"} -> 200
admin DELETE /projects/1/tasks/reply/107 -> 404 reply_not_found
admin DELETE /projects/1/tasks/reply/1 -> 200
admin POST /projects/1/tasks/1/time-tracks {"billable":"perhaps"} -> 400 rest_invalid_param
admin POST /projects/1/tasks/1/time-tracks {"note":"Reading"} -> 201
admin POST /projects/1/tasks/1/time-tracks/estimated-time {"estimated_minutes":90} -> 200 {"estimated_minutes":90}
+ admin POST /projects/1/tasks/1/time-tracks
admin PUT /projects/1/tasks/1/time-tracks/commit/1 -> 409 track_committed
admin PUT /projects/1/tasks/1/time-tracks/commit/165 {"minutes":25} -> 200
subscriber DELETE /projects/1/tasks/1/time-tracks/1 -> 403 rest_forbidden
admin DELETE /projects/1/tasks/1/time-tracks/1 -> 200
anonymous POST /roadmaps/3/ideas {"title":"A dark theme"} -> 401 rest_not_logged_in
subscriber POST /roadmaps/3/ideas {"title":"A dark theme"} -> 201
admin POST /roadmaps/3/ideas/73/comments {"content":""} -> 400 rest_invalid_param
subscriber POST /roadmaps/3/ideas/73/comments {"content":"Yes please"} -> 201
anonymous DELETE /roadmaps/idea/comments/91 -> 401 rest_not_logged_in
admin DELETE /roadmaps/idea/comments/91 -> 200
admin POST /roadmaps/idea/comments/999999/replies {"content":"Hello"} -> 404 comment_not_found
admin POST /roadmaps/idea/comments/93/replies {"content":"Among us"} -> 201
admin POST /roadmaps/vote-idea/73 {"vote":false} -> 409 not_voted
admin POST /roadmaps/3/idea/73/change-stage {"stage_id":1} -> 400 rest_invalid_param
admin POST /roadmaps/3/idea/73/change-stage {"stage_id":14} -> 200
admin POST /admin/roadmap/settings {"allow_votes":"perhaps"} -> 400 rest_invalid_param
admin POST /admin/roadmap/settings {"allow_votes":false} -> 200 {"allow_votes":false}
admin POST /admin/roadmap/page-settings {"page_id":99} -> 400 rest_invalid_param
admin POST /admin/roadmap/page-settings {"page_id":3,"title":"Ideas"} -> 200 {"page_id":3,"title":"Ideas"}
anonymous GET /projects?per_page=0 -> 400 rest_invalid_param
editor GET /projects/crm-associated-boards/99 -> 404 contact_not_found
anonymous PUT /projects/skip-onboarding -> 401 rest_not_logged_in
admin PUT /projects/none/unpin-board -> 404 board_not_found
subscriber POST /projects/1/user/5/remove -> 403 rest_forbidden
subscriber GET /projects/1/activities?from=2026-02-30 -> 400 rest_invalid_param
subscriber GET /projects/1/tasks/100/labels -> 404 task_not_found
subscriber PUT /projects/1/stage/99/archive-all-task -> 404 stage_not_found
editor PUT /projects/1/restore-stage/99 -> 404 stage_not_found
subscriber GET /projects/1/stage-task-available-positions/7 -> 404 stage_not_found
editor POST /admin/mcp/install-adapter -> 403 rest_forbidden
editor GET /admin/folders/9 -> 404 folder_not_found
admin GET /projects/999999/tasks -> 404 board_not_found
admin GET /projects/1/tasks/stage-page -> 400 rest_missing_callback_param
admin PUT /projects/1/tasks/9/move-to-next-stage -> 409 task_archived
admin POST /projects/1/tasks/4/comment-image-upload -> 400 rest_upload_no_data
admin PUT /projects/1/tasks/comments/1/privacy -> 400 rest_missing_callback_param
admin POST /projects/1/tasks/1/time-tracks/estimated-time -> 400 rest_missing_callback_param
admin GET /roadmaps/3/stages/nowhere/ideas -> 404 stage_not_found
admin GET /roadmaps/1/ideas/1 -> 404 roadmap_not_found
admin GET /tasks/crm-associated-tasks/99 -> 404 contact_not_found
anonymous GET /tasks/stage/1 -> 404 task_not_found
subscriber GET /reports/tasks?board_ids[]=1 -> 200
anonymous GET </projects/get-default-board-colors|/projects/user-accessible-boards|/projects/currencies|
  /projects/user-admin-in-boards|/projects/pinned-boards|/admin/folders|/tasks/task-tabs/config|
  /get-global-notification-settings|/get-dashboard-view-settings|/projects/timesheet/by-users|/tasks/top-in-boards|
  /reports/timesheet|/reports/activity> -> 401 rest_not_logged_in
editor GET </projects/list-of-boards?type=scrum|/projects/recent-boards?limit=51> -> 400 rest_invalid_param
anonymous GET </projects/1|/projects/3/users|/projects/3/public-access-settings|/projects/2/board-menu-items|
  /projects/4/crm-contacts|/projects/abc/labels|/projects/3/archived-stages|/admin/mcp/status|
  /projects/1/tasks/archived|/projects/1/tasks/4/comments-and-activities|/projects/1/tasks/1/time-tracks|
  /roadmaps/7/popular-ideas|/admin/roadmap/page-settings> -> 401 rest_forbidden
subscriber GET </projects/1/has-data-changed|/ajax-options> -> 400 rest_missing_callback_param
subscriber PUT </projects/5/pin-board|/projects/1/archive-board|/projects/1/archive-stage/2|
  /projects/2/tasks/1> -> 403 rest_forbidden
anonymous PUT </projects/8/restore-board|/projects/1/tasks/4/pin> -> 401 rest_forbidden
editor GET </projects/5/assignees|/admin/feature-modules|/admin/pages|/ai/settings|
  /admin/roadmap/settings> -> 403 rest_forbidden
subscriber GET </projects/4/notification-settings|/projects/5/labels/used-in-tasks|/admin/general-settings|
  /member-associated-users/2|/reports/tasks?board_ids[]=5> -> 403 rest_forbidden
admin GET </admin/mcp/config-snippet?client=ed|/projects/1/tasks/filtered?due=soon|
  /projects/1/tasks/table?orderby=colour|/projects/1/tasks/by-stage?per_stage=0|
  /projects/1/archived-tasks?per_page=101|/projects/1/tasks/4/activities?action=slept|
  /projects/timesheet/by-tasks?from=2026-02-30|/roadmaps/3/day-wise-ideas?from=2026-03-02&to=2026-03-01|
  /tasks/boards-by-type/circle|/global-search?search=t|/reports/overview?to=now|
  /reports/roadmap?board_ids[]=0> -> 400 rest_invalid_param
admin GET </projects/1/tasks|/projects/1/tasks/filtered?search=the&due=overdue&priorities[]=high&orderby=due|
  /projects/1/tasks/table?orderby=priority&order=desc|/projects/1/tasks/by-stage|
  /projects/1/tasks/stage-page?stage_id=1|/projects/1/tasks/archived|/projects/1/archived-tasks|/projects/1/tasks/4|
  /projects/1/tasks/4/activities|/projects/1/tasks/4/comments-and-activities|/projects/1/tasks/4/comments|
  /projects/1/tasks/1/time-tracks|/projects/timesheet/by-tasks?from=2025-01-01&board_ids[]=1|
  /projects/timesheet/by-users|/admin/roadmap/settings|/admin/roadmap/page-settings|/tasks/top-in-boards?per_board=2|
  /tasks/crm-associated-tasks/1|/tasks/stage/1|/tasks/boards-by-type/roadmap|/global-search?search=the&kinds[]=task|
  /reports/timesheet|/reports/overview?from=2026-01-01&to=2026-03-02|/reports/activity|/reports/roadmap> -> 200
admin GET </projects/1/tasks/999999|/projects/1/tasks/0/comments> -> 404 task_not_found
admin PUT </projects/1/tasks/4/move-to-next-stage|/projects/1/tasks/4/pin> -> 200
anonymous POST </projects/1/tasks/4/assign-yourself|/projects/1/tasks/4/detach-yourself|
  /projects/1/tasks/4/remove-task-cover> -> 401 rest_forbidden
admin POST </projects/1/tasks/4/assign-yourself|/projects/1/tasks/4/detach-yourself|
  /projects/1/tasks/4/remove-task-cover|/roadmaps/vote-idea/73> -> 200
anonymous GET </roadmaps/3/stages/planned/ideas?orderby=popular|/roadmaps/3/ideas/translate-time-tracks-as-a-table|
  /roadmaps/3/day-wise-ideas|/roadmaps/3/popular-ideas> -> 200`;

/** Calls of operations outside of the namespace. */
export const BOARD_SERVER_CALLS: string = `
anonymous GET / -> 200 {"name":"Example Boards","routes":{"/batch/v1":{"methods":["POST"]}}}
anonymous GET /boards/v2?namespace=nowhere/v1 -> 404 rest_invalid_namespace
anonymous GET /boards/v2 -> 200 {"namespace":"boards/v2","routes":{"/boards/v2":{"methods":["GET"]}}}
editor POST /batch/v1 {"requests":[{"path":"/boards/v2/projects","body":{"title":"By the dozen"}}]}
   -> 207 {"responses":[{"status":400}]}`;

/* eslint-disable */
/*
 * The REST interface of Example Boards.
 *
 * Made by waygate from what the site says of itself. Do not edit: generate it anew.
 *
 *     import createClient from "openapi-fetch";
 *     import type { paths } from "./this-file";
 *
 *     const site = createClient<paths>({ baseUrl: "https://example.com/wp-json" });
 */

// ── Paths ────────────────────────────────────────────────────────────────────────────────────────

export interface paths {
  "/": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index */
    get: operations["getIndex"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/batch/v1": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Run a batch */
    post: operations["runBatch"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/oembed/1.0": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index of oembed/1.0 */
    get: operations["getOembed10Index"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/oembed/1.0/embed": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the embed */
    get: operations["getOembed10Embed"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/oembed/1.0/proxy": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the proxy */
    get: operations["getOembed10Proxy"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index of boards/v2 */
    get: operations["getBoardsV2Index"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project task time tracks */
    get: operations["listBoardsV2ProjectTaskTimeTracks"];
    /** Create a project task time track */
    post: operations["createBoardsV2ProjectTaskTimeTrack"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/estimated-time": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a project task time track estimated time */
    post: operations["createBoardsV2ProjectTaskTimeTracksEstimatedTime"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit/{track_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Commit a project task time track */
    put: operations["commitBoardsV2ProjectTaskTimeTrack"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/{track_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Delete a project task time track */
    delete: operations["deleteBoardsV2ProjectTaskTimeTrack"];
    get?: never; put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/timesheet/by-tasks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project timesheets by tasks */
    get: operations["listBoardsV2ProjectsTimesheetByTasks"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/timesheet/by-users": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project timesheets by users */
    get: operations["listBoardsV2ProjectsTimesheetByUsers"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/{board_id}/stages/{stage_id}/ideas": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List roadmap stage ideas */
    get: operations["listBoardsV2RoadmapStageIdeas"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/{board_id}/ideas": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a roadmap idea */
    post: operations["createBoardsV2RoadmapIdea"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/{board_id}/ideas/{task_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a roadmap idea */
    get: operations["getBoardsV2RoadmapIdea"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/{board_id}/ideas/{idea_id}/comments": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a roadmap idea comment */
    post: operations["createBoardsV2RoadmapIdeaComment"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/idea/comments/{comment_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Delete a roadmap idea comment */
    delete: operations["deleteBoardsV2RoadmapsIdeaComment"];
    get?: never; put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/idea/comments/{comment_id}/replies": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a roadmap idea comment reply */
    post: operations["createBoardsV2RoadmapsIdeaCommentReply"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/vote-idea/{idea_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Vote for a roadmap idea */
    post: operations["voteBoardsV2RoadmapsIdea"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/{board_id}/day-wise-ideas": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List roadmap day wise ideas */
    get: operations["listBoardsV2RoadmapDayWiseIdeas"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/{board_id}/popular-ideas": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List roadmap popular ideas */
    get: operations["listBoardsV2RoadmapPopularIdeas"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/roadmaps/{board_id}/idea/{idea_id}/change-stage": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Change the roadmap idea stage */
    post: operations["changeBoardsV2RoadmapIdeaStage"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/roadmap/settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get admin roadmap settings */
    get: operations["getBoardsV2AdminRoadmapSettings"];
    /** Update admin roadmap settings */
    post: operations["updateBoardsV2AdminRoadmapSettings"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/roadmap/page-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get admin roadmap page settings */
    get: operations["getBoardsV2AdminRoadmapPageSettings"];
    /** Update admin roadmap page settings */
    post: operations["updateBoardsV2AdminRoadmapPageSettings"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/tasks/top-in-boards": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List task top in boards */
    get: operations["listBoardsV2TasksTopInBoards"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/tasks/crm-associated-tasks/{associated_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List CRM associated tasks */
    get: operations["listBoardsV2TasksCrmAssociatedTasks"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/tasks/stage/{task_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a task stage */
    get: operations["getBoardsV2TasksStage"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/tasks/boards-by-type/{type}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List task boards by type */
    get: operations["listBoardsV2TasksBoardsByType"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/tasks/task-tabs/config": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get task tab config */
    get: operations["getBoardsV2TasksTaskTabsConfig"];
    /** Update task tab config */
    post: operations["updateBoardsV2TasksTaskTabsConfig"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/global-search": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List global searches */
    get: operations["listBoardsV2GlobalSearch"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/member-associated-users/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List member associated users */
    get: operations["listBoardsV2MemberAssociatedUsers"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/ajax-options": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get ajax options */
    get: operations["getBoardsV2AjaxOptions"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/update-global-notification-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update global notification settings */
    post: operations["updateBoardsV2GlobalNotificationSettings"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/get-global-notification-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get global notification settings */
    get: operations["getBoardsV2GlobalNotificationSettings"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/update-dashboard-view-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update dashboard view settings */
    put: operations["updateBoardsV2DashboardViewSettings"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/get-dashboard-view-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get dashboard view settings */
    get: operations["getBoardsV2DashboardViewSettings"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/reports/timesheet": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the timesheet report */
    get: operations["getBoardsV2ReportsTimesheet"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/reports/overview": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the overview report */
    get: operations["getBoardsV2ReportsOverview"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/reports/tasks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the tasks report */
    get: operations["getBoardsV2ReportsTasks"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/reports/activity": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the activity report */
    get: operations["getBoardsV2ReportsActivity"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/reports/roadmap": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the roadmap report */
    get: operations["getBoardsV2ReportsRoadmap"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List projects */
    get: operations["listBoardsV2Projects"];
    /** Create a project */
    post: operations["createBoardsV2Project"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/get-default-board-colors": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get project default board colors */
    get: operations["getBoardsV2ProjectsDefaultBoardColors"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/list-of-boards": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project boards */
    get: operations["listBoardsV2ProjectsBoards"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/user-accessible-boards": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project user accessible boards */
    get: operations["listBoardsV2ProjectsUserAccessibleBoards"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/currencies": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project currencies */
    get: operations["listBoardsV2ProjectsCurrencies"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/user-admin-in-boards": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project user admin in boards */
    get: operations["listBoardsV2ProjectsUserAdminInBoards"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/recent-boards": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project recent boards */
    get: operations["listBoardsV2ProjectsRecentBoards"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/pinned-boards": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project pinned boards */
    get: operations["listBoardsV2ProjectsPinnedBoards"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/crm-associated-boards/{associated_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project CRM associated boards */
    get: operations["listBoardsV2ProjectsCrmAssociatedBoards"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/onboard": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Onboard projects */
    post: operations["onboardBoardsV2Projects"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/skip-onboarding": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Skip the project onboarding */
    put: operations["skipBoardsV2ProjectsOnboarding"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a project */
    get: operations["getBoardsV2Project"];
    /** Update a project */
    put: operations["updateBoardsV2Project"];
    /** Delete a project */
    delete: operations["deleteBoardsV2Project"];
    post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/has-data-changed": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Tell whether project data changed */
    get: operations["hasBoardsV2ProjectDataChanged"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/update-board-properties": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update project board properties */
    put: operations["updateBoardsV2ProjectBoardProperties"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/pin-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Pin a project board */
    put: operations["pinBoardsV2ProjectBoard"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/unpin-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Unpin a project board */
    put: operations["unpinBoardsV2ProjectBoard"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/users": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project users */
    get: operations["listBoardsV2ProjectUsers"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/user/{user_id}/remove": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Remove a project user */
    post: operations["removeBoardsV2ProjectUser"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/add-members": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Add project members */
    post: operations["addBoardsV2ProjectMembers"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/assignees": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project assignees */
    get: operations["listBoardsV2ProjectAssignees"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/activities": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project activities */
    get: operations["listBoardsV2ProjectActivities"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/archive-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Archive a project board */
    put: operations["archiveBoardsV2ProjectBoard"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/restore-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Restore a project board */
    put: operations["restoreBoardsV2ProjectBoard"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/toggle-public-access": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Toggle project public access */
    put: operations["toggleBoardsV2ProjectPublicAccess"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/public-access-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get project public access settings */
    get: operations["getBoardsV2ProjectPublicAccessSettings"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/board-menu-items": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project board menu items */
    get: operations["listBoardsV2ProjectBoardMenuItems"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/notification-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get project notification settings */
    get: operations["getBoardsV2ProjectNotificationSettings"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/update-notification-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update project notification settings */
    put: operations["updateBoardsV2ProjectNotificationSettings"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/duplicate-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Duplicate a project board */
    post: operations["duplicateBoardsV2ProjectBoard"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/import-from-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Import a project from board */
    post: operations["importBoardsV2ProjectFromBoard"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/upload/background": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Upload a project background */
    put: operations["uploadBoardsV2ProjectBackground"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/upload/background-image": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Upload a project background image */
    post: operations["uploadBoardsV2ProjectBackgroundImage"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/crm-contact": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a project CRM contact */
    post: operations["createBoardsV2ProjectCrmContact"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/crm-contacts": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project CRM contacts */
    get: operations["listBoardsV2ProjectCrmContacts"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/crm-contact/{contact_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Delete a project CRM contact */
    delete: operations["deleteBoardsV2ProjectCrmContact"];
    get?: never; put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/labels": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project labels */
    get: operations["listBoardsV2ProjectLabels"];
    /** Create a project label */
    post: operations["createBoardsV2ProjectLabel"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/labels/used-in-tasks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project labels used in tasks */
    get: operations["listBoardsV2ProjectLabelsUsedInTasks"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/labels/task": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a project label task */
    post: operations["createBoardsV2ProjectLabelsTask"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/labels/{label_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update a project label */
    put: operations["updateBoardsV2ProjectLabel"];
    /** Delete a project label */
    delete: operations["deleteBoardsV2ProjectLabel"];
    get?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/labels": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project task labels */
    get: operations["listBoardsV2ProjectTaskLabels"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/labels/{label_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Delete a project task label */
    delete: operations["deleteBoardsV2ProjectTaskLabel"];
    get?: never; put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/stage-move-all-task": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Move all project stage tasks */
    put: operations["moveBoardsV2ProjectStageAllTask"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/stage-create": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a project stage */
    post: operations["createBoardsV2ProjectStage"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/stage/{stage_id}/sort-task": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Sort the project stage task */
    put: operations["sortBoardsV2ProjectStageTask"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/stage/{stage_id}/archive-all-task": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Archive all project stage tasks */
    put: operations["archiveBoardsV2ProjectStageAllTask"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/re-position-stages": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Reposition project stages */
    put: operations["repositionBoardsV2ProjectStages"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/update-stage/{stage_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update a project stage */
    put: operations["updateBoardsV2ProjectStage"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/update-stage-property/{stage_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update the project stage property */
    put: operations["updateBoardsV2ProjectStageProperty"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/archive-stage/{stage_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Archive a project stage */
    put: operations["archiveBoardsV2ProjectStage"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/stage-view/{stage_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update a project stage view */
    put: operations["updateBoardsV2ProjectStageView"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/restore-stage/{stage_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Restore a project stage */
    put: operations["restoreBoardsV2ProjectStage"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/drag-stage": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Drag the project stage */
    put: operations["dragBoardsV2ProjectStage"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/archived-stages": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project archived stages */
    get: operations["listBoardsV2ProjectArchivedStages"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/stage-task-available-positions/{stage_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a project stage task available position */
    get: operations["getBoardsV2ProjectStageTaskAvailablePosition"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project tasks */
    get: operations["listBoardsV2ProjectTasks"];
    /** Create a project task */
    post: operations["createBoardsV2ProjectTask"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/filtered": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project tasks filtered */
    get: operations["listBoardsV2ProjectTasksFiltered"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/table": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project task tables */
    get: operations["listBoardsV2ProjectTasksTable"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/by-stage": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project tasks by stage */
    get: operations["listBoardsV2ProjectTasksByStage"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/stage-page": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project task stage pages */
    get: operations["listBoardsV2ProjectTasksStagePage"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/archived": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project tasks archived */
    get: operations["listBoardsV2ProjectTasksArchived"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/archived-tasks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project archived tasks */
    get: operations["listBoardsV2ProjectArchivedTasks"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/create-task-from-image": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a project task from image */
    post: operations["createBoardsV2ProjectTaskFromImage"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a project task */
    get: operations["getBoardsV2ProjectTask"];
    /** Update a project task */
    put: operations["updateBoardsV2ProjectTask"];
    /** Delete a project task */
    delete: operations["deleteBoardsV2ProjectTask"];
    post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/support-ticket": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Delete the project task support ticket */
    delete: operations["deleteBoardsV2ProjectTaskSupportTicket"];
    get?: never; put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/dates": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a project task date */
    post: operations["createBoardsV2ProjectTaskDate"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/move-task": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Move a project task */
    put: operations["moveBoardsV2ProjectTask"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/move-to-next-stage": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Move a project task to next stage */
    put: operations["moveBoardsV2ProjectTaskToNextStage"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/pin": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Pin a project task */
    put: operations["pinBoardsV2ProjectTask"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/bulk-actions": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Run project task bulk actions */
    post: operations["runBoardsV2ProjectTasksBulkActions"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/bulk-restore-tasks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Bulk restore project tasks */
    put: operations["bulkRestoreBoardsV2ProjectTasks"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/bulk-delete-tasks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Bulk delete project tasks */
    delete: operations["bulkDeleteBoardsV2ProjectTasks"];
    get?: never; put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/update-cover-photo/{task_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update the project task cover photo */
    post: operations["updateBoardsV2ProjectTasksCoverPhoto"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/status-update/{task_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update project task status */
    post: operations["updateBoardsV2ProjectTasksStatus"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/ai-assist": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a project task AI assist */
    post: operations["createBoardsV2ProjectTaskAiAssist"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/ai-apply-suggestions": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Apply project task AI suggestions */
    post: operations["applyBoardsV2ProjectTaskAiSuggestions"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/assign-yourself": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Assign yourself to a project task */
    post: operations["assignBoardsV2ProjectTaskYourself"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/detach-yourself": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Detach yourself from a project task */
    post: operations["detachBoardsV2ProjectTaskYourself"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/clone-task": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Clone a project task */
    post: operations["cloneBoardsV2ProjectTask"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/comment-image-upload": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Upload a project task comment image */
    post: operations["uploadBoardsV2ProjectTaskCommentImage"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/task-cover-image-upload": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Upload a project task cover image */
    post: operations["uploadBoardsV2ProjectTaskCoverImage"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/remove-task-cover": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Remove the project task cover */
    post: operations["removeBoardsV2ProjectTaskCover"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/core-editor-media-file-upload": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Upload a project task core editor media file */
    post: operations["uploadBoardsV2ProjectTaskCoreEditorMediaFile"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/activities": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project task activities */
    get: operations["listBoardsV2ProjectTaskActivities"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/comments-and-activities": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project task comments and activities */
    get: operations["listBoardsV2ProjectTaskCommentsAndActivities"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/{task_id}/comments": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List project task comments */
    get: operations["listBoardsV2ProjectTaskComments"];
    /** Create a project task comment */
    post: operations["createBoardsV2ProjectTaskComment"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/comments/{comment_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update a project task comment */
    put: operations["updateBoardsV2ProjectTasksComment"];
    /** Delete a project task comment */
    delete: operations["deleteBoardsV2ProjectTasksComment"];
    get?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/comments/{comment_id}/privacy": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update the project task comment privacy */
    put: operations["updateBoardsV2ProjectTasksCommentPrivacy"];
    get?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/projects/{board_id}/tasks/reply/{reply_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update a project task reply */
    put: operations["updateBoardsV2ProjectTasksReply"];
    /** Delete a project task reply */
    delete: operations["deleteBoardsV2ProjectTasksReply"];
    get?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/feature-modules": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List admin feature modules */
    get: operations["listBoardsV2AdminFeatureModules"];
    /** Create an admin feature module */
    post: operations["createBoardsV2AdminFeatureModule"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/feature-modules/install-plugin": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Install the admin feature module plugin */
    post: operations["installBoardsV2AdminFeatureModulesPlugin"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/general-settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get admin general settings */
    get: operations["getBoardsV2AdminGeneralSettings"];
    /** Update admin general settings */
    post: operations["updateBoardsV2AdminGeneralSettings"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/mcp/status": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get admin MCP status */
    get: operations["getBoardsV2AdminMcpStatus"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/mcp/toggle": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Toggle the admin MCP */
    post: operations["toggleBoardsV2AdminMcp"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/mcp/install-adapter": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Install the admin MCP adapter */
    post: operations["installBoardsV2AdminMcpAdapter"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/mcp/config-snippet": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the admin MCP config snippet */
    get: operations["getBoardsV2AdminMcpConfigSnippet"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/pages": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List admin pages */
    get: operations["listBoardsV2AdminPages"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/folders": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List admin folders */
    get: operations["listBoardsV2AdminFolders"];
    /** Create an admin folder */
    post: operations["createBoardsV2AdminFolder"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/folders/{folder_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get an admin folder */
    get: operations["getBoardsV2AdminFolder"];
    /** Update an admin folder */
    put: operations["updateBoardsV2AdminFolder"];
    /** Delete an admin folder */
    delete: operations["deleteBoardsV2AdminFolder"];
    post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/folders/{folder_id}/add-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Add an admin folder board */
    post: operations["addBoardsV2AdminFolderBoard"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/admin/folders/{folder_id}/remove-board": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Remove the admin folder board */
    post: operations["removeBoardsV2AdminFolderBoard"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/boards/v2/ai/settings": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get AI settings */
    get: operations["getBoardsV2AiSettings"];
    /** Update AI settings */
    post: operations["updateBoardsV2AiSettings"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
}

// ── Shared by operations ─────────────────────────────────────────────────────────────────────────

/** Query parameters that operations have in common. */
export interface SharedQuery {
  /** Only these fields of the answer; nested ones with dots: `id,title.rendered`. */
  _fields?: string[];
  /** Embed linked resources under `_embedded`: `1` for all, or the relations to embed. */
  _embed?: string[];
  /** Answer 200 with `{ body, status, headers }`, for callers that cannot read headers. */
  _envelope?: string;
  /** `user` answers in the language of the caller's profile. */
  _locale?: string;
}

/** A file: a `Blob`, a `File` or its bytes. */
export type Bytes =
  | ArrayBuffer
  | Uint8Array
  | { readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> };

// ── site ─────────────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /`. */
export interface GetIndexQuery extends SharedQuery {
  /** @default "view" */
  context?: unknown;
}

/** Query of `POST /batch/v1`. */
export type RunBatchQuery = SharedQuery;

/** Answer of `POST /batch/v1`. */
export type RunBatchResponse = BatchResult;

// ── oembed/1.0 ───────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /oembed/1.0`. */
export interface GetOembed10IndexQuery extends SharedQuery {
  /** @default "oembed/1.0" */
  namespace?: unknown;
  /** @default "view" */
  context?: unknown;
}

/** Query of `GET /oembed/1.0/embed`. */
export interface GetOembed10EmbedQuery extends SharedQuery {
  /** The URL of the resource for which to fetch oEmbed data. Format: uri. */
  url: string;
  /** @default "json" */
  format?: unknown;
  /** @default 600 */
  maxwidth?: unknown;
}

/** Query of `GET /oembed/1.0/proxy`. */
export interface GetOembed10ProxyQuery extends SharedQuery {
  /** The URL of the resource for which to fetch oEmbed data. Format: uri. */
  url: string;
  /**
   * The oEmbed format to use.
   * @default "json"
   */
  format?: "json" | "xml";
  /**
   * The maximum width of the embed frame in pixels.
   * @default 600
   */
  maxwidth?: number;
  /** The maximum height of the embed frame in pixels. */
  maxheight?: number;
  /**
   * Whether to perform an oEmbed discovery request for unsanctioned providers.
   * @default true
   */
  discover?: boolean;
}

// ── boards/v2 ────────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /boards/v2`. */
export interface GetBoardsV2IndexQuery extends SharedQuery {
  /** @default "boards/v2" */
  namespace?: unknown;
  /** @default "view" */
  context?: unknown;
}

/** Query of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`. */
export interface ListBoardsV2ProjectTaskTimeTracksQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`. */
export interface ListBoardsV2ProjectTaskTimeTracksPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`. */
export type ListBoardsV2ProjectTaskTimeTracksResponse = BoardsV2TimeTrack[];

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`. */
export type CreateBoardsV2ProjectTaskTimeTrackQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`. */
export type CreateBoardsV2ProjectTaskTimeTrackPath = ListBoardsV2ProjectTaskTimeTracksPath;

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`. */
export type CreateBoardsV2ProjectTaskTimeTrackResponse = BoardsV2TimeTrack;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/estimated-time`. */
export type CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/estimated-time`. */
export interface CreateBoardsV2ProjectTaskTimeTracksEstimatedTimePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/estimated-time`. */
export type CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeResponse = BoardsV2TimeEstimate;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit/{track_id}`. */
export type CommitBoardsV2ProjectTaskTimeTrackQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit/{track_id}`. */
export interface CommitBoardsV2ProjectTaskTimeTrackPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
  /** Number of the time track. */
  track_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit/{track_id}`. */
export type CommitBoardsV2ProjectTaskTimeTrackResponse = BoardsV2TimeTrack;

/** Query of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/{track_id}`. */
export type DeleteBoardsV2ProjectTaskTimeTrackQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/{track_id}`. */
export interface DeleteBoardsV2ProjectTaskTimeTrackPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
  /** Number of the time track. */
  track_id: number;
}

/** Answer of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/{track_id}`. */
export type DeleteBoardsV2ProjectTaskTimeTrackResponse =
  | DeletedBoardsV2TimeTrack
  | BoardsV2TimeTrack;

/** Query of `GET /boards/v2/projects/timesheet/by-tasks`. */
export interface ListBoardsV2ProjectsTimesheetByTasksQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only these boards. Absent: every board that the caller is a member of. At most 100 items. */
  board_ids?: number[];
  /** Only the time of these users. At most 100 items. */
  user_ids?: number[];
  /** Only time that a customer pays for, or only other time. */
  billable?: boolean;
}

/** Answer of `GET /boards/v2/projects/timesheet/by-tasks`. */
export type ListBoardsV2ProjectsTimesheetByTasksResponse = BoardsV2TimesheetTask[];

/** Query of `GET /boards/v2/projects/timesheet/by-users`. */
export interface ListBoardsV2ProjectsTimesheetByUsersQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only these boards. Absent: every board that the caller is a member of. At most 100 items. */
  board_ids?: number[];
  /** Only the time of these users. At most 100 items. */
  user_ids?: number[];
  /** Only time that a customer pays for, or only other time. */
  billable?: boolean;
}

/** Answer of `GET /boards/v2/projects/timesheet/by-users`. */
export type ListBoardsV2ProjectsTimesheetByUsersResponse = BoardsV2TimesheetUser[];

/** Query of `GET /boards/v2/roadmaps/{board_id}/stages/{stage_id}/ideas`. */
export interface ListBoardsV2RoadmapStageIdeasQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /** Words that the title or the description holds. At most 200 characters. */
  search?: string;
  /**
   * As on the roadmap, the most popular first, or the newest first.
   * @default "position"
   */
  orderby?: "position" | "popular" | "newest";
}

/** Path parameters of `GET /boards/v2/roadmaps/{board_id}/stages/{stage_id}/ideas`. */
export interface ListBoardsV2RoadmapStageIdeasPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. Pattern: `^[\w\-]+$`. */
  stage_id: string;
}

/** Answer of `GET /boards/v2/roadmaps/{board_id}/stages/{stage_id}/ideas`. */
export type ListBoardsV2RoadmapStageIdeasResponse = BoardsV2Idea[];

/** Query of `POST /boards/v2/roadmaps/{board_id}/ideas`. */
export type CreateBoardsV2RoadmapIdeaQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/roadmaps/{board_id}/ideas`. */
export interface CreateBoardsV2RoadmapIdeaPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `POST /boards/v2/roadmaps/{board_id}/ideas`. */
export type CreateBoardsV2RoadmapIdeaResponse = BoardsV2Idea;

/** Query of `GET /boards/v2/roadmaps/{board_id}/ideas/{task_id}`. */
export type GetBoardsV2RoadmapIdeaQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/roadmaps/{board_id}/ideas/{task_id}`. */
export interface GetBoardsV2RoadmapIdeaPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. Pattern: `^[\w\-]+$`. */
  task_id: string;
}

/** Answer of `GET /boards/v2/roadmaps/{board_id}/ideas/{task_id}`. */
export type GetBoardsV2RoadmapIdeaResponse = BoardsV2Idea;

/** Query of `POST /boards/v2/roadmaps/{board_id}/ideas/{idea_id}/comments`. */
export type CreateBoardsV2RoadmapIdeaCommentQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/roadmaps/{board_id}/ideas/{idea_id}/comments`. */
export interface CreateBoardsV2RoadmapIdeaCommentPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the idea. */
  idea_id: number;
}

/** Answer of `POST /boards/v2/roadmaps/{board_id}/ideas/{idea_id}/comments`. */
export type CreateBoardsV2RoadmapIdeaCommentResponse = BoardsV2Comment;

/** Query of `DELETE /boards/v2/roadmaps/idea/comments/{comment_id}`. */
export type DeleteBoardsV2RoadmapsIdeaCommentQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/roadmaps/idea/comments/{comment_id}`. */
export interface DeleteBoardsV2RoadmapsIdeaCommentPath {
  /** Number of the comment. */
  comment_id: number;
}

/** Answer of `DELETE /boards/v2/roadmaps/idea/comments/{comment_id}`. */
export type DeleteBoardsV2RoadmapsIdeaCommentResponse = DeletedBoardsV2Comment | BoardsV2Comment;

/** Query of `POST /boards/v2/roadmaps/idea/comments/{comment_id}/replies`. */
export type CreateBoardsV2RoadmapsIdeaCommentReplyQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/roadmaps/idea/comments/{comment_id}/replies`. */
export interface CreateBoardsV2RoadmapsIdeaCommentReplyPath {
  /** Number of the comment. */
  comment_id: number;
}

/** Answer of `POST /boards/v2/roadmaps/idea/comments/{comment_id}/replies`. */
export type CreateBoardsV2RoadmapsIdeaCommentReplyResponse = BoardsV2Reply;

/** Query of `POST /boards/v2/roadmaps/vote-idea/{idea_id}`. */
export type VoteBoardsV2RoadmapsIdeaQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/roadmaps/vote-idea/{idea_id}`. */
export interface VoteBoardsV2RoadmapsIdeaPath {
  /** Number of the idea. */
  idea_id: number;
}

/** Answer of `POST /boards/v2/roadmaps/vote-idea/{idea_id}`. */
export type VoteBoardsV2RoadmapsIdeaResponse = BoardsV2Idea;

/** Query of `GET /boards/v2/roadmaps/{board_id}/day-wise-ideas`. */
export interface ListBoardsV2RoadmapDayWiseIdeasQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
}

/** Path parameters of `GET /boards/v2/roadmaps/{board_id}/day-wise-ideas`. */
export interface ListBoardsV2RoadmapDayWiseIdeasPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/roadmaps/{board_id}/day-wise-ideas`. */
export type ListBoardsV2RoadmapDayWiseIdeasResponse = BoardsV2IdeaDay[];

/** Query of `GET /boards/v2/roadmaps/{board_id}/popular-ideas`. */
export interface ListBoardsV2RoadmapPopularIdeasQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/roadmaps/{board_id}/popular-ideas`. */
export interface ListBoardsV2RoadmapPopularIdeasPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/roadmaps/{board_id}/popular-ideas`. */
export type ListBoardsV2RoadmapPopularIdeasResponse = BoardsV2Idea[];

/** Query of `POST /boards/v2/roadmaps/{board_id}/idea/{idea_id}/change-stage`. */
export type ChangeBoardsV2RoadmapIdeaStageQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/roadmaps/{board_id}/idea/{idea_id}/change-stage`. */
export interface ChangeBoardsV2RoadmapIdeaStagePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the idea. */
  idea_id: number;
}

/** Answer of `POST /boards/v2/roadmaps/{board_id}/idea/{idea_id}/change-stage`. */
export type ChangeBoardsV2RoadmapIdeaStageResponse = BoardsV2Idea;

/** Query of `GET /boards/v2/admin/roadmap/settings`. */
export type GetBoardsV2AdminRoadmapSettingsQuery = SharedQuery;

/** Answer of `GET /boards/v2/admin/roadmap/settings`. */
export type GetBoardsV2AdminRoadmapSettingsResponse = BoardsV2RoadmapSettings;

/** Query of `POST /boards/v2/admin/roadmap/settings`. */
export type UpdateBoardsV2AdminRoadmapSettingsQuery = SharedQuery;

/** Answer of `POST /boards/v2/admin/roadmap/settings`. */
export type UpdateBoardsV2AdminRoadmapSettingsResponse = BoardsV2RoadmapSettings;

/** Query of `GET /boards/v2/admin/roadmap/page-settings`. */
export type GetBoardsV2AdminRoadmapPageSettingsQuery = SharedQuery;

/** Answer of `GET /boards/v2/admin/roadmap/page-settings`. */
export type GetBoardsV2AdminRoadmapPageSettingsResponse = BoardsV2RoadmapPageSettings;

/** Query of `POST /boards/v2/admin/roadmap/page-settings`. */
export type UpdateBoardsV2AdminRoadmapPageSettingsQuery = SharedQuery;

/** Answer of `POST /boards/v2/admin/roadmap/page-settings`. */
export type UpdateBoardsV2AdminRoadmapPageSettingsResponse = BoardsV2RoadmapPageSettings;

/** Query of `GET /boards/v2/tasks/top-in-boards`. */
export interface ListBoardsV2TasksTopInBoardsQuery extends SharedQuery {
  /**
   * Tasks shown of each board. 1 to 20.
   * @default 5
   */
  per_board?: number;
  /**
   * Only tasks that the caller is assigned to.
   * @default false
   */
  mine?: boolean;
}

/** Answer of `GET /boards/v2/tasks/top-in-boards`. */
export type ListBoardsV2TasksTopInBoardsResponse = BoardsV2TopTasksOfBoard[];

/** Query of `GET /boards/v2/tasks/crm-associated-tasks/{associated_id}`. */
export interface ListBoardsV2TasksCrmAssociatedTasksQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/tasks/crm-associated-tasks/{associated_id}`. */
export interface ListBoardsV2TasksCrmAssociatedTasksPath {
  /** Number of the contact whose boards or tasks are wanted. */
  associated_id: number;
}

/** Answer of `GET /boards/v2/tasks/crm-associated-tasks/{associated_id}`. */
export type ListBoardsV2TasksCrmAssociatedTasksResponse = BoardsV2Task[];

/** Query of `GET /boards/v2/tasks/stage/{task_id}`. */
export type GetBoardsV2TasksStageQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/tasks/stage/{task_id}`. */
export interface GetBoardsV2TasksStagePath {
  /** Number of the task. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  task_id: string;
}

/** Answer of `GET /boards/v2/tasks/stage/{task_id}`. */
export type GetBoardsV2TasksStageResponse = BoardsV2TaskPlace;

/** Query of `GET /boards/v2/tasks/boards-by-type/{type}`. */
export interface ListBoardsV2TasksBoardsByTypeQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/tasks/boards-by-type/{type}`. */
export interface ListBoardsV2TasksBoardsByTypePath {
  /** Kind of the boards: `kanban` or `roadmap`. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  type: string;
}

/** Answer of `GET /boards/v2/tasks/boards-by-type/{type}`. */
export type ListBoardsV2TasksBoardsByTypeResponse = BoardsV2BoardOfType[];

/** Query of `GET /boards/v2/tasks/task-tabs/config`. */
export type GetBoardsV2TasksTaskTabsConfigQuery = SharedQuery;

/** Answer of `GET /boards/v2/tasks/task-tabs/config`. */
export type GetBoardsV2TasksTaskTabsConfigResponse = BoardsV2TaskTabs;

/** Query of `POST /boards/v2/tasks/task-tabs/config`. */
export type UpdateBoardsV2TasksTaskTabsConfigQuery = SharedQuery;

/** Answer of `POST /boards/v2/tasks/task-tabs/config`. */
export type UpdateBoardsV2TasksTaskTabsConfigResponse = BoardsV2TaskTabs;

/** Query of `GET /boards/v2/global-search`. */
export interface ListBoardsV2GlobalSearchQuery extends SharedQuery {
  /** Words that must all be there, in any case: `start page`. 2 to 200 characters. */
  search: string;
  /**
   * Where to look.
   * @default ["board","task","idea","comment"]
   */
  kinds?: ("board" | "task" | "idea" | "comment")[];
  /** Only on one board. At least 1. */
  board_id?: number;
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Answer of `GET /boards/v2/global-search`. */
export type ListBoardsV2GlobalSearchResponse = BoardsV2SearchResult[];

/** Query of `GET /boards/v2/member-associated-users/{id}`. */
export interface ListBoardsV2MemberAssociatedUsersQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/member-associated-users/{id}`. */
export interface ListBoardsV2MemberAssociatedUsersPath {
  /** Number of the user. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  id: string;
}

/** Answer of `GET /boards/v2/member-associated-users/{id}`. */
export type ListBoardsV2MemberAssociatedUsersResponse = BoardsV2AssociatedUser[];

/** Query of `GET /boards/v2/ajax-options`. */
export interface GetBoardsV2AjaxOptionsQuery extends SharedQuery {
  /** What is chosen from. */
  option_key: "boards" | "stages" | "labels" | "users" | "contacts" | "pages";
  /** Only stages and labels of one board. At least 1. */
  board_id?: number;
  /** Part of the title. At most 100 characters. */
  search?: string;
  /** Numbers of what is chosen already, which comes first whatever is searched. At most 100 items. */
  values?: number[];
  /**
   * At most so many besides. 1 to 100.
   * @default 20
   */
  limit?: number;
}

/** Answer of `GET /boards/v2/ajax-options`. */
export type GetBoardsV2AjaxOptionsResponse = BoardsV2Option[];

/** Query of `POST /boards/v2/update-global-notification-settings`. */
export type UpdateBoardsV2GlobalNotificationSettingsQuery = SharedQuery;

/** Answer of `POST /boards/v2/update-global-notification-settings`. */
export type UpdateBoardsV2GlobalNotificationSettingsResponse = BoardsV2NotificationSettings;

/** Query of `GET /boards/v2/get-global-notification-settings`. */
export type GetBoardsV2GlobalNotificationSettingsQuery = SharedQuery;

/** Answer of `GET /boards/v2/get-global-notification-settings`. */
export type GetBoardsV2GlobalNotificationSettingsResponse = BoardsV2NotificationSettings;

/** Query of `PUT /boards/v2/update-dashboard-view-settings`. */
export type UpdateBoardsV2DashboardViewSettingsQuery = SharedQuery;

/** Answer of `PUT /boards/v2/update-dashboard-view-settings`. */
export type UpdateBoardsV2DashboardViewSettingsResponse = BoardsV2DashboardView;

/** Query of `GET /boards/v2/get-dashboard-view-settings`. */
export type GetBoardsV2DashboardViewSettingsQuery = SharedQuery;

/** Answer of `GET /boards/v2/get-dashboard-view-settings`. */
export type GetBoardsV2DashboardViewSettingsResponse = BoardsV2DashboardView;

/** Query of `GET /boards/v2/reports/timesheet`. */
export interface GetBoardsV2ReportsTimesheetQuery extends SharedQuery {
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only these boards. Absent: every board that the caller is a member of. At most 100 items. */
  board_ids?: number[];
}

/** Answer of `GET /boards/v2/reports/timesheet`. */
export type GetBoardsV2ReportsTimesheetResponse = BoardsV2TimesheetReport;

/** Query of `GET /boards/v2/reports/overview`. */
export interface GetBoardsV2ReportsOverviewQuery extends SharedQuery {
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only these boards. Absent: every board that the caller is a member of. At most 100 items. */
  board_ids?: number[];
}

/** Answer of `GET /boards/v2/reports/overview`. */
export type GetBoardsV2ReportsOverviewResponse = BoardsV2OverviewReport;

/** Query of `GET /boards/v2/reports/tasks`. */
export interface GetBoardsV2ReportsTasksQuery extends SharedQuery {
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only these boards. Absent: every board that the caller is a member of. At most 100 items. */
  board_ids?: number[];
}

/** Answer of `GET /boards/v2/reports/tasks`. */
export type GetBoardsV2ReportsTasksResponse = BoardsV2TasksReport;

/** Query of `GET /boards/v2/reports/activity`. */
export interface GetBoardsV2ReportsActivityQuery extends SharedQuery {
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only these boards. Absent: every board that the caller is a member of. At most 100 items. */
  board_ids?: number[];
}

/** Answer of `GET /boards/v2/reports/activity`. */
export type GetBoardsV2ReportsActivityResponse = BoardsV2ActivityReport;

/** Query of `GET /boards/v2/reports/roadmap`. */
export interface GetBoardsV2ReportsRoadmapQuery extends SharedQuery {
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only these boards. Absent: every board that the caller is a member of. At most 100 items. */
  board_ids?: number[];
}

/** Answer of `GET /boards/v2/reports/roadmap`. */
export type GetBoardsV2ReportsRoadmapResponse = BoardsV2RoadmapReport;

/** Query of `GET /boards/v2/projects`. */
export interface ListBoardsV2ProjectsQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /** Words of the title or the description. At most 200 characters. */
  search?: string;
  /** Only boards of one type. */
  type?: "kanban" | "roadmap";
  /**
   * Whether archived boards are listed, or they alone.
   * @default "active"
   */
  status?: "active" | "archived" | "all";
  /** Only boards in a folder. At least 1. */
  folder_id?: number;
  /**
   * What they are sorted by.
   * @default "updated_at"
   */
  orderby?: "updated_at" | "created_at" | "title";
  /**
   * Direction.
   * @default "desc"
   */
  order?: "asc" | "desc";
}

/** Answer of `GET /boards/v2/projects`. */
export type ListBoardsV2ProjectsResponse = BoardsV2Board[];

/** Query of `POST /boards/v2/projects`. */
export type CreateBoardsV2ProjectQuery = SharedQuery;

/** Answer of `POST /boards/v2/projects`. */
export type CreateBoardsV2ProjectResponse = BoardsV2Board;

/** Query of `GET /boards/v2/projects/get-default-board-colors`. */
export type GetBoardsV2ProjectsDefaultBoardColorsQuery = SharedQuery;

/** Answer of `GET /boards/v2/projects/get-default-board-colors`. */
export type GetBoardsV2ProjectsDefaultBoardColorsResponse = BoardsV2BoardColor[];

/** Query of `GET /boards/v2/projects/list-of-boards`. */
export interface ListBoardsV2ProjectsBoardsQuery extends SharedQuery {
  /** Only boards of one type. */
  type?: "kanban" | "roadmap";
}

/** Answer of `GET /boards/v2/projects/list-of-boards`. */
export type ListBoardsV2ProjectsBoardsResponse = BoardsV2ShortBoard[];

/** Query of `GET /boards/v2/projects/user-accessible-boards`. */
export interface ListBoardsV2ProjectsUserAccessibleBoardsQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Answer of `GET /boards/v2/projects/user-accessible-boards`. */
export type ListBoardsV2ProjectsUserAccessibleBoardsResponse = BoardsV2Board[];

/** Query of `GET /boards/v2/projects/currencies`. */
export type ListBoardsV2ProjectsCurrenciesQuery = SharedQuery;

/** Answer of `GET /boards/v2/projects/currencies`. */
export type ListBoardsV2ProjectsCurrenciesResponse = BoardsV2Currency[];

/** Query of `GET /boards/v2/projects/user-admin-in-boards`. */
export type ListBoardsV2ProjectsUserAdminInBoardsQuery = SharedQuery;

/** Answer of `GET /boards/v2/projects/user-admin-in-boards`. */
export type ListBoardsV2ProjectsUserAdminInBoardsResponse = BoardsV2ShortBoard[];

/** Query of `GET /boards/v2/projects/recent-boards`. */
export interface ListBoardsV2ProjectsRecentBoardsQuery extends SharedQuery {
  /**
   * At most so many. 1 to 50.
   * @default 10
   */
  limit?: number;
}

/** Answer of `GET /boards/v2/projects/recent-boards`. */
export type ListBoardsV2ProjectsRecentBoardsResponse = BoardsV2Board[];

/** Query of `GET /boards/v2/projects/pinned-boards`. */
export interface ListBoardsV2ProjectsPinnedBoardsQuery extends SharedQuery {
  /**
   * At most so many. 1 to 50.
   * @default 10
   */
  limit?: number;
}

/** Answer of `GET /boards/v2/projects/pinned-boards`. */
export type ListBoardsV2ProjectsPinnedBoardsResponse = BoardsV2Board[];

/** Query of `GET /boards/v2/projects/crm-associated-boards/{associated_id}`. */
export interface ListBoardsV2ProjectsCrmAssociatedBoardsQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/crm-associated-boards/{associated_id}`. */
export interface ListBoardsV2ProjectsCrmAssociatedBoardsPath {
  /** Number of the contact whose boards or tasks are wanted. */
  associated_id: number;
}

/** Answer of `GET /boards/v2/projects/crm-associated-boards/{associated_id}`. */
export type ListBoardsV2ProjectsCrmAssociatedBoardsResponse = BoardsV2Board[];

/** Query of `POST /boards/v2/projects/onboard`. */
export type OnboardBoardsV2ProjectsQuery = SharedQuery;

/** Answer of `POST /boards/v2/projects/onboard`. */
export type OnboardBoardsV2ProjectsResponse = BoardsV2Board;

/** Query of `PUT /boards/v2/projects/skip-onboarding`. */
export type SkipBoardsV2ProjectsOnboardingQuery = SharedQuery;

/** Body of `PUT /boards/v2/projects/skip-onboarding`. */
export type SkipBoardsV2ProjectsOnboardingBody = AnyFields;

/** Answer of `PUT /boards/v2/projects/skip-onboarding`. */
export type SkipBoardsV2ProjectsOnboardingResponse = BoardsV2Onboarding;

/** Query of `GET /boards/v2/projects/{board_id}`. */
export type GetBoardsV2ProjectQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}`. */
export interface GetBoardsV2ProjectPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}`. */
export type GetBoardsV2ProjectResponse = BoardsV2Board;

/** Query of `PUT /boards/v2/projects/{board_id}`. */
export type UpdateBoardsV2ProjectQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}`. */
export type UpdateBoardsV2ProjectPath = GetBoardsV2ProjectPath;

/** Answer of `PUT /boards/v2/projects/{board_id}`. */
export type UpdateBoardsV2ProjectResponse = BoardsV2Board;

/** Query of `DELETE /boards/v2/projects/{board_id}`. */
export type DeleteBoardsV2ProjectQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}`. */
export type DeleteBoardsV2ProjectPath = GetBoardsV2ProjectPath;

/** Answer of `DELETE /boards/v2/projects/{board_id}`. */
export type DeleteBoardsV2ProjectResponse = DeletedBoardsV2Board | BoardsV2Board;

/** Query of `GET /boards/v2/projects/{board_id}/has-data-changed`. */
export interface HasBoardsV2ProjectDataChangedQuery extends SharedQuery {
  /** When the caller last looked: `2026-03-02T09:00:00Z`. Format: date-time. */
  since: string;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/has-data-changed`. */
export interface HasBoardsV2ProjectDataChangedPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/has-data-changed`. */
export type HasBoardsV2ProjectDataChangedResponse = BoardsV2BoardChange;

/** Query of `PUT /boards/v2/projects/{board_id}/update-board-properties`. */
export type UpdateBoardsV2ProjectBoardPropertiesQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/update-board-properties`. */
export interface UpdateBoardsV2ProjectBoardPropertiesPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/update-board-properties`. */
export type UpdateBoardsV2ProjectBoardPropertiesResponse = BoardsV2Board;

/** Query of `PUT /boards/v2/projects/{board_id}/pin-board`. */
export type PinBoardsV2ProjectBoardQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/pin-board`. */
export interface PinBoardsV2ProjectBoardPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/pin-board`. */
export type PinBoardsV2ProjectBoardResponse = BoardsV2Board;

/** Query of `PUT /boards/v2/projects/{board_id}/unpin-board`. */
export type UnpinBoardsV2ProjectBoardQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/unpin-board`. */
export interface UnpinBoardsV2ProjectBoardPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/unpin-board`. */
export type UnpinBoardsV2ProjectBoardResponse = BoardsV2Board;

/** Query of `GET /boards/v2/projects/{board_id}/users`. */
export interface ListBoardsV2ProjectUsersQuery extends SharedQuery {
  /** Only people with a role. */
  role?: "manager" | "member" | "viewer";
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/users`. */
export interface ListBoardsV2ProjectUsersPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `GET /boards/v2/projects/{board_id}/users`. */
export type ListBoardsV2ProjectUsersResponse = BoardsV2BoardUser[];

/** Query of `POST /boards/v2/projects/{board_id}/user/{user_id}/remove`. */
export type RemoveBoardsV2ProjectUserQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/user/{user_id}/remove`. */
export interface RemoveBoardsV2ProjectUserPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the user. */
  user_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/user/{user_id}/remove`. */
export type RemoveBoardsV2ProjectUserResponse = BoardsV2RemovedMember;

/** Query of `POST /boards/v2/projects/{board_id}/add-members`. */
export type AddBoardsV2ProjectMembersQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/add-members`. */
export interface AddBoardsV2ProjectMembersPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `POST /boards/v2/projects/{board_id}/add-members`. */
export type AddBoardsV2ProjectMembersResponse = BoardsV2BoardMembers;

/** Query of `GET /boards/v2/projects/{board_id}/assignees`. */
export type ListBoardsV2ProjectAssigneesQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}/assignees`. */
export interface ListBoardsV2ProjectAssigneesPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/assignees`. */
export type ListBoardsV2ProjectAssigneesResponse = BoardsV2Assignee[];

/** Query of `GET /boards/v2/projects/{board_id}/activities`. */
export interface ListBoardsV2ProjectActivitiesQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /**
   * First day, in UTC: `2026-01-31`. Absent: from the beginning.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  from?: string;
  /**
   * Last day, in UTC, which counts: `2026-01-31`. Absent: until now.
   *
   * Format: date. At most 10 characters. Pattern: `^\d{4}-\d{2}-\d{2}`.
   */
  to?: string;
  /** Only what was done so. */
  action?:
    | "created" | "updated" | "deleted" | "archived" | "restored" | "moved" | "added" | "removed"
    | "assigned" | "unassigned" | "completed" | "reopened" | "voted" | "commented" | "replied"
    | "started" | "committed" | "uploaded" | "cloned" | "imported";
  /** Only what was done to such things. */
  subject?:
    | "board" | "stage" | "task" | "idea" | "label" | "comment" | "reply" | "member" | "contact"
    | "time-track" | "date" | "cover" | "background" | "settings";
  /** Only what one user did. At least 1. */
  user_id?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/activities`. */
export interface ListBoardsV2ProjectActivitiesPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/activities`. */
export type ListBoardsV2ProjectActivitiesResponse = BoardsV2Activity[];

/** Query of `PUT /boards/v2/projects/{board_id}/archive-board`. */
export type ArchiveBoardsV2ProjectBoardQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/archive-board`. */
export interface ArchiveBoardsV2ProjectBoardPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/archive-board`. */
export type ArchiveBoardsV2ProjectBoardResponse = BoardsV2Board;

/** Query of `PUT /boards/v2/projects/{board_id}/restore-board`. */
export type RestoreBoardsV2ProjectBoardQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/restore-board`. */
export interface RestoreBoardsV2ProjectBoardPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/restore-board`. */
export type RestoreBoardsV2ProjectBoardResponse = BoardsV2Board;

/** Query of `PUT /boards/v2/projects/{board_id}/toggle-public-access`. */
export type ToggleBoardsV2ProjectPublicAccessQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/toggle-public-access`. */
export interface ToggleBoardsV2ProjectPublicAccessPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/toggle-public-access`. */
export type ToggleBoardsV2ProjectPublicAccessResponse = BoardsV2PublicAccess;

/** Query of `GET /boards/v2/projects/{board_id}/public-access-settings`. */
export type GetBoardsV2ProjectPublicAccessSettingsQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}/public-access-settings`. */
export interface GetBoardsV2ProjectPublicAccessSettingsPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/public-access-settings`. */
export type GetBoardsV2ProjectPublicAccessSettingsResponse = BoardsV2PublicAccess;

/** Query of `GET /boards/v2/projects/{board_id}/board-menu-items`. */
export type ListBoardsV2ProjectBoardMenuItemsQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}/board-menu-items`. */
export interface ListBoardsV2ProjectBoardMenuItemsPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/board-menu-items`. */
export type ListBoardsV2ProjectBoardMenuItemsResponse = BoardsV2MenuItem[];

/** Query of `GET /boards/v2/projects/{board_id}/notification-settings`. */
export type GetBoardsV2ProjectNotificationSettingsQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}/notification-settings`. */
export interface GetBoardsV2ProjectNotificationSettingsPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/notification-settings`. */
export type GetBoardsV2ProjectNotificationSettingsResponse = BoardsV2BoardNotifications;

/** Query of `PUT /boards/v2/projects/{board_id}/update-notification-settings`. */
export type UpdateBoardsV2ProjectNotificationSettingsQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/update-notification-settings`. */
export interface UpdateBoardsV2ProjectNotificationSettingsPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/update-notification-settings`. */
export type UpdateBoardsV2ProjectNotificationSettingsResponse = BoardsV2BoardNotifications;

/** Query of `POST /boards/v2/projects/{board_id}/duplicate-board`. */
export type DuplicateBoardsV2ProjectBoardQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/duplicate-board`. */
export interface DuplicateBoardsV2ProjectBoardPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/duplicate-board`. */
export type DuplicateBoardsV2ProjectBoardResponse = BoardsV2Board;

/** Query of `POST /boards/v2/projects/{board_id}/import-from-board`. */
export type ImportBoardsV2ProjectFromBoardQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/import-from-board`. */
export interface ImportBoardsV2ProjectFromBoardPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/import-from-board`. */
export type ImportBoardsV2ProjectFromBoardResponse = BoardsV2Board;

/** Query of `PUT /boards/v2/projects/{board_id}/upload/background`. */
export type UploadBoardsV2ProjectBackgroundQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/upload/background`. */
export interface UploadBoardsV2ProjectBackgroundPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/upload/background`. */
export type UploadBoardsV2ProjectBackgroundResponse = BoardsV2Board;

/** Query of `POST /boards/v2/projects/{board_id}/upload/background-image`. */
export type UploadBoardsV2ProjectBackgroundImageQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/upload/background-image`. */
export interface UploadBoardsV2ProjectBackgroundImagePath {
  /** Number of the board. */
  board_id: number;
}

/** Body of `POST /boards/v2/projects/{board_id}/upload/background-image`. */
export type UploadBoardsV2ProjectBackgroundImageBody = AnyFields;

/** Answer of `POST /boards/v2/projects/{board_id}/upload/background-image`. */
export type UploadBoardsV2ProjectBackgroundImageResponse = BoardsV2Image;

/** Query of `POST /boards/v2/projects/{board_id}/crm-contact`. */
export type CreateBoardsV2ProjectCrmContactQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/crm-contact`. */
export interface CreateBoardsV2ProjectCrmContactPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/crm-contact`. */
export type CreateBoardsV2ProjectCrmContactResponse = BoardsV2Contact;

/** Query of `GET /boards/v2/projects/{board_id}/crm-contacts`. */
export interface ListBoardsV2ProjectCrmContactsQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/crm-contacts`. */
export interface ListBoardsV2ProjectCrmContactsPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/crm-contacts`. */
export type ListBoardsV2ProjectCrmContactsResponse = BoardsV2Contact[];

/** Query of `DELETE /boards/v2/projects/{board_id}/crm-contact/{contact_id}`. */
export type DeleteBoardsV2ProjectCrmContactQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/crm-contact/{contact_id}`. */
export interface DeleteBoardsV2ProjectCrmContactPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the contact. */
  contact_id: number;
}

/** Answer of `DELETE /boards/v2/projects/{board_id}/crm-contact/{contact_id}`. */
export type DeleteBoardsV2ProjectCrmContactResponse = DeletedBoardsV2Contact | BoardsV2Contact;

/** Query of `GET /boards/v2/projects/{board_id}/labels`. */
export interface ListBoardsV2ProjectLabelsQuery extends SharedQuery {
  /** Part of the text. At most 60 characters. */
  search?: string;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/labels`. */
export interface ListBoardsV2ProjectLabelsPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `GET /boards/v2/projects/{board_id}/labels`. */
export type ListBoardsV2ProjectLabelsResponse = BoardsV2Label[];

/** Query of `POST /boards/v2/projects/{board_id}/labels`. */
export type CreateBoardsV2ProjectLabelQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/labels`. */
export type CreateBoardsV2ProjectLabelPath = ListBoardsV2ProjectLabelsPath;

/** Answer of `POST /boards/v2/projects/{board_id}/labels`. */
export type CreateBoardsV2ProjectLabelResponse = BoardsV2Label;

/** Query of `GET /boards/v2/projects/{board_id}/labels/used-in-tasks`. */
export interface ListBoardsV2ProjectLabelsUsedInTasksQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/labels/used-in-tasks`. */
export interface ListBoardsV2ProjectLabelsUsedInTasksPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `GET /boards/v2/projects/{board_id}/labels/used-in-tasks`. */
export type ListBoardsV2ProjectLabelsUsedInTasksResponse = BoardsV2Label[];

/** Query of `POST /boards/v2/projects/{board_id}/labels/task`. */
export type CreateBoardsV2ProjectLabelsTaskQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/labels/task`. */
export interface CreateBoardsV2ProjectLabelsTaskPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `POST /boards/v2/projects/{board_id}/labels/task`. */
export type CreateBoardsV2ProjectLabelsTaskResponse = BoardsV2Task;

/** Query of `PUT /boards/v2/projects/{board_id}/labels/{label_id}`. */
export type UpdateBoardsV2ProjectLabelQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/labels/{label_id}`. */
export interface UpdateBoardsV2ProjectLabelPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
  /** Number of the label. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  label_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/labels/{label_id}`. */
export type UpdateBoardsV2ProjectLabelResponse = BoardsV2Label;

/** Query of `DELETE /boards/v2/projects/{board_id}/labels/{label_id}`. */
export type DeleteBoardsV2ProjectLabelQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/labels/{label_id}`. */
export type DeleteBoardsV2ProjectLabelPath = UpdateBoardsV2ProjectLabelPath;

/** Answer of `DELETE /boards/v2/projects/{board_id}/labels/{label_id}`. */
export type DeleteBoardsV2ProjectLabelResponse = DeletedBoardsV2Label | BoardsV2Label;

/** Query of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/labels`. */
export type ListBoardsV2ProjectTaskLabelsQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/labels`. */
export interface ListBoardsV2ProjectTaskLabelsPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
  /** Number of the task. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  task_id: string;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/labels`. */
export type ListBoardsV2ProjectTaskLabelsResponse = BoardsV2Label[];

/** Query of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/labels/{label_id}`. */
export type DeleteBoardsV2ProjectTaskLabelQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/labels/{label_id}`. */
export interface DeleteBoardsV2ProjectTaskLabelPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
  /** Number of the task. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  task_id: string;
  /** Number of the label. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  label_id: string;
}

/** Answer of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/labels/{label_id}`. */
export type DeleteBoardsV2ProjectTaskLabelResponse = DeletedBoardsV2Label | BoardsV2Label;

/** Query of `PUT /boards/v2/projects/{board_id}/stage-move-all-task`. */
export type MoveBoardsV2ProjectStageAllTaskQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/stage-move-all-task`. */
export interface MoveBoardsV2ProjectStageAllTaskPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/stage-move-all-task`. */
export type MoveBoardsV2ProjectStageAllTaskResponse = BoardsV2MovedTasks;

/** Query of `POST /boards/v2/projects/{board_id}/stage-create`. */
export type CreateBoardsV2ProjectStageQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/stage-create`. */
export interface CreateBoardsV2ProjectStagePath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/stage-create`. */
export type CreateBoardsV2ProjectStageResponse = BoardsV2Stage;

/** Query of `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/sort-task`. */
export type SortBoardsV2ProjectStageTaskQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/sort-task`. */
export interface SortBoardsV2ProjectStageTaskPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. */
  stage_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/sort-task`. */
export type SortBoardsV2ProjectStageTaskResponse = BoardsV2SortedTasks;

/** Query of `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/archive-all-task`. */
export type ArchiveBoardsV2ProjectStageAllTaskQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/archive-all-task`. */
export interface ArchiveBoardsV2ProjectStageAllTaskPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. */
  stage_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/archive-all-task`. */
export type ArchiveBoardsV2ProjectStageAllTaskResponse = BoardsV2ArchivedTasks;

/** Query of `PUT /boards/v2/projects/{board_id}/re-position-stages`. */
export type RepositionBoardsV2ProjectStagesQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/re-position-stages`. */
export interface RepositionBoardsV2ProjectStagesPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/re-position-stages`. */
export type RepositionBoardsV2ProjectStagesResponse = BoardsV2StageOrder;

/** Query of `PUT /boards/v2/projects/{board_id}/update-stage/{stage_id}`. */
export type UpdateBoardsV2ProjectStageQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/update-stage/{stage_id}`. */
export interface UpdateBoardsV2ProjectStagePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  stage_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/update-stage/{stage_id}`. */
export type UpdateBoardsV2ProjectStageResponse = BoardsV2Stage;

/** Query of `PUT /boards/v2/projects/{board_id}/update-stage-property/{stage_id}`. */
export type UpdateBoardsV2ProjectStagePropertyQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/update-stage-property/{stage_id}`. */
export interface UpdateBoardsV2ProjectStagePropertyPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  stage_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/update-stage-property/{stage_id}`. */
export type UpdateBoardsV2ProjectStagePropertyResponse = BoardsV2Stage;

/** Query of `PUT /boards/v2/projects/{board_id}/archive-stage/{stage_id}`. */
export type ArchiveBoardsV2ProjectStageQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/archive-stage/{stage_id}`. */
export interface ArchiveBoardsV2ProjectStagePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  stage_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/archive-stage/{stage_id}`. */
export type ArchiveBoardsV2ProjectStageResponse = BoardsV2Stage;

/** Query of `PUT /boards/v2/projects/{board_id}/stage-view/{stage_id}`. */
export type UpdateBoardsV2ProjectStageViewQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/stage-view/{stage_id}`. */
export interface UpdateBoardsV2ProjectStageViewPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  stage_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/stage-view/{stage_id}`. */
export type UpdateBoardsV2ProjectStageViewResponse = BoardsV2Stage;

/** Query of `PUT /boards/v2/projects/{board_id}/restore-stage/{stage_id}`. */
export type RestoreBoardsV2ProjectStageQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/restore-stage/{stage_id}`. */
export interface RestoreBoardsV2ProjectStagePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  stage_id: string;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/restore-stage/{stage_id}`. */
export type RestoreBoardsV2ProjectStageResponse = BoardsV2Stage;

/** Query of `PUT /boards/v2/projects/{board_id}/drag-stage`. */
export type DragBoardsV2ProjectStageQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/drag-stage`. */
export interface DragBoardsV2ProjectStagePath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/drag-stage`. */
export type DragBoardsV2ProjectStageResponse = BoardsV2StageOrder;

/** Query of `GET /boards/v2/projects/{board_id}/archived-stages`. */
export type ListBoardsV2ProjectArchivedStagesQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}/archived-stages`. */
export interface ListBoardsV2ProjectArchivedStagesPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/archived-stages`. */
export type ListBoardsV2ProjectArchivedStagesResponse = BoardsV2Stage[];

/** Query of `GET /boards/v2/projects/{board_id}/stage-task-available-positions/{stage_id}`. */
export interface GetBoardsV2ProjectStageTaskAvailablePositionQuery extends SharedQuery {
  /** The task that is to be moved, which makes no place more where it stands already. At least 1. */
  task_id?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/stage-task-available-positions/{stage_id}`. */
export interface GetBoardsV2ProjectStageTaskAvailablePositionPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the stage. */
  stage_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/stage-task-available-positions/{stage_id}`. */
export type GetBoardsV2ProjectStageTaskAvailablePositionResponse = BoardsV2StagePositions;

/** Query of `GET /boards/v2/projects/{board_id}/tasks`. */
export interface ListBoardsV2ProjectTasksQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /** Only tasks of one stage. At least 1. */
  stage_id?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks`. */
export interface ListBoardsV2ProjectTasksPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks`. */
export type ListBoardsV2ProjectTasksResponse = BoardsV2Task[];

/** Query of `POST /boards/v2/projects/{board_id}/tasks`. */
export type CreateBoardsV2ProjectTaskQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks`. */
export interface CreateBoardsV2ProjectTaskPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks`. */
export type CreateBoardsV2ProjectTaskResponse = BoardsV2Task;

/** Query of `GET /boards/v2/projects/{board_id}/tasks/filtered`. */
export interface ListBoardsV2ProjectTasksFilteredQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /** Words that the title or the description holds, in any case. At most 200 characters. */
  search?: string;
  /** Only tasks in one of these stages. At most 100 items. */
  stage_ids?: number[];
  /** Only tasks of one of these users. At most 100 items. */
  assignees?: number[];
  /** Only tasks that carry one of these labels. At most 100 items. */
  labels?: number[];
  /** Only tasks of one of these priorities. At most 100 items. */
  priorities?: ("low" | "medium" | "high" | "urgent")[];
  /** Only tasks that are open, or closed. */
  status?: "open" | "closed";
  /** Only tasks that are overdue, due today, due within seven days, or never due. */
  due?: "overdue" | "today" | "week" | "none";
  /**
   * Archived tasks too, for members.
   * @default false
   */
  include_archived?: boolean;
  /**
   * What the list is sorted by; `position` is as on the board. Tasks without a date come last.
   * @default "position"
   */
  orderby?: "position" | "title" | "priority" | "due" | "created" | "updated";
  /**
   * Direction.
   * @default "asc"
   */
  order?: "asc" | "desc";
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/filtered`. */
export interface ListBoardsV2ProjectTasksFilteredPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/filtered`. */
export type ListBoardsV2ProjectTasksFilteredResponse = BoardsV2Task[];

/** Query of `GET /boards/v2/projects/{board_id}/tasks/table`. */
export interface ListBoardsV2ProjectTasksTableQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /** Words that the title or the description holds, in any case. At most 200 characters. */
  search?: string;
  /** Only tasks in one of these stages. At most 100 items. */
  stage_ids?: number[];
  /** Only tasks of one of these users. At most 100 items. */
  assignees?: number[];
  /** Only tasks that carry one of these labels. At most 100 items. */
  labels?: number[];
  /** Only tasks of one of these priorities. At most 100 items. */
  priorities?: ("low" | "medium" | "high" | "urgent")[];
  /** Only tasks that are open, or closed. */
  status?: "open" | "closed";
  /** Only tasks that are overdue, due today, due within seven days, or never due. */
  due?: "overdue" | "today" | "week" | "none";
  /**
   * Archived tasks too, for members.
   * @default false
   */
  include_archived?: boolean;
  /**
   * What the list is sorted by; `position` is as on the board. Tasks without a date come last.
   * @default "position"
   */
  orderby?: "position" | "title" | "priority" | "due" | "created" | "updated";
  /**
   * Direction.
   * @default "asc"
   */
  order?: "asc" | "desc";
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/table`. */
export interface ListBoardsV2ProjectTasksTablePath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/table`. */
export type ListBoardsV2ProjectTasksTableResponse = BoardsV2TaskRow[];

/** Query of `GET /boards/v2/projects/{board_id}/tasks/by-stage`. */
export interface ListBoardsV2ProjectTasksByStageQuery extends SharedQuery {
  /**
   * Tasks shown of each stage: more are read by `tasks/stage-page`. 1 to 100.
   * @default 20
   */
  per_stage?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/by-stage`. */
export interface ListBoardsV2ProjectTasksByStagePath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/by-stage`. */
export type ListBoardsV2ProjectTasksByStageResponse = BoardsV2TaskColumns;

/** Query of `GET /boards/v2/projects/{board_id}/tasks/stage-page`. */
export interface ListBoardsV2ProjectTasksStagePageQuery extends SharedQuery {
  /** Number of the stage. At least 1. */
  stage_id: number;
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/stage-page`. */
export interface ListBoardsV2ProjectTasksStagePagePath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/stage-page`. */
export type ListBoardsV2ProjectTasksStagePageResponse = BoardsV2Task[];

/** Query of `GET /boards/v2/projects/{board_id}/tasks/archived`. */
export interface ListBoardsV2ProjectTasksArchivedQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/archived`. */
export interface ListBoardsV2ProjectTasksArchivedPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/archived`. */
export type ListBoardsV2ProjectTasksArchivedResponse = BoardsV2Task[];

/** Query of `GET /boards/v2/projects/{board_id}/archived-tasks`. */
export interface ListBoardsV2ProjectArchivedTasksQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/archived-tasks`. */
export interface ListBoardsV2ProjectArchivedTasksPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/archived-tasks`. */
export type ListBoardsV2ProjectArchivedTasksResponse = BoardsV2Task[];

/** Query of `POST /boards/v2/projects/{board_id}/tasks/create-task-from-image`. */
export type CreateBoardsV2ProjectTaskFromImageQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/create-task-from-image`. */
export interface CreateBoardsV2ProjectTaskFromImagePath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/create-task-from-image`. */
export type CreateBoardsV2ProjectTaskFromImageResponse = BoardsV2Task;

/** Query of `GET /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type GetBoardsV2ProjectTaskQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export interface GetBoardsV2ProjectTaskPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type GetBoardsV2ProjectTaskResponse = BoardsV2Task;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type UpdateBoardsV2ProjectTaskQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type UpdateBoardsV2ProjectTaskPath = GetBoardsV2ProjectTaskPath;

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type UpdateBoardsV2ProjectTaskResponse = BoardsV2Task;

/** Query of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type DeleteBoardsV2ProjectTaskQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type DeleteBoardsV2ProjectTaskPath = GetBoardsV2ProjectTaskPath;

/** Answer of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}`. */
export type DeleteBoardsV2ProjectTaskResponse = DeletedBoardsV2Task | BoardsV2Task;

/** Query of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/support-ticket`. */
export type DeleteBoardsV2ProjectTaskSupportTicketQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/support-ticket`. */
export interface DeleteBoardsV2ProjectTaskSupportTicketPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/support-ticket`. */
export type DeleteBoardsV2ProjectTaskSupportTicketResponse = DeletedBoardsV2Task | BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/dates`. */
export type CreateBoardsV2ProjectTaskDateQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/dates`. */
export interface CreateBoardsV2ProjectTaskDatePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/dates`. */
export type CreateBoardsV2ProjectTaskDateResponse = BoardsV2Task;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-task`. */
export type MoveBoardsV2ProjectTaskQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-task`. */
export interface MoveBoardsV2ProjectTaskPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-task`. */
export type MoveBoardsV2ProjectTaskResponse = BoardsV2Task;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-to-next-stage`. */
export type MoveBoardsV2ProjectTaskToNextStageQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-to-next-stage`. */
export interface MoveBoardsV2ProjectTaskToNextStagePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-to-next-stage`. */
export type MoveBoardsV2ProjectTaskToNextStageResponse = BoardsV2Task;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/pin`. */
export type PinBoardsV2ProjectTaskQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/pin`. */
export interface PinBoardsV2ProjectTaskPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/pin`. */
export type PinBoardsV2ProjectTaskResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/bulk-actions`. */
export type RunBoardsV2ProjectTasksBulkActionsQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/bulk-actions`. */
export interface RunBoardsV2ProjectTasksBulkActionsPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/bulk-actions`. */
export type RunBoardsV2ProjectTasksBulkActionsResponse = BoardsV2BulkResult;

/** Query of `PUT /boards/v2/projects/{board_id}/bulk-restore-tasks`. */
export type BulkRestoreBoardsV2ProjectTasksQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/bulk-restore-tasks`. */
export interface BulkRestoreBoardsV2ProjectTasksPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/bulk-restore-tasks`. */
export type BulkRestoreBoardsV2ProjectTasksResponse = BoardsV2BulkResult;

/** Query of `DELETE /boards/v2/projects/{board_id}/bulk-delete-tasks`. */
export interface BulkDeleteBoardsV2ProjectTasksQuery
  extends Pick<SharedQuery, "_fields" | "_envelope" | "_locale"> {
  /** Numbers of the tasks, archived or not. 1 to 200 items. */
  task_ids: number[];
}

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/bulk-delete-tasks`. */
export interface BulkDeleteBoardsV2ProjectTasksPath {
  /** Number of the board. */
  board_id: number;
}

/** Answer of `DELETE /boards/v2/projects/{board_id}/bulk-delete-tasks`. */
export type BulkDeleteBoardsV2ProjectTasksResponse = DeletedBoardsV2BulkResult | BoardsV2BulkResult;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/update-cover-photo/{task_id}`. */
export type UpdateBoardsV2ProjectTasksCoverPhotoQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/update-cover-photo/{task_id}`. */
export interface UpdateBoardsV2ProjectTasksCoverPhotoPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/update-cover-photo/{task_id}`. */
export type UpdateBoardsV2ProjectTasksCoverPhotoResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/status-update/{task_id}`. */
export type UpdateBoardsV2ProjectTasksStatusQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/status-update/{task_id}`. */
export interface UpdateBoardsV2ProjectTasksStatusPath {
  /** Number of the board. Pattern: `^[^\t-\r !\(\)\/?]+$`. */
  board_id: string;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/status-update/{task_id}`. */
export type UpdateBoardsV2ProjectTasksStatusResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-assist`. */
export type CreateBoardsV2ProjectTaskAiAssistQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-assist`. */
export interface CreateBoardsV2ProjectTaskAiAssistPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-assist`. */
export type CreateBoardsV2ProjectTaskAiAssistResponse = BoardsV2TaskAdvice;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-apply-suggestions`. */
export type ApplyBoardsV2ProjectTaskAiSuggestionsQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-apply-suggestions`. */
export interface ApplyBoardsV2ProjectTaskAiSuggestionsPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-apply-suggestions`. */
export type ApplyBoardsV2ProjectTaskAiSuggestionsResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/assign-yourself`. */
export type AssignBoardsV2ProjectTaskYourselfQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/assign-yourself`. */
export interface AssignBoardsV2ProjectTaskYourselfPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/assign-yourself`. */
export type AssignBoardsV2ProjectTaskYourselfResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/detach-yourself`. */
export type DetachBoardsV2ProjectTaskYourselfQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/detach-yourself`. */
export interface DetachBoardsV2ProjectTaskYourselfPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/detach-yourself`. */
export type DetachBoardsV2ProjectTaskYourselfResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/clone-task`. */
export type CloneBoardsV2ProjectTaskQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/clone-task`. */
export interface CloneBoardsV2ProjectTaskPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/clone-task`. */
export type CloneBoardsV2ProjectTaskResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comment-image-upload`. */
export type UploadBoardsV2ProjectTaskCommentImageQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comment-image-upload`. */
export interface UploadBoardsV2ProjectTaskCommentImagePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comment-image-upload`. */
export type UploadBoardsV2ProjectTaskCommentImageResponse = BoardsV2Image;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/task-cover-image-upload`. */
export type UploadBoardsV2ProjectTaskCoverImageQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/task-cover-image-upload`. */
export interface UploadBoardsV2ProjectTaskCoverImagePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/task-cover-image-upload`. */
export type UploadBoardsV2ProjectTaskCoverImageResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/remove-task-cover`. */
export type RemoveBoardsV2ProjectTaskCoverQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/remove-task-cover`. */
export interface RemoveBoardsV2ProjectTaskCoverPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/remove-task-cover`. */
export type RemoveBoardsV2ProjectTaskCoverResponse = BoardsV2Task;

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/core-editor-media-file-upload`. */
export type UploadBoardsV2ProjectTaskCoreEditorMediaFileQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/core-editor-media-file-upload`. */
export interface UploadBoardsV2ProjectTaskCoreEditorMediaFilePath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/core-editor-media-file-upload`. */
export type UploadBoardsV2ProjectTaskCoreEditorMediaFileResponse = BoardsV2Image;

/** Query of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/activities`. */
export interface ListBoardsV2ProjectTaskActivitiesQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /** Only what was done so. */
  action?:
    | "created" | "updated" | "deleted" | "archived" | "restored" | "moved" | "added" | "removed"
    | "assigned" | "unassigned" | "completed" | "reopened" | "voted" | "commented" | "replied"
    | "started" | "committed" | "uploaded" | "cloned" | "imported";
  /** Only what one user did. At least 1. */
  user_id?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/activities`. */
export interface ListBoardsV2ProjectTaskActivitiesPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/activities`. */
export type ListBoardsV2ProjectTaskActivitiesResponse = BoardsV2Activity[];

/** Query of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments-and-activities`. */
export interface ListBoardsV2ProjectTaskCommentsAndActivitiesQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments-and-activities`. */
export interface ListBoardsV2ProjectTaskCommentsAndActivitiesPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments-and-activities`. */
export type ListBoardsV2ProjectTaskCommentsAndActivitiesResponse = BoardsV2TimelineEntry[];

/** Query of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments`. */
export interface ListBoardsV2ProjectTaskCommentsQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
}

/** Path parameters of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments`. */
export interface ListBoardsV2ProjectTaskCommentsPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the task. */
  task_id: number;
}

/** Answer of `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments`. */
export type ListBoardsV2ProjectTaskCommentsResponse = BoardsV2Comment[];

/** Query of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comments`. */
export type CreateBoardsV2ProjectTaskCommentQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comments`. */
export type CreateBoardsV2ProjectTaskCommentPath = ListBoardsV2ProjectTaskCommentsPath;

/** Answer of `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comments`. */
export type CreateBoardsV2ProjectTaskCommentResponse = BoardsV2Comment;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`. */
export type UpdateBoardsV2ProjectTasksCommentQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`. */
export interface UpdateBoardsV2ProjectTasksCommentPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the comment. */
  comment_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`. */
export type UpdateBoardsV2ProjectTasksCommentResponse = BoardsV2Comment;

/** Query of `DELETE /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`. */
export type DeleteBoardsV2ProjectTasksCommentQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`. */
export type DeleteBoardsV2ProjectTasksCommentPath = UpdateBoardsV2ProjectTasksCommentPath;

/** Answer of `DELETE /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`. */
export type DeleteBoardsV2ProjectTasksCommentResponse = DeletedBoardsV2Comment | BoardsV2Comment;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}/privacy`. */
export type UpdateBoardsV2ProjectTasksCommentPrivacyQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}/privacy`. */
export interface UpdateBoardsV2ProjectTasksCommentPrivacyPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the comment. */
  comment_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}/privacy`. */
export type UpdateBoardsV2ProjectTasksCommentPrivacyResponse = BoardsV2Comment;

/** Query of `PUT /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`. */
export type UpdateBoardsV2ProjectTasksReplyQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`. */
export interface UpdateBoardsV2ProjectTasksReplyPath {
  /** Number of the board. */
  board_id: number;
  /** Number of the reply. */
  reply_id: number;
}

/** Answer of `PUT /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`. */
export type UpdateBoardsV2ProjectTasksReplyResponse = BoardsV2Reply;

/** Query of `DELETE /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`. */
export type DeleteBoardsV2ProjectTasksReplyQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`. */
export type DeleteBoardsV2ProjectTasksReplyPath = UpdateBoardsV2ProjectTasksReplyPath;

/** Answer of `DELETE /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`. */
export type DeleteBoardsV2ProjectTasksReplyResponse = DeletedBoardsV2Reply | BoardsV2Reply;

/** Query of `GET /boards/v2/admin/feature-modules`. */
export type ListBoardsV2AdminFeatureModulesQuery = SharedQuery;

/** Answer of `GET /boards/v2/admin/feature-modules`. */
export type ListBoardsV2AdminFeatureModulesResponse = BoardsV2FeatureModules;

/** Query of `POST /boards/v2/admin/feature-modules`. */
export type CreateBoardsV2AdminFeatureModuleQuery = SharedQuery;

/** Answer of `POST /boards/v2/admin/feature-modules`. */
export type CreateBoardsV2AdminFeatureModuleResponse = BoardsV2FeatureModules;

/** Query of `POST /boards/v2/admin/feature-modules/install-plugin`. */
export type InstallBoardsV2AdminFeatureModulesPluginQuery = SharedQuery;

/** Answer of `POST /boards/v2/admin/feature-modules/install-plugin`. */
export type InstallBoardsV2AdminFeatureModulesPluginResponse = BoardsV2InstalledPlugin;

/** Query of `GET /boards/v2/admin/general-settings`. */
export type GetBoardsV2AdminGeneralSettingsQuery = SharedQuery;

/** Answer of `GET /boards/v2/admin/general-settings`. */
export type GetBoardsV2AdminGeneralSettingsResponse = BoardsV2GeneralSettings;

/** Query of `POST /boards/v2/admin/general-settings`. */
export type UpdateBoardsV2AdminGeneralSettingsQuery = SharedQuery;

/** Answer of `POST /boards/v2/admin/general-settings`. */
export type UpdateBoardsV2AdminGeneralSettingsResponse = BoardsV2GeneralSettings;

/** Query of `GET /boards/v2/admin/mcp/status`. */
export type GetBoardsV2AdminMcpStatusQuery = SharedQuery;

/** Answer of `GET /boards/v2/admin/mcp/status`. */
export type GetBoardsV2AdminMcpStatusResponse = BoardsV2McpStatus;

/** Query of `POST /boards/v2/admin/mcp/toggle`. */
export type ToggleBoardsV2AdminMcpQuery = SharedQuery;

/** Answer of `POST /boards/v2/admin/mcp/toggle`. */
export type ToggleBoardsV2AdminMcpResponse = BoardsV2McpStatus;

/** Query of `POST /boards/v2/admin/mcp/install-adapter`. */
export type InstallBoardsV2AdminMcpAdapterQuery = SharedQuery;

/** Body of `POST /boards/v2/admin/mcp/install-adapter`. */
export type InstallBoardsV2AdminMcpAdapterBody = AnyFields;

/** Answer of `POST /boards/v2/admin/mcp/install-adapter`. */
export type InstallBoardsV2AdminMcpAdapterResponse = BoardsV2McpStatus;

/** Query of `GET /boards/v2/admin/mcp/config-snippet`. */
export interface GetBoardsV2AdminMcpConfigSnippetQuery extends SharedQuery {
  /**
   * The program that connects.
   * @default "claude-desktop"
   */
  client?: "claude-desktop" | "cursor" | "vscode";
}

/** Answer of `GET /boards/v2/admin/mcp/config-snippet`. */
export type GetBoardsV2AdminMcpConfigSnippetResponse = BoardsV2McpConfigSnippet;

/** Query of `GET /boards/v2/admin/pages`. */
export interface ListBoardsV2AdminPagesQuery extends SharedQuery {
  /**
   * Page of the list, from 1. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Items on a page. 1 to 100.
   * @default 20
   */
  per_page?: number;
  /** Part of the title. At most 100 characters. */
  search?: string;
}

/** Answer of `GET /boards/v2/admin/pages`. */
export type ListBoardsV2AdminPagesResponse = BoardsV2Page[];

/** Query of `GET /boards/v2/admin/folders`. */
export type ListBoardsV2AdminFoldersQuery = SharedQuery;

/** Answer of `GET /boards/v2/admin/folders`. */
export type ListBoardsV2AdminFoldersResponse = BoardsV2Folder[];

/** Query of `POST /boards/v2/admin/folders`. */
export type CreateBoardsV2AdminFolderQuery = SharedQuery;

/** Answer of `POST /boards/v2/admin/folders`. */
export type CreateBoardsV2AdminFolderResponse = BoardsV2Folder;

/** Query of `GET /boards/v2/admin/folders/{folder_id}`. */
export type GetBoardsV2AdminFolderQuery = SharedQuery;

/** Path parameters of `GET /boards/v2/admin/folders/{folder_id}`. */
export interface GetBoardsV2AdminFolderPath {
  /** Number of the folder. */
  folder_id: number;
}

/** Answer of `GET /boards/v2/admin/folders/{folder_id}`. */
export type GetBoardsV2AdminFolderResponse = BoardsV2Folder;

/** Query of `PUT /boards/v2/admin/folders/{folder_id}`. */
export type UpdateBoardsV2AdminFolderQuery = SharedQuery;

/** Path parameters of `PUT /boards/v2/admin/folders/{folder_id}`. */
export type UpdateBoardsV2AdminFolderPath = GetBoardsV2AdminFolderPath;

/** Answer of `PUT /boards/v2/admin/folders/{folder_id}`. */
export type UpdateBoardsV2AdminFolderResponse = BoardsV2Folder;

/** Query of `DELETE /boards/v2/admin/folders/{folder_id}`. */
export type DeleteBoardsV2AdminFolderQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /boards/v2/admin/folders/{folder_id}`. */
export type DeleteBoardsV2AdminFolderPath = GetBoardsV2AdminFolderPath;

/** Answer of `DELETE /boards/v2/admin/folders/{folder_id}`. */
export type DeleteBoardsV2AdminFolderResponse = DeletedBoardsV2Folder | BoardsV2Folder;

/** Query of `POST /boards/v2/admin/folders/{folder_id}/add-board`. */
export type AddBoardsV2AdminFolderBoardQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/admin/folders/{folder_id}/add-board`. */
export interface AddBoardsV2AdminFolderBoardPath {
  /** Number of the folder. */
  folder_id: number;
}

/** Answer of `POST /boards/v2/admin/folders/{folder_id}/add-board`. */
export type AddBoardsV2AdminFolderBoardResponse = BoardsV2Folder;

/** Query of `POST /boards/v2/admin/folders/{folder_id}/remove-board`. */
export type RemoveBoardsV2AdminFolderBoardQuery = SharedQuery;

/** Path parameters of `POST /boards/v2/admin/folders/{folder_id}/remove-board`. */
export interface RemoveBoardsV2AdminFolderBoardPath {
  /** Number of the folder. */
  folder_id: number;
}

/** Answer of `POST /boards/v2/admin/folders/{folder_id}/remove-board`. */
export type RemoveBoardsV2AdminFolderBoardResponse = BoardsV2Folder;

/** Query of `GET /boards/v2/ai/settings`. */
export type GetBoardsV2AiSettingsQuery = SharedQuery;

/** Answer of `GET /boards/v2/ai/settings`. */
export type GetBoardsV2AiSettingsResponse = BoardsV2AiSettings;

/** Query of `POST /boards/v2/ai/settings`. */
export type UpdateBoardsV2AiSettingsQuery = SharedQuery;

/** Answer of `POST /boards/v2/ai/settings`. */
export type UpdateBoardsV2AiSettingsResponse = BoardsV2AiSettings;

// ── Schemas ──────────────────────────────────────────────────────────────────────────────────────

export interface AddBoardsV2AdminFolderBoardBody {
  /** Number of the board. At least 1. */
  board_id: number;
}

export interface AddBoardsV2ProjectMembersBody {
  /** Numbers of the users. Who is on the board already takes the role. 1 to 50 items. */
  user_ids: number[];
  /**
   * Managers run the board, members work on it, viewers look at it.
   * @default "member"
   */
  role?: "manager" | "member" | "viewer";
}

/** The index does not say which fields are read. */
export type AnyFields = { [k: string]: unknown };

export interface ApplyBoardsV2ProjectTaskAiSuggestionsBody {
  /** Those of the assistant’s suggestions that are wanted. 1 to 20 items. */
  suggestions: {
    /** What it changes. */
    field: "title" | "description" | "priority" | "due_at" | "estimated_minutes";
    /** What to, as text. At most 60000 characters. */
    value: string;
    /** Why. */
    reason?: string;
  }[];
}

/** The answers to a batch, and what made it fail as a whole. */
export interface BatchResult {
  /** Present where nothing was run, because not every request is valid. */
  failed?: "validation";
  /** One for each request, in their order; null for what was not run. */
  responses: ( {
    body: unknown;
    status: number;
    headers: { [k: string]: unknown } | unknown[];
  } | null
  )[];
}

/** Something that was done, by whom and when. */
export interface BoardsV2Activity {
  /** Number of the activity. */
  id: number;
  /** Board that it happened on. */
  board_id: number;
  /** Task that it happened to; null for the whole board. */
  task_id: number | null;
  /** A person; null for somebody without an account. */
  user: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** What was done. */
  action:
    | "created" | "updated" | "deleted" | "archived" | "restored" | "moved" | "added" | "removed"
    | "assigned" | "unassigned" | "completed" | "reopened" | "voted" | "commented" | "replied"
    | "started" | "committed" | "uploaded" | "cloned" | "imported";
  /** To what. */
  subject:
    | "board" | "stage" | "task" | "idea" | "label" | "comment" | "reply" | "member" | "contact"
    | "time-track" | "date" | "cover" | "background" | "settings";
  /** In words: `moved “Draw the map” from To do to Done`. */
  text: string;
  /** What it was before. */
  old_value: string | null;
  /** What it is since. */
  new_value: string | null;
  /** When. Format: date-time. */
  at: string;
}

/** What people did. */
export interface BoardsV2ActivityReport {
  /** First day that counts; null for the beginning. */
  from: string | null;
  /** Last day that counts; null for now. */
  to: string | null;
  /** Activities in these days. */
  total: number;
  /** By what was done. */
  by_action: {
    created: number;
    updated: number;
    deleted: number;
    archived: number;
    restored: number;
    moved: number;
    added: number;
    removed: number;
    assigned: number;
    unassigned: number;
    completed: number;
    reopened: number;
    voted: number;
    commented: number;
    replied: number;
    started: number;
    committed: number;
    uploaded: number;
    cloned: number;
    imported: number;
  };
  /** By what it was done to. */
  by_subject: {
    board: number;
    stage: number;
    task: number;
    idea: number;
    label: number;
    comment: number;
    reply: number;
    member: number;
    contact: number;
    "time-track": number;
    date: number;
    cover: number;
    background: number;
    settings: number;
  };
  /** By person, the busiest first. */
  by_user: {
    /** A person; null for somebody without an account. */
    user: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** What they did. */
    activities: number;
  }[];
  /** By board, the busiest first. */
  by_board: {
    /** Number of the board. */
    board_id: number;
    /** Title of the board. */
    title: string;
    /** What happened on it. */
    activities: number;
  }[];
  /** By day. */
  by_day: {
    /** The day, in UTC. Format: date. */
    date: string;
    /** What happened on it. */
    activities: number;
  }[];
}

/** Help with writing tasks. */
export interface BoardsV2AiSettings {
  /** Whether tasks offer help with writing. */
  enabled: boolean;
  /** Whose model helps. */
  provider: "none" | "openai" | "anthropic" | "google";
  /** Name of the model, as its provider calls it. At most 100 characters. */
  model: string;
  /** How it writes. */
  tone: "neutral" | "friendly" | "formal";
  /** Longest answer. 64 to 8192. */
  max_output_tokens: number;
  /** Whether a key is kept. */
  has_api_key: boolean;
}

/** What was archived. */
export interface BoardsV2ArchivedTasks {
  /** Number of the stage. */
  stage_id: number;
  /** How many were archived. */
  archived: number;
}

/** Somebody who can be given work on a board. */
export interface BoardsV2Assignee {
  /** Number of the user. */
  id: number;
  /** Name as shown. */
  name: string;
  /** Open tasks of the board that are theirs. */
  open_task_count: number;
}

/** Somebody who works on the same boards. */
export interface BoardsV2AssociatedUser {
  /** Number of the user. */
  id: number;
  /** Name as shown. */
  name: string;
  /** Boards that both are on. */
  shared_board_count: number;
}

/** A board, with what is on it where one is read. */
export interface BoardsV2Board {
  /** Number of the board. */
  id: number;
  /** Name of the board. */
  title: string;
  /** What the board is for. */
  description: string;
  /** `kanban` boards hold tasks, `roadmap` boards ideas that are voted on. */
  type: "kanban" | "roadmap";
  /** Archived boards are hidden until they are restored. */
  status: "active" | "archived";
  /** Currency of amounts on the board (ISO 4217): `EUR`. */
  currency: string;
  /** What shows behind the board. */
  background: {
    /** Whether it is a picture. */
    is_image: boolean;
    /** Colour, which shows until the picture is there. Format: hex-color. */
    color: string;
    /** Address of the picture. Format: uri. */
    image_url: string | null;
  };
  /** Whether people without an account see it. */
  is_public: boolean;
  /** Whether the caller has pinned it. */
  is_pinned: boolean;
  /** What the caller is on it; null for a stranger. */
  role: "manager" | "member" | "viewer" | null;
  /** Stages that are not archived. */
  stage_count: number;
  /** Tasks that are not archived. */
  task_count: number;
  /** Those of them that are done. */
  completed_task_count: number;
  /** People on the board. */
  member_count: number;
  /** A person; null for somebody without an account. */
  created_by: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** When it was made. Format: date-time. */
  created_at: string;
  /** When it last changed, or anything on it. Format: date-time. */
  updated_at: string;
  /** When it was archived; null while it shows. Format: date-time. */
  archived_at: string | null;
  /** Its stages in their order. Absent in lists. */
  stages?: {
    /** Number of the stage. */
    id: number;
    /** Board that it belongs to. */
    board_id: number;
    /** Name of the stage. */
    title: string;
    /** Name in addresses, unique on its board. */
    slug: string;
    /** Place on the board, from 1; 0 while it is archived. */
    position: number;
    /** Colour of its head. Format: hex-color. */
    color: string;
    /** Status that tasks take when they come here; null leaves theirs. */
    default_status: "open" | "closed" | null;
    /** Numbers of the users who are assigned to tasks that are made here. */
    default_assignees: number[];
    /** Most tasks that may stand here; null for any number. */
    task_limit: number | null;
    /** Tasks that stand here. */
    task_count: number;
    /** Whether the caller has folded it. */
    is_folded: boolean;
    /** When it was archived; null while it shows. Format: date-time. */
    archived_at: string | null;
  }[];
  /** Its labels. Absent in lists. */
  labels?: {
    /** Number of the label. */
    id: number;
    /** Board that it belongs to. */
    board_id: number;
    /** Its text; a label may be a colour alone. */
    title: string;
    /** Colour of the text. Format: hex-color. */
    color: string;
    /** Colour behind the text. Format: hex-color. */
    background_color: string;
    /** Tasks that carry it and are not archived. */
    task_count: number;
  }[];
  /** The people on it; empty for strangers. Absent in lists. */
  members?: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
    /** Managers run a board, members work on it, viewers look at it. */
    role: "manager" | "member" | "viewer";
    /** When they came to the board. Format: date-time. */
    joined_at: string;
  }[];
}

/** Whether a board has changed, for callers that keep a copy. */
export interface BoardsV2BoardChange {
  /** Whether anything on it changed since. */
  changed: boolean;
  /** When it last changed. Format: date-time. */
  updated_at: string;
}

/** A colour for boards. */
export interface BoardsV2BoardColor {
  /** What it is called. */
  name: string;
  /** The colour: `#4c6ef5`. Format: hex-color. */
  value: string;
}

/** Everybody on a board. */
export interface BoardsV2BoardMembers {
  /** The people on it, those who came first before others. */
  members: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
    /** Managers run a board, members work on it, viewers look at it. */
    role: "manager" | "member" | "viewer";
    /** When they came to the board. Format: date-time. */
    joined_at: string;
  }[];
}

/** What a user is told of one board. */
export interface BoardsV2BoardNotifications {
  /** Number of the board. */
  board_id: number;
  /** Whether the user is told: A task was made. */
  task_created: boolean;
  /** Whether the user is told: A task was given to them. */
  task_assigned: boolean;
  /** Whether the user is told: A task of theirs was moved. */
  task_moved: boolean;
  /** Whether the user is told: A task of theirs was done. */
  task_completed: boolean;
  /** Whether the user is told: Somebody commented on a task of theirs. */
  comment_added: boolean;
  /** Whether the user is told: Somebody named them. */
  mentioned: boolean;
  /** Whether the user is told: A task of theirs is due within a day. */
  due_soon: boolean;
  /** Events in which the board differs from the global settings of the user. */
  overrides: (
    | "task_created"
    | "task_assigned"
    | "task_moved"
    | "task_completed"
    | "comment_added"
    | "mentioned"
    | "due_soon"
  )[];
}

/** A board, as one of a list to choose from. */
export interface BoardsV2BoardOfType {
  /** Number of the board. */
  id: number;
  /** Its title. */
  title: string;
  /** Kind of the board. */
  type: "kanban" | "roadmap";
  /** Its stages, in their order. */
  stages: {
    /** Number of the stage. */
    id: number;
    /** Its title. */
    title: string;
    /** Its name in addresses. */
    slug: string;
    /** Its place on the board, from 1. */
    position: number;
  }[];
}

/** A person on a board. */
export interface BoardsV2BoardUser {
  /** Number of the user. */
  id: number;
  /** Name as shown. */
  name: string;
  /** Managers run a board, members work on it, viewers look at it. */
  role: "manager" | "member" | "viewer";
  /** When they came to the board. Format: date-time. */
  joined_at: string;
}

/** What became of many tasks. */
export interface BoardsV2BulkResult {
  /** What was done. */
  action: string;
  /** Numbers of the tasks it was done to. */
  done: number[];
  /** The others, and why. */
  refused: {
    /** Number that was given. */
    id: number;
    /** A stable name: `task_not_found`. */
    code: string;
    /** For a person. */
    message: string;
  }[];
}

/** What somebody has to say about a task, with the replies to it. */
export interface BoardsV2Comment {
  /** Number of the comment. */
  id: number;
  /** Board that it stands on. */
  board_id: number;
  /** Task that it stands on. */
  task_id: number;
  /** A person; null for somebody without an account. */
  author: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** The text, in Markdown. */
  content: string;
  /** Who may read it and its replies: everybody who sees the board, or members alone. */
  privacy: "public" | "private";
  /** Addresses of its pictures. */
  images: string[];
  /** The replies, the oldest first. */
  replies: {
    /** Number of the reply. */
    id: number;
    /** Comment that it replies to. */
    comment_id: number;
    /** Task that it stands on. */
    task_id: number;
    /** A person; null for somebody without an account. */
    author: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** The text, in Markdown. */
    content: string;
    /** When it was written. Format: date-time. */
    created_at: string;
    /** When it last changed. Format: date-time. */
    updated_at: string;
  }[];
  /** When it was written. Format: date-time. */
  created_at: string;
  /** When it last changed. Format: date-time. */
  updated_at: string;
}

/** A customer of the register. */
export interface BoardsV2Contact {
  /** Number of the contact. */
  id: number;
  /** Name of the person. */
  name: string;
  /** Where to write to. Format: email. */
  email: string;
  /** Whom they work for. */
  company: string;
}

/** A currency for the amounts of a board. */
export interface BoardsV2Currency {
  /** ISO 4217: `EUR`. */
  code: string;
  /** What it is called. */
  name: string;
  /** Its sign: `€`. */
  symbol: string;
}

/** How a user sees their boards. */
export interface BoardsV2DashboardView {
  /** How boards are laid out. */
  layout: "grid" | "list";
  /** What they are sorted by. */
  sort: "recent" | "title" | "created";
  /** What else shows, in its order. */
  widgets: ("recent_boards" | "pinned_boards" | "my_tasks" | "overdue_tasks" | "activity")[];
  /** Whether archived boards show. */
  show_archived: boolean;
}

/** What the site can do. */
export interface BoardsV2FeatureModules {
  /** Modules by name: whether they are on. */
  modules: {
    /** Time that is spent on tasks, and timesheets of it. */
    time_tracking: boolean;
    /** Boards of ideas that are voted on. */
    roadmaps: boolean;
    /** Sums over all boards. */
    reports: boolean;
    /** Customers of boards and tasks. */
    crm: boolean;
    /** Help with writing tasks. */
    ai: boolean;
    /** Boards as tools for assistants. */
    mcp: boolean;
    /** Folders for boards. */
    folders: boolean;
  };
  /** Plugins that work together with boards: whether they are installed. */
  plugins: {
    /** Whether crm is there. */
    crm: boolean;
    /** Whether helpdesk is there. */
    helpdesk: boolean;
    /** Whether forms is there. */
    forms: boolean;
  };
}

/** A folder for boards. */
export interface BoardsV2Folder {
  /** Number of the folder. */
  id: number;
  /** Name of the folder. 1 to 100 characters. */
  title: string;
  /** What it is for. At most 1000 characters. */
  description: string;
  /** Colour of the folder: `#1098ad`. Format: hex-color. */
  color: string;
  /** Numbers of its boards that the caller may see, in their order. */
  board_ids: number[];
  /** When it was made. Format: date-time. */
  created_at: string;
}

/** What holds for every board. */
export interface BoardsV2GeneralSettings {
  /** Currency of new boards (ISO 4217). */
  default_currency:
    | "AUD" | "BRL" | "CAD" | "CHF" | "CZK" | "EUR" | "GBP" | "INR" | "JPY" | "NGN" | "NOK" | "PLN"
    | "SEK" | "USD";
  /** First day of a week in calendars. */
  week_starts_on: "monday" | "sunday";
  /** How days are written, as PHP names it. */
  date_format: "Y-m-d" | "d.m.Y" | "m/d/Y";
  /** Who may make boards. */
  board_creators: "administrators" | "editors" | "everyone";
  /** Days after which archived tasks may be deleted for good; 0 keeps them. 0 to 3650. */
  keep_archived_days: number;
  /** Who mails of the site come from. 1 to 100 characters. */
  email_from_name: string;
}

/** Something that people would like to have. */
export interface BoardsV2Idea {
  /** Number of the idea. */
  id: number;
  /** Roadmap that it is on. */
  board_id: number;
  /** How far it is. */
  stage: {
    /** Number of the stage. */
    id: number;
    /** Its title. */
    title: string;
    /** Its name in addresses. */
    slug: string;
  };
  /** The idea in one line. */
  title: string;
  /** Its name in addresses. */
  slug: string;
  /** All of it, in Markdown. */
  description: string;
  /** Texts of its labels. */
  labels: string[];
  /** How many have voted for it. */
  votes: number;
  /** Whether the caller has. */
  has_voted: boolean;
  /** Comments that the caller may read. */
  comment_count: number;
  /** Whether it waits for a manager before it shows, or was archived. */
  is_awaiting_approval: boolean;
  /** A person; null for somebody without an account. */
  author: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** When it was sent in. Format: date-time. */
  created_at: string;
  /** When it last changed. Format: date-time. */
  updated_at: string;
}

/** The ideas of one day. */
export interface BoardsV2IdeaDay {
  /** The day, in UTC. Format: date. */
  date: string;
  /** Ideas sent in on it. */
  total: number;
  /** Votes that they have now. */
  votes: number;
  /** The ideas, the newest first. */
  ideas: {
    /** Number of the idea. */
    id: number;
    /** Roadmap that it is on. */
    board_id: number;
    /** How far it is. */
    stage: {
      /** Number of the stage. */
      id: number;
      /** Its title. */
      title: string;
      /** Its name in addresses. */
      slug: string;
    };
    /** The idea in one line. */
    title: string;
    /** Its name in addresses. */
    slug: string;
    /** All of it, in Markdown. */
    description: string;
    /** Texts of its labels. */
    labels: string[];
    /** How many have voted for it. */
    votes: number;
    /** Whether the caller has. */
    has_voted: boolean;
    /** Comments that the caller may read. */
    comment_count: number;
    /** Whether it waits for a manager before it shows, or was archived. */
    is_awaiting_approval: boolean;
    /** A person; null for somebody without an account. */
    author: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** When it was sent in. Format: date-time. */
    created_at: string;
    /** When it last changed. Format: date-time. */
    updated_at: string;
  }[];
}

/** A picture that was sent to a board. */
export interface BoardsV2Image {
  /** Number of the picture. */
  id: number;
  /** Board that it belongs to. */
  board_id: number;
  /** Name of the file. */
  name: string;
  /** Media type, by its first bytes: `image/png`. */
  mime_type: string;
  /** Size in bytes. */
  size: number;
  /** Where it can be fetched. Format: uri. */
  url: string;
  /** When it was sent. Format: date-time. */
  uploaded_at: string;
}

/** A plugin that was installed. */
export interface BoardsV2InstalledPlugin {
  /** Which plugin. */
  plugin: "crm" | "helpdesk" | "forms";
  /** Always true. */
  installed: boolean;
}

/** A mark for the tasks of a board. */
export interface BoardsV2Label {
  /** Number of the label. */
  id: number;
  /** Board that it belongs to. */
  board_id: number;
  /** Its text; a label may be a colour alone. */
  title: string;
  /** Colour of the text. Format: hex-color. */
  color: string;
  /** Colour behind the text. Format: hex-color. */
  background_color: string;
  /** Tasks that carry it and are not archived. */
  task_count: number;
}

/** What to paste into the settings of a program. */
export interface BoardsV2McpConfigSnippet {
  /** The program. */
  client: "claude-desktop" | "cursor" | "vscode";
  /** Where it keeps its settings. */
  file: string;
  /** The text, which is JSON; the password is for the reader to fill in. */
  snippet: string;
}

/** Whether assistants can use the boards as tools. */
export interface BoardsV2McpStatus {
  /** Whether they are switched on. */
  enabled: boolean;
  /** Whether the adapter it needs is there. */
  adapter_installed: boolean;
  /** Where assistants connect to; null while it is off or the adapter is missing. Format: uri. */
  endpoint: string | null;
  /** What assistants may do. */
  tools: string[];
}

/** An entry of the menu of a board. */
export interface BoardsV2MenuItem {
  /** Which entry: `members`. */
  key: string;
  /** What it is called. */
  title: string;
  /** Address of what it shows. Format: uri. */
  href: string;
}

/** What was moved. */
export interface BoardsV2MovedTasks {
  /** Where they stood. */
  from_stage_id: number;
  /** Where they stand. */
  to_stage_id: number;
  /** How many were moved. */
  moved: number;
}

/** What a user is told of, on boards for which they chose nothing else. */
export interface BoardsV2NotificationSettings {
  /** Whether the user is told: A task was made. */
  task_created: boolean;
  /** Whether the user is told: A task was given to them. */
  task_assigned: boolean;
  /** Whether the user is told: A task of theirs was moved. */
  task_moved: boolean;
  /** Whether the user is told: A task of theirs was done. */
  task_completed: boolean;
  /** Whether the user is told: Somebody commented on a task of theirs. */
  comment_added: boolean;
  /** Whether the user is told: Somebody named them. */
  mentioned: boolean;
  /** Whether the user is told: A task of theirs is due within a day. */
  due_soon: boolean;
}

/** How far a user is with the first steps. */
export interface BoardsV2Onboarding {
  /** Users start as `pending`. */
  status: "pending" | "skipped" | "done";
}

/** Something that can be chosen. */
export interface BoardsV2Option {
  /** Its number. */
  id: number;
  /** What it is called. */
  title: string;
}

/** How things stand. */
export interface BoardsV2OverviewReport {
  /** First day that counts; null for the beginning. */
  from: string | null;
  /** Last day that counts; null for now. */
  to: string | null;
  /** Boards that the report looks at. */
  boards: number;
  /** People on them. */
  members: number;
  /** Tasks on them that are not archived, made until the last day. */
  tasks: number;
  /** Tasks that are open. */
  open: number;
  /** Tasks that are closed. */
  closed: number;
  /** Open tasks that are past their due date. */
  overdue: number;
  /** Tasks made in these days. */
  created: number;
  /** Tasks completed in these days. */
  completed: number;
  /** Comments written in these days. */
  comments: number;
  /** Minutes committed in these days. */
  minutes: number;
}

/** A page of the site. */
export interface BoardsV2Page {
  /** Number of the page. */
  id: number;
  /** Its title. */
  title: string;
  /** Its address. Format: uri. */
  url: string;
}

/** What strangers may see of a board. */
export interface BoardsV2PublicAccess {
  /** Number of the board. */
  board_id: number;
  /** Whether people without an account see the board. */
  enabled: boolean;
  /** Whether they see comments that are not private. */
  show_comments: boolean;
  /** Whether they see who does what. */
  show_assignees: boolean;
}

/** Who left a board. */
export interface BoardsV2RemovedMember {
  /** Always true. */
  removed: boolean;
  /** A person; null for somebody without an account. */
  user: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
}

/** An answer to a comment. */
export interface BoardsV2Reply {
  /** Number of the reply. */
  id: number;
  /** Comment that it replies to. */
  comment_id: number;
  /** Task that it stands on. */
  task_id: number;
  /** A person; null for somebody without an account. */
  author: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** The text, in Markdown. */
  content: string;
  /** When it was written. Format: date-time. */
  created_at: string;
  /** When it last changed. Format: date-time. */
  updated_at: string;
}

/** How the page looks that shows the roadmap. */
export interface BoardsV2RoadmapPageSettings {
  /** Page of the site that shows the roadmap, one of `admin/pages`. Null for none. */
  page_id: number | null;
  /** What stands above the roadmap. At most 200 characters. */
  title: string;
  /** A few words below the title. At most 2000 characters. */
  intro: string;
  /** Colour of buttons and votes: `#4263eb`. Format: hex-color. */
  accent_color: string;
  /** Stages side by side, or below one another. */
  layout: "columns" | "list";
  /** Address of that page; null for none. Format: uri. */
  page_url: string | null;
}

/** What people would like to have. */
export interface BoardsV2RoadmapReport {
  /** First day that counts; null for the beginning. */
  from: string | null;
  /** Last day that counts; null for now. */
  to: string | null;
  /** Roadmaps that the report looks at. */
  roadmaps: number;
  /** Ideas sent in in these days that show. */
  ideas: number;
  /** Votes given in these days. */
  votes: number;
  /** Comments written in these days. */
  comments: number;
  /** People who voted in these days. */
  voters: number;
  /** Ideas that do not show: they wait for a manager, or were archived. */
  awaiting_approval: number;
  /** By roadmap. */
  by_roadmap: {
    /** Number of the board. */
    board_id: number;
    /** Title of the board. */
    title: string;
    /** Ideas sent in in these days that show. */
    ideas: number;
    /** Votes given in these days. */
    votes: number;
    /** Comments written in these days. */
    comments: number;
  }[];
  /** Ideas by how far they are. */
  by_stage: {
    /** Number of the board. */
    board_id: number;
    /** Number of the stage. */
    stage_id: number;
    /** Title of the stage. */
    title: string;
    /** Ideas there now. */
    ideas: number;
  }[];
  /** By day. */
  by_day: {
    /** The day, in UTC. Format: date. */
    date: string;
    /** Ideas sent in in these days that show. */
    ideas: number;
    /** Votes given in these days. */
    votes: number;
    /** Comments written in these days. */
    comments: number;
  }[];
  /** The ten with the most votes, of all days. */
  top_ideas: {
    /** Number of the idea. */
    id: number;
    /** Number of the board. */
    board_id: number;
    /** The idea in one line. */
    title: string;
    /** Votes that it has now. */
    votes: number;
  }[];
}

/** What users may do on roadmaps. */
export interface BoardsV2RoadmapSettings {
  /** Whether users may send in ideas. */
  accept_ideas: boolean;
  /** Whether an idea waits for a manager before it shows. */
  moderate_ideas: boolean;
  /** Whether users may comment on ideas. */
  allow_comments: boolean;
  /** Whether users may vote for ideas. */
  allow_votes: boolean;
  /** Votes of one user on one roadmap, 0 for any number. 0 to 1000. */
  votes_per_user: number;
}

/** Something that holds the words that were looked for. */
export interface BoardsV2SearchResult {
  /** What it is. */
  kind: "board" | "task" | "idea" | "comment";
  /** Its number. */
  id: number;
  /** Its title; of a comment, that of its task. */
  title: string;
  /** The text around the first of the words. */
  excerpt: string;
  /** Board that it is on. */
  board_id: number;
  /** Title of that board. */
  board_title: string;
  /** Task that a comment stands on; null for anything else. */
  task_id: number | null;
  /** When it last changed. Format: date-time. */
  updated_at: string;
}

/** A board by name, for menus. */
export interface BoardsV2ShortBoard {
  /** Number of the board. */
  id: number;
  /** Name of the board. */
  title: string;
  /** Kind of the board. */
  type: "kanban" | "roadmap";
}

/** The tasks of a stage. */
export interface BoardsV2SortedTasks {
  /** Number of the stage. */
  stage_id: number;
  /** Its tasks in their new order. */
  tasks: {
    /** Number of the task. */
    id: number;
    /** Board that the task is on. */
    board_id: number;
    /** Stage that the task stands in. */
    stage_id: number;
    /** Tasks of a roadmap are ideas. */
    type: "task" | "idea";
    /** What is to be done. */
    title: string;
    /** Name in addresses, unique on its board. */
    slug: string;
    /** The whole of it, in Markdown. */
    description: string;
    /** Whether it is done. */
    status: "open" | "closed";
    /** How much it matters. */
    priority: "low" | "medium" | "high" | "urgent";
    /** Place in its stage, from 1; 0 while it is archived. */
    position: number;
    /** Who works on it. */
    assignees: ( {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null
    )[];
    /** Labels that it carries. */
    labels: {
      /** Number of the label. */
      id: number;
      /** Its text. */
      title: string;
      /** Colour of the text. */
      color: string;
      /** Colour behind the text. */
      background_color: string;
    }[];
    /** When work begins. Format: date-time. */
    starts_at: string | null;
    /** When it has to be done. Format: date-time. */
    due_at: string | null;
    /** When its assignees are reminded. Format: date-time. */
    remind_at: string | null;
    /** Whether it is open though it is due. */
    is_overdue: boolean;
    /** What shows at its top: a colour or a picture. */
    cover: {
      /** A colour: `#ffd43b`. */
      color: string | null;
      /** Address of a picture. Format: uri. */
      image_url: string | null;
    } | null;
    /** Customer whom it is for. */
    contact_id: number | null;
    /** Help desk ticket that it came from. */
    support_ticket_id: number | null;
    /** How long it should take. */
    estimated_minutes: number;
    /** Time that was committed to it. */
    worked_minutes: number;
    /** Comments that the caller may read. */
    comment_count: number;
    /** Whether the caller has pinned it. */
    is_pinned: boolean;
    /** A person; null for somebody without an account. */
    created_by: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** When it was made. Format: date-time. */
    created_at: string | null;
    /** When it last changed, or anything about it. Format: date-time. */
    updated_at: string | null;
    /** When it was done; null while it is open. Format: date-time. */
    completed_at: string | null;
    /** When it was archived; null while it shows. Format: date-time. */
    archived_at: string | null;
  }[];
}

/** A column of a board. */
export interface BoardsV2Stage {
  /** Number of the stage. */
  id: number;
  /** Board that it belongs to. */
  board_id: number;
  /** Name of the stage. */
  title: string;
  /** Name in addresses, unique on its board. */
  slug: string;
  /** Place on the board, from 1; 0 while it is archived. */
  position: number;
  /** Colour of its head. Format: hex-color. */
  color: string;
  /** Status that tasks take when they come here; null leaves theirs. */
  default_status: "open" | "closed" | null;
  /** Numbers of the users who are assigned to tasks that are made here. */
  default_assignees: number[];
  /** Most tasks that may stand here; null for any number. */
  task_limit: number | null;
  /** Tasks that stand here. */
  task_count: number;
  /** Whether the caller has folded it. */
  is_folded: boolean;
  /** When it was archived; null while it shows. Format: date-time. */
  archived_at: string | null;
}

/** The stages of a board. */
export interface BoardsV2StageOrder {
  /** All that are not archived, in their order. */
  stages: {
    /** Number of the stage. */
    id: number;
    /** Board that it belongs to. */
    board_id: number;
    /** Name of the stage. */
    title: string;
    /** Name in addresses, unique on its board. */
    slug: string;
    /** Place on the board, from 1; 0 while it is archived. */
    position: number;
    /** Colour of its head. Format: hex-color. */
    color: string;
    /** Status that tasks take when they come here; null leaves theirs. */
    default_status: "open" | "closed" | null;
    /** Numbers of the users who are assigned to tasks that are made here. */
    default_assignees: number[];
    /** Most tasks that may stand here; null for any number. */
    task_limit: number | null;
    /** Tasks that stand here. */
    task_count: number;
    /** Whether the caller has folded it. */
    is_folded: boolean;
    /** When it was archived; null while it shows. Format: date-time. */
    archived_at: string | null;
  }[];
}

/** The places of a stage that a task can take. */
export interface BoardsV2StagePositions {
  /** Number of the stage. */
  stage_id: number;
  /** Its places from 1. */
  positions: number[];
}

/** A piece of work on a board. */
export interface BoardsV2Task {
  /** Number of the task. */
  id: number;
  /** Board that the task is on. */
  board_id: number;
  /** Stage that the task stands in. */
  stage_id: number;
  /** Tasks of a roadmap are ideas. */
  type: "task" | "idea";
  /** What is to be done. */
  title: string;
  /** Name in addresses, unique on its board. */
  slug: string;
  /** The whole of it, in Markdown. */
  description: string;
  /** Whether it is done. */
  status: "open" | "closed";
  /** How much it matters. */
  priority: "low" | "medium" | "high" | "urgent";
  /** Place in its stage, from 1; 0 while it is archived. */
  position: number;
  /** Who works on it. */
  assignees: ( {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null
  )[];
  /** Labels that it carries. */
  labels: {
    /** Number of the label. */
    id: number;
    /** Its text. */
    title: string;
    /** Colour of the text. */
    color: string;
    /** Colour behind the text. */
    background_color: string;
  }[];
  /** When work begins. Format: date-time. */
  starts_at: string | null;
  /** When it has to be done. Format: date-time. */
  due_at: string | null;
  /** When its assignees are reminded. Format: date-time. */
  remind_at: string | null;
  /** Whether it is open though it is due. */
  is_overdue: boolean;
  /** What shows at its top: a colour or a picture. */
  cover: {
    /** A colour: `#ffd43b`. */
    color: string | null;
    /** Address of a picture. Format: uri. */
    image_url: string | null;
  } | null;
  /** Customer whom it is for. */
  contact_id: number | null;
  /** Help desk ticket that it came from. */
  support_ticket_id: number | null;
  /** How long it should take. */
  estimated_minutes: number;
  /** Time that was committed to it. */
  worked_minutes: number;
  /** Comments that the caller may read. */
  comment_count: number;
  /** Whether the caller has pinned it. */
  is_pinned: boolean;
  /** A person; null for somebody without an account. */
  created_by: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** When it was made. Format: date-time. */
  created_at: string | null;
  /** When it last changed, or anything about it. Format: date-time. */
  updated_at: string | null;
  /** When it was done; null while it is open. Format: date-time. */
  completed_at: string | null;
  /** When it was archived; null while it shows. Format: date-time. */
  archived_at: string | null;
}

/** What the assistant says of a task. */
export interface BoardsV2TaskAdvice {
  /** Number of the task. */
  task_id: number;
  /** What was asked for. */
  action: "improve" | "estimate" | "plan" | "summarize";
  /** Who speaks: the built-in rules, or the model that the AI settings name. */
  source: string;
  /** The answer, for a person. */
  text: string;
  /** Changes that `ai-apply-suggestions` takes as they stand. At most 20 items. */
  suggestions: {
    /** What it changes. */
    field: "title" | "description" | "priority" | "due_at" | "estimated_minutes";
    /** What to, as text. At most 60000 characters. */
    value: string;
    /** Why. */
    reason: string;
  }[];
}

/** A board as it hangs on the wall: its stages with their tasks. */
export interface BoardsV2TaskColumns {
  /** Number of the board. */
  board_id: number;
  /** Tasks on the board that are not archived. */
  total: number;
  /** The stages in their order. */
  stages: {
    /** Number of the stage. */
    stage_id: number;
    /** Its title. */
    title: string;
    /** Its place on the board, from 1. */
    position: number;
    /** Its colour. */
    color: string;
    /** Tasks in it, shown or not. */
    total: number;
    /** The first tasks, in their order. */
    tasks: {
      /** Number of the task. */
      id: number;
      /** Board that the task is on. */
      board_id: number;
      /** Stage that the task stands in. */
      stage_id: number;
      /** Tasks of a roadmap are ideas. */
      type: "task" | "idea";
      /** What is to be done. */
      title: string;
      /** Name in addresses, unique on its board. */
      slug: string;
      /** The whole of it, in Markdown. */
      description: string;
      /** Whether it is done. */
      status: "open" | "closed";
      /** How much it matters. */
      priority: "low" | "medium" | "high" | "urgent";
      /** Place in its stage, from 1; 0 while it is archived. */
      position: number;
      /** Who works on it. */
      assignees: ( {
        /** Number of the user. */
        id: number;
        /** Name as shown. */
        name: string;
      } | null
      )[];
      /** Labels that it carries. */
      labels: {
        /** Number of the label. */
        id: number;
        /** Its text. */
        title: string;
        /** Colour of the text. */
        color: string;
        /** Colour behind the text. */
        background_color: string;
      }[];
      /** When work begins. Format: date-time. */
      starts_at: string | null;
      /** When it has to be done. Format: date-time. */
      due_at: string | null;
      /** When its assignees are reminded. Format: date-time. */
      remind_at: string | null;
      /** Whether it is open though it is due. */
      is_overdue: boolean;
      /** What shows at its top: a colour or a picture. */
      cover: {
        /** A colour: `#ffd43b`. */
        color: string | null;
        /** Address of a picture. Format: uri. */
        image_url: string | null;
      } | null;
      /** Customer whom it is for. */
      contact_id: number | null;
      /** Help desk ticket that it came from. */
      support_ticket_id: number | null;
      /** How long it should take. */
      estimated_minutes: number;
      /** Time that was committed to it. */
      worked_minutes: number;
      /** Comments that the caller may read. */
      comment_count: number;
      /** Whether the caller has pinned it. */
      is_pinned: boolean;
      /** A person; null for somebody without an account. */
      created_by: {
        /** Number of the user. */
        id: number;
        /** Name as shown. */
        name: string;
      } | null;
      /** When it was made. Format: date-time. */
      created_at: string | null;
      /** When it last changed, or anything about it. Format: date-time. */
      updated_at: string | null;
      /** When it was done; null while it is open. Format: date-time. */
      completed_at: string | null;
      /** When it was archived; null while it shows. Format: date-time. */
      archived_at: string | null;
    }[];
  }[];
}

/** Where a task stands, and where it could go. */
export interface BoardsV2TaskPlace {
  /** Number of the task. */
  task_id: number;
  /** Number of its board. */
  board_id: number;
  /** Place in its stage, from 1; 0 while it is archived. */
  position: number;
  /** Stage that it stands in. */
  stage: {
    /** Number of the stage. */
    id: number;
    /** Its title. */
    title: string;
    /** Its name in addresses. */
    slug: string;
    /** Its place on the board, from 1. */
    position: number;
  };
  /** All stages of the board, in their order. */
  stages: {
    /** Number of the stage. */
    id: number;
    /** Its title. */
    title: string;
    /** Its name in addresses. */
    slug: string;
    /** Its place on the board, from 1. */
    position: number;
  }[];
}

/** A task as a row of a table. */
export interface BoardsV2TaskRow {
  /** Number of the task. */
  id: number;
  /** What is to be done. */
  title: string;
  /** Title of its stage. */
  stage: string;
  /** Whether it is done. */
  status: "open" | "closed";
  /** How much it matters. */
  priority: "low" | "medium" | "high" | "urgent";
  /** Names of those who work on it. */
  assignees: string[];
  /** Texts of its labels. */
  labels: string[];
  /** When it has to be done. Format: date-time. */
  due_at: string | null;
  /** Whether it is open though it is due. */
  is_overdue: boolean;
  /** How long it should take. */
  estimated_minutes: number;
  /** Time that was committed to it. */
  worked_minutes: number;
  /** When it last changed. Format: date-time. */
  updated_at: string;
}

/** What a user sees on a task. */
export interface BoardsV2TaskTabs {
  /** The tabs of an open task that show, in their order. At least 1 items. */
  tabs: ("comments" | "activities" | "time-tracks" | "subtasks" | "files")[];
}

/** What is to be done, and what was. */
export interface BoardsV2TasksReport {
  /** First day that counts; null for the beginning. */
  from: string | null;
  /** Last day that counts; null for now. */
  to: string | null;
  /** Tasks that are not archived, made until the last day. */
  total: number;
  /** Tasks that are open. */
  open: number;
  /** Tasks that are closed. */
  closed: number;
  /** Open tasks that are past their due date. */
  overdue: number;
  /** By how much they matter. */
  by_priority: {
    low: number;
    medium: number;
    high: number;
    urgent: number;
  };
  /** By board. */
  by_board: {
    /** Number of the board. */
    board_id: number;
    /** Title of the board. */
    title: string;
    /** Tasks that are open. */
    open: number;
    /** Tasks that are closed. */
    closed: number;
    /** Open tasks that are past their due date. */
    overdue: number;
  }[];
  /** By stage, in the order of the boards. */
  by_stage: {
    /** Number of the board. */
    board_id: number;
    /** Number of the stage. */
    stage_id: number;
    /** Title of the stage. */
    title: string;
    /** Tasks in it. */
    tasks: number;
  }[];
  /** By who works on them, the most first. */
  by_assignee: {
    /** A person; null for somebody without an account. */
    user: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** Their open tasks. */
    tasks: number;
  }[];
  /** By day. */
  by_day: {
    /** The day, in UTC. Format: date. */
    date: string;
    /** Tasks made. */
    created: number;
    /** Tasks completed. */
    completed: number;
  }[];
}

/** How long a task should take, beside what it took. */
export interface BoardsV2TimeEstimate {
  /** Number of the task. */
  task_id: number;
  /** How long it should take. */
  estimated_minutes: number;
  /** Time that was committed to it. */
  worked_minutes: number;
  /** What is left of the estimate; negative where it was too small. */
  remaining_minutes: number;
}

/** Time that somebody spends on a task: it runs until it is committed. */
export interface BoardsV2TimeTrack {
  /** Number of the time track. */
  id: number;
  /** Board of the task. */
  board_id: number;
  /** Task that it is spent on. */
  task_id: number;
  /** A person; null for somebody without an account. */
  user: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** Whether it still runs. */
  status: "running" | "committed";
  /** When it began. Format: date-time. */
  started_at: string;
  /** When it was committed; null while it runs. Format: date-time. */
  committed_at: string | null;
  /** Whole minutes: as committed, or so far. */
  minutes: number;
  /** What was done in that time. */
  note: string;
  /** Whether a customer pays for it. */
  billable: boolean;
}

/** A comment on a task, or something that was done to it. */
export interface BoardsV2TimelineEntry {
  /** Which of the two. */
  kind: "comment" | "activity";
  /** When. Format: date-time. */
  at: string;
  /** The comment; null for an activity. */
  comment: {
    /** Number of the comment. */
    id: number;
    /** Board that it stands on. */
    board_id: number;
    /** Task that it stands on. */
    task_id: number;
    /** A person; null for somebody without an account. */
    author: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** The text, in Markdown. */
    content: string;
    /** Who may read it and its replies: everybody who sees the board, or members alone. */
    privacy: "public" | "private";
    /** Addresses of its pictures. */
    images: string[];
    /** The replies, the oldest first. */
    replies: {
      /** Number of the reply. */
      id: number;
      /** Comment that it replies to. */
      comment_id: number;
      /** Task that it stands on. */
      task_id: number;
      /** A person; null for somebody without an account. */
      author: {
        /** Number of the user. */
        id: number;
        /** Name as shown. */
        name: string;
      } | null;
      /** The text, in Markdown. */
      content: string;
      /** When it was written. Format: date-time. */
      created_at: string;
      /** When it last changed. Format: date-time. */
      updated_at: string;
    }[];
    /** When it was written. Format: date-time. */
    created_at: string;
    /** When it last changed. Format: date-time. */
    updated_at: string;
  } | null;
  /** The activity; null for a comment. */
  activity: {
    /** Number of the activity. */
    id: number;
    /** Board that it happened on. */
    board_id: number;
    /** Task that it happened to; null for the whole board. */
    task_id: number | null;
    /** A person; null for somebody without an account. */
    user: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** What was done. */
    action:
      | "created" | "updated" | "deleted" | "archived" | "restored" | "moved" | "added" | "removed"
      | "assigned" | "unassigned" | "completed" | "reopened" | "voted" | "commented" | "replied"
      | "started" | "committed" | "uploaded" | "cloned" | "imported";
    /** To what. */
    subject:
      | "board" | "stage" | "task" | "idea" | "label" | "comment" | "reply" | "member" | "contact"
      | "time-track" | "date" | "cover" | "background" | "settings";
    /** In words: `moved “Draw the map” from To do to Done`. */
    text: string;
    /** What it was before. */
    old_value: string | null;
    /** What it is since. */
    new_value: string | null;
    /** When. Format: date-time. */
    at: string;
  } | null;
}

/** Where the time went. */
export interface BoardsV2TimesheetReport {
  /** First day that counts; null for the beginning. */
  from: string | null;
  /** Last day that counts; null for now. */
  to: string | null;
  /** Minutes committed. */
  minutes: number;
  /** Those of them that a customer pays for. */
  billable_minutes: number;
  /** Time tracks committed. */
  tracks: number;
  /** By the day on which it began. */
  by_day: {
    /** The day, in UTC. Format: date. */
    date: string;
    /** Minutes committed. */
    minutes: number;
    /** Those of them that a customer pays for. */
    billable_minutes: number;
    /** Time tracks committed. */
    tracks: number;
  }[];
  /** By person, the most first. */
  by_user: {
    /** A person; null for somebody without an account. */
    user: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** Minutes committed. */
    minutes: number;
    /** Those of them that a customer pays for. */
    billable_minutes: number;
    /** Time tracks committed. */
    tracks: number;
  }[];
  /** By board, the most first. */
  by_board: {
    /** Number of the board. */
    board_id: number;
    /** Title of the board. */
    title: string;
    /** Minutes committed. */
    minutes: number;
    /** Those of them that a customer pays for. */
    billable_minutes: number;
    /** Time tracks committed. */
    tracks: number;
  }[];
}

/** The time that was committed to one task. */
export interface BoardsV2TimesheetTask {
  /** Number of the task. */
  task_id: number;
  /** What is to be done. */
  title: string;
  /** Number of its board. */
  board_id: number;
  /** Title of its board. */
  board_title: string;
  /** How long it should take. */
  estimated_minutes: number;
  /** Minutes committed. */
  minutes: number;
  /** Those of them that a customer pays for. */
  billable_minutes: number;
  /** Time tracks committed. */
  tracks: number;
  /** Whose time it is. */
  people: ( {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null
  )[];
}

/** The time that one person has committed. */
export interface BoardsV2TimesheetUser {
  /** A person; null for somebody without an account. */
  user: {
    /** Number of the user. */
    id: number;
    /** Name as shown. */
    name: string;
  } | null;
  /** Minutes committed. */
  minutes: number;
  /** Those of them that a customer pays for. */
  billable_minutes: number;
  /** Time tracks committed. */
  tracks: number;
  /** Tasks that the time went to. */
  task_count: number;
  /** The time by the day on which it began, the first day first. */
  days: {
    /** The day, in UTC. Format: date. */
    date: string;
    /** Minutes committed. */
    minutes: number;
    /** Those of them that a customer pays for. */
    billable_minutes: number;
    /** Time tracks committed. */
    tracks: number;
  }[];
}

/** What wants doing first on one board. */
export interface BoardsV2TopTasksOfBoard {
  /** Number of the board. */
  board_id: number;
  /** Title of the board. */
  title: string;
  /** Open tasks on it. */
  open_tasks: number;
  /** The first of them: the most urgent, then what is due first. */
  tasks: {
    /** Number of the task. */
    id: number;
    /** Board that the task is on. */
    board_id: number;
    /** Stage that the task stands in. */
    stage_id: number;
    /** Tasks of a roadmap are ideas. */
    type: "task" | "idea";
    /** What is to be done. */
    title: string;
    /** Name in addresses, unique on its board. */
    slug: string;
    /** The whole of it, in Markdown. */
    description: string;
    /** Whether it is done. */
    status: "open" | "closed";
    /** How much it matters. */
    priority: "low" | "medium" | "high" | "urgent";
    /** Place in its stage, from 1; 0 while it is archived. */
    position: number;
    /** Who works on it. */
    assignees: ( {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null
    )[];
    /** Labels that it carries. */
    labels: {
      /** Number of the label. */
      id: number;
      /** Its text. */
      title: string;
      /** Colour of the text. */
      color: string;
      /** Colour behind the text. */
      background_color: string;
    }[];
    /** When work begins. Format: date-time. */
    starts_at: string | null;
    /** When it has to be done. Format: date-time. */
    due_at: string | null;
    /** When its assignees are reminded. Format: date-time. */
    remind_at: string | null;
    /** Whether it is open though it is due. */
    is_overdue: boolean;
    /** What shows at its top: a colour or a picture. */
    cover: {
      /** A colour: `#ffd43b`. */
      color: string | null;
      /** Address of a picture. Format: uri. */
      image_url: string | null;
    } | null;
    /** Customer whom it is for. */
    contact_id: number | null;
    /** Help desk ticket that it came from. */
    support_ticket_id: number | null;
    /** How long it should take. */
    estimated_minutes: number;
    /** Time that was committed to it. */
    worked_minutes: number;
    /** Comments that the caller may read. */
    comment_count: number;
    /** Whether the caller has pinned it. */
    is_pinned: boolean;
    /** A person; null for somebody without an account. */
    created_by: {
      /** Number of the user. */
      id: number;
      /** Name as shown. */
      name: string;
    } | null;
    /** When it was made. Format: date-time. */
    created_at: string | null;
    /** When it last changed, or anything about it. Format: date-time. */
    updated_at: string | null;
    /** When it was done; null while it is open. Format: date-time. */
    completed_at: string | null;
    /** When it was archived; null while it shows. Format: date-time. */
    archived_at: string | null;
  }[];
}

export interface BulkRestoreBoardsV2ProjectTasksBody {
  /** Numbers of archived tasks. 1 to 200 items. */
  task_ids: number[];
}

export interface ChangeBoardsV2RoadmapIdeaStageBody {
  /** Stage of the roadmap that it goes to. At least 1. */
  stage_id: number;
  /** Place in the stage, 1 being the top. Absent, or beyond the end: the last. At least 1. */
  position?: number;
}

export interface CloneBoardsV2ProjectTaskBody {
  /** Title of the copy. Absent: that of the task. 1 to 300 characters. */
  title?: string;
  /** Stage of the copy. Absent: right after the task, in its stage. At least 1. */
  stage_id?: number;
  /**
   * Whether the copy keeps them.
   * @default true
   */
  with_assignees?: boolean;
  /**
   * Whether the copy keeps them.
   * @default true
   */
  with_labels?: boolean;
  /**
   * Whether the copy keeps them.
   * @default true
   */
  with_dates?: boolean;
}

export interface CommitBoardsV2ProjectTaskTimeTrackBody {
  /** Time worked. Absent: since it was started. 0 to 525600. */
  minutes?: number;
  /** What the time is spent on. At most 2000 characters. */
  note?: string;
  /** Whether a customer pays for it. */
  billable?: boolean;
}

export interface CreateBoardsV2AdminFeatureModuleBody {
  /** Time that is spent on tasks, and timesheets of it. */
  time_tracking?: boolean;
  /** Boards of ideas that are voted on. */
  roadmaps?: boolean;
  /** Sums over all boards. */
  reports?: boolean;
  /** Customers of boards and tasks. */
  crm?: boolean;
  /** Help with writing tasks. */
  ai?: boolean;
  /** Boards as tools for assistants. */
  mcp?: boolean;
  /** Folders for boards. */
  folders?: boolean;
}

export interface CreateBoardsV2AdminFolderBody {
  /** Name of the folder. 1 to 100 characters. */
  title: string;
  /** What it is for. At most 1000 characters. */
  description?: string;
  /** Colour of the folder: `#1098ad`. Format: hex-color. */
  color?: string;
}

export interface CreateBoardsV2ProjectBody {
  /** Name of the board. 1 to 200 characters. */
  title: string;
  /**
   * What the board is for. At most 5000 characters.
   * @default ""
   */
  description?: string;
  /**
   * `kanban` boards hold tasks, `roadmap` boards ideas that are voted on.
   * @default "kanban"
   */
  type?: "kanban" | "roadmap";
  /** Currency of its amounts. Absent: the one of the general settings. */
  currency?:
    | "AUD" | "BRL" | "CAD" | "CHF" | "CZK" | "EUR" | "GBP" | "INR" | "JPY" | "NGN" | "NOK" | "PLN"
    | "SEK" | "USD";
  /** Colour behind the board: `#4c6ef5`. Format: hex-color. */
  color?: string;
  /** Names of its stages in their order. Absent: the usual ones of its type. 1 to 20 items. */
  stages?: string[];
  /** Folder to put it into. At least 1. */
  folder_id?: number;
}

export interface CreateBoardsV2ProjectCrmContactBody {
  /** Number of the contact. At least 1. */
  contact_id: number;
}

export interface CreateBoardsV2ProjectLabelBody {
  /**
   * Text of the label. Empty for a colour alone. At most 60 characters.
   * @default ""
   */
  title?: string;
  /**
   * Colour of the text. Format: hex-color.
   * @default "#ffffff"
   */
  color?: string;
  /** Colour behind the text. Format: hex-color. */
  background_color: string;
}

export interface CreateBoardsV2ProjectLabelsTaskBody {
  /** Number of the task. At least 1. */
  task_id: number;
  /** Number of the label to put on it. It may be there already. At least 1. */
  label_id: number;
}

export interface CreateBoardsV2ProjectStageBody {
  /** Name of the stage. 1 to 100 characters. */
  title: string;
  /** Colour of its head: `#ffd43b`. Format: hex-color. */
  color?: string;
  /** Status that tasks take when they come here. Null leaves theirs. */
  default_status?: "open" | "closed" | null;
  /** Numbers of the members who are assigned to tasks that are made here. At most 50 items. */
  default_assignees?: number[];
  /** Most open tasks that may stand here. Null for any number. 1 to 1000. */
  task_limit?: number | null;
  /** Place on the board, 1 being the first. Absent, or beyond the end: the last. At least 1. */
  position?: number;
}

export interface CreateBoardsV2ProjectTaskAiAssistBody {
  /**
   * What is wanted: better words, an estimate from other tasks, a date and a priority, or a summary.
   * @default "improve"
   */
  action?: "improve" | "estimate" | "plan" | "summarize";
}

export interface CreateBoardsV2ProjectTaskBody {
  /** What is to be done, in one line: `Draw the map`. 1 to 300 characters. */
  title: string;
  /** The whole of it, in Markdown. At most 50000 characters. */
  description?: string;
  /** How much it matters. */
  priority?: "low" | "medium" | "high" | "urgent";
  /** Whether it is done. */
  status?: "open" | "closed";
  /** Numbers of the users who work on it: members of the board. At most 100 items. */
  assignees?: number[];
  /** Numbers of the labels that it carries: labels of the board. At most 100 items. */
  labels?: number[];
  /** When work begins: `2026-03-02T09:00:00Z`. Null takes it away. Format: date-time. */
  starts_at?: string | null;
  /** When it has to be done, not before it starts. Null takes it away. Format: date-time. */
  due_at?: string | null;
  /** When its assignees are reminded. Null takes it away. Format: date-time. */
  remind_at?: string | null;
  /** Number of the customer whom it is for. Null for nobody. */
  contact_id?: number | null;
  /** Number of the help desk ticket that it came from. Null for none. */
  support_ticket_id?: number | null;
  /** How long it should take, in minutes. 0 to 525600. */
  estimated_minutes?: number;
  /** Stage that it starts in. Absent: the first of the board. At least 1. */
  stage_id?: number;
  /** Place in the stage, 1 being the top. Absent, or beyond the end: the last. At least 1. */
  position?: number;
}

export interface CreateBoardsV2ProjectTaskCommentBody {
  /** The text, in Markdown. 1 to 10000 characters. */
  content: string;
  /**
   * Who may read it and its replies: everybody who sees the board, or members alone.
   * @default "public"
   */
  privacy?: "public" | "private";
  /** Addresses of its pictures, as `comment-image-upload` answers them. At most 10 items. */
  images?: string[];
  /** A comment of the task to reply to: the answer is that comment with the new reply. At least 1. */
  reply_to?: number;
}

export interface CreateBoardsV2ProjectTaskDateBody {
  /** When work begins: `2026-03-02T09:00:00Z`. Null takes it away. Format: date-time. */
  starts_at?: string | null;
  /** When it has to be done, not before it starts. Null takes it away. Format: date-time. */
  due_at?: string | null;
  /** When its assignees are reminded. Null takes it away. Format: date-time. */
  remind_at?: string | null;
}

export interface CreateBoardsV2ProjectTaskFromImageBody {
  /** The picture, as a part of a form: PNG, JPEG, GIF or WebP, at most 5 MB. */
  file?: Bytes;
  /** Title of the task. Absent: the name of the file, in words. 1 to 300 characters. */
  title?: string;
  /** Stage that it starts in. Absent: the first of the board. At least 1. */
  stage_id?: number;
}

export interface CreateBoardsV2ProjectTaskTimeTrackBody {
  /** Time that is already worked, which is committed at once. Absent: the clock starts. 1 to 525600. */
  minutes?: number;
  /** What the time is spent on. At most 2000 characters. */
  note?: string;
  /**
   * Whether a customer pays for it.
   * @default true
   */
  billable?: boolean;
}

export interface CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeBody {
  /** How long it should take; 0 for no estimate. 0 to 525600. */
  minutes: number;
}

export interface CreateBoardsV2RoadmapIdeaBody {
  /** The idea in one line. 1 to 300 characters. */
  title: string;
  /** All of it, in Markdown. At most 20000 characters. */
  description?: string;
}

export interface CreateBoardsV2RoadmapIdeaCommentBody {
  /** The text, in Markdown. 1 to 10000 characters. */
  content: string;
  /**
   * Who may read it: members alone may write what members alone may read.
   * @default "public"
   */
  privacy?: "public" | "private";
}

export interface CreateBoardsV2RoadmapsIdeaCommentReplyBody {
  /** The text, in Markdown. 1 to 10000 characters. */
  content: string;
}

export interface DeletedBoardsV2Board {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2Board;
}

export interface DeletedBoardsV2BulkResult {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2BulkResult;
}

export interface DeletedBoardsV2Comment {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2Comment;
}

export interface DeletedBoardsV2Contact {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2Contact;
}

export interface DeletedBoardsV2Folder {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2Folder;
}

export interface DeletedBoardsV2Label {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2Label;
}

export interface DeletedBoardsV2Reply {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2Reply;
}

export interface DeletedBoardsV2Task {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2Task;
}

export interface DeletedBoardsV2TimeTrack {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: BoardsV2TimeTrack;
}

export interface DragBoardsV2ProjectStageBody {
  /** Number of the stage. At least 1. */
  stage_id: number;
  /** Its new place, 1 being the first. Beyond the end is the last. At least 1. */
  position: number;
}

export interface DuplicateBoardsV2ProjectBoardBody {
  /** Name of the new board. Absent: the old one with “(copy)”. 1 to 200 characters. */
  title?: string;
  /**
   * What is copied. Tasks come with their stages; archived ones stay behind.
   * @default ["stages","labels","tasks"]
   */
  include?: ("stages" | "labels" | "tasks" | "members")[];
}

/** How the site says no. */
export interface Error {
  /** A stable name: `rest_no_route`. */
  code: string | number;
  /** For a person, in the language of the site. */
  message: string;
  /** The status, and for refused parameters which and why. */
  data?:
    | {
        status?: number;
        /** By name what is wrong, or the names of those that are missing. */
        params?: { [k: string]: string } | string[];
        /** By name the error of each refused parameter. */
        details?: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  additional_errors?: { [k: string]: unknown }[];
}

export interface ImportBoardsV2ProjectFromBoardBody {
  /** Number of the board to take from, which the caller must be on. At least 1. */
  source_board_id: number;
  /**
   * What is copied. Tasks come with their stages; archived ones stay behind.
   * @default ["stages","labels"]
   */
  include?: ("stages" | "labels" | "tasks" | "members")[];
}

export interface InstallBoardsV2AdminFeatureModulesPluginBody {
  /** Which plugin. */
  plugin: "crm" | "helpdesk" | "forms";
}

export interface MoveBoardsV2ProjectStageAllTaskBody {
  /** Number of the stage that is emptied. At least 1. */
  from_stage_id: number;
  /** Number of the stage that takes them. At least 1. */
  to_stage_id: number;
}

export interface MoveBoardsV2ProjectTaskBody {
  /** Number of the stage. At least 1. */
  stage_id: number;
  /** Place in the stage, 1 being the top. Absent, or beyond the end: the last. At least 1. */
  position?: number;
}

export interface OnboardBoardsV2ProjectsBody {
  /**
   * Name of the board. 1 to 200 characters.
   * @default "My first board"
   */
  title?: string;
  /**
   * `kanban` boards hold tasks, `roadmap` boards ideas that are voted on.
   * @default "kanban"
   */
  type?: "kanban" | "roadmap";
  /** Names of its stages in their order. Absent: the usual ones of its type. 1 to 20 items. */
  stages?: string[];
}

export interface PinBoardsV2ProjectTaskBody {
  /**
   * Whether the caller wants it pinned.
   * @default true
   */
  pinned?: boolean;
}

export interface RemoveBoardsV2AdminFolderBoardBody {
  /** Number of the board. At least 1. */
  board_id: number;
}

export interface RepositionBoardsV2ProjectStagesBody {
  /** Numbers of all stages that are not archived, in their new order. At least 1 items. */
  stage_ids: number[];
}

export interface RestoreBoardsV2ProjectStageBody {
  /** Place on the board, 1 being the first. Absent, or beyond the end: the last. At least 1. */
  position?: number;
}

export interface RunBatchBody {
  /** @default "normal" */
  validation?: "require-all-validate" | "normal";
  /** At most 25 items. */
  requests: {
    /** @default "POST" */
    method?: "POST" | "PUT" | "PATCH" | "DELETE";
    path: string;
    body?: { [k: string]: unknown };
    headers?: { [k: string]: string | string[] };
  }[];
}

export interface RunBoardsV2ProjectTasksBulkActionsBody {
  /** What is done to each. */
  action:
    | "move"
    | "archive"
    | "restore"
    | "delete"
    | "assign"
    | "unassign"
    | "add-label"
    | "remove-label"
    | "set-priority"
    | "set-status"
    | "set-due-date";
  /** Numbers of the tasks. 1 to 200 items. */
  task_ids: number[];
  /** For `move`: the stage to move to. At least 1. */
  stage_id?: number;
  /** For `move`: where the first of them lands. At least 1. */
  position?: number;
  /** For `assign` and `unassign`: whom. At least 1. */
  user_id?: number;
  /** For `add-label` and `remove-label`: which. At least 1. */
  label_id?: number;
  /** For `set-priority`: how much they matter. */
  priority?: "low" | "medium" | "high" | "urgent";
  /** For `set-status`: whether they are done. */
  status?: "open" | "closed";
  /** For `set-due-date`: when they have to be done. Null takes it away. Format: date-time. */
  due_at?: string | null;
}

export interface SortBoardsV2ProjectStageTaskBody {
  /** What they are sorted by. */
  orderby: "title" | "priority" | "due_at" | "created_at" | "updated_at";
  /**
   * Direction.
   * @default "asc"
   */
  order?: "asc" | "desc";
}

export interface ToggleBoardsV2AdminMcpBody {
  /** Whether it is on. Absent: the other of what it is. */
  enabled?: boolean;
}

export interface ToggleBoardsV2ProjectPublicAccessBody {
  /** Whether people without an account see the board. Absent: the other of what it is. */
  enabled?: boolean;
  /** Whether they see comments that are not private. */
  show_comments?: boolean;
  /** Whether they see who does what. */
  show_assignees?: boolean;
}

export interface UpdateBoardsV2AdminFolderBody {
  /** Name of the folder. 1 to 100 characters. */
  title?: string;
  /** What it is for. At most 1000 characters. */
  description?: string;
  /** Colour of the folder: `#1098ad`. Format: hex-color. */
  color?: string;
}

export interface UpdateBoardsV2AdminGeneralSettingsBody {
  /** Currency of new boards (ISO 4217). */
  default_currency?:
    | "AUD" | "BRL" | "CAD" | "CHF" | "CZK" | "EUR" | "GBP" | "INR" | "JPY" | "NGN" | "NOK" | "PLN"
    | "SEK" | "USD";
  /** First day of a week in calendars. */
  week_starts_on?: "monday" | "sunday";
  /** How days are written, as PHP names it. */
  date_format?: "Y-m-d" | "d.m.Y" | "m/d/Y";
  /** Who may make boards. */
  board_creators?: "administrators" | "editors" | "everyone";
  /** Days after which archived tasks may be deleted for good; 0 keeps them. 0 to 3650. */
  keep_archived_days?: number;
  /** Who mails of the site come from. 1 to 100 characters. */
  email_from_name?: string;
}

export interface UpdateBoardsV2AdminRoadmapPageSettingsBody {
  /** Page of the site that shows the roadmap, one of `admin/pages`. Null for none. */
  page_id?: number | null;
  /** What stands above the roadmap. At most 200 characters. */
  title?: string;
  /** A few words below the title. At most 2000 characters. */
  intro?: string;
  /** Colour of buttons and votes: `#4263eb`. Format: hex-color. */
  accent_color?: string;
  /** Stages side by side, or below one another. */
  layout?: "columns" | "list";
}

export interface UpdateBoardsV2AdminRoadmapSettingsBody {
  /** Whether users may send in ideas. */
  accept_ideas?: boolean;
  /** Whether an idea waits for a manager before it shows. */
  moderate_ideas?: boolean;
  /** Whether users may comment on ideas. */
  allow_comments?: boolean;
  /** Whether users may vote for ideas. */
  allow_votes?: boolean;
  /** Votes of one user on one roadmap, 0 for any number. 0 to 1000. */
  votes_per_user?: number;
}

export interface UpdateBoardsV2AiSettingsBody {
  /** Whether tasks offer help with writing. */
  enabled?: boolean;
  /** Whose model helps. */
  provider?: "none" | "openai" | "anthropic" | "google";
  /** Name of the model, as its provider calls it. At most 100 characters. */
  model?: string;
  /** How it writes. */
  tone?: "neutral" | "friendly" | "formal";
  /** Longest answer. 64 to 8192. */
  max_output_tokens?: number;
  /**
   * Key of the provider, which is never shown again. Empty: forget the one that is kept.
   *
   * At most 300 characters.
   */
  api_key?: string;
}

export interface UpdateBoardsV2DashboardViewSettingsBody {
  /** How boards are laid out. */
  layout?: "grid" | "list";
  /** What they are sorted by. */
  sort?: "recent" | "title" | "created";
  /** What else shows, in its order. */
  widgets?: ("recent_boards" | "pinned_boards" | "my_tasks" | "overdue_tasks" | "activity")[];
  /** Whether archived boards show. */
  show_archived?: boolean;
}

export interface UpdateBoardsV2GlobalNotificationSettingsBody {
  /** Whether the user is told: A task was made. */
  task_created?: boolean;
  /** Whether the user is told: A task was given to them. */
  task_assigned?: boolean;
  /** Whether the user is told: A task of theirs was moved. */
  task_moved?: boolean;
  /** Whether the user is told: A task of theirs was done. */
  task_completed?: boolean;
  /** Whether the user is told: Somebody commented on a task of theirs. */
  comment_added?: boolean;
  /** Whether the user is told: Somebody named them. */
  mentioned?: boolean;
  /** Whether the user is told: A task of theirs is due within a day. */
  due_soon?: boolean;
}

export interface UpdateBoardsV2ProjectBoardPropertiesBody {
  /** Which property. */
  property: "title" | "description" | "currency" | "color";
  /** What it becomes. At most 5000 characters. */
  value: string;
}

export interface UpdateBoardsV2ProjectBody {
  /** Name of the board. 1 to 200 characters. */
  title?: string;
  /** What the board is for. At most 5000 characters. */
  description?: string;
  /** Currency of amounts on the board (ISO 4217). */
  currency?:
    | "AUD" | "BRL" | "CAD" | "CHF" | "CZK" | "EUR" | "GBP" | "INR" | "JPY" | "NGN" | "NOK" | "PLN"
    | "SEK" | "USD";
  /** Colour behind the board: `#4c6ef5`. Takes the place of a picture. Format: hex-color. */
  color?: string;
}

export interface UpdateBoardsV2ProjectLabelBody {
  /** Text of the label. Empty for a colour alone. At most 60 characters. */
  title?: string;
  /** Colour of the text. Format: hex-color. */
  color?: string;
  /** Colour behind the text. Format: hex-color. */
  background_color?: string;
}

export interface UpdateBoardsV2ProjectNotificationSettingsBody {
  /** Whether the user is told: A task was made. */
  task_created?: boolean;
  /** Whether the user is told: A task was given to them. */
  task_assigned?: boolean;
  /** Whether the user is told: A task of theirs was moved. */
  task_moved?: boolean;
  /** Whether the user is told: A task of theirs was done. */
  task_completed?: boolean;
  /** Whether the user is told: Somebody commented on a task of theirs. */
  comment_added?: boolean;
  /** Whether the user is told: Somebody named them. */
  mentioned?: boolean;
  /** Whether the user is told: A task of theirs is due within a day. */
  due_soon?: boolean;
  /**
   * Whether to forget first what was chosen for this board.
   * @default false
   */
  reset?: boolean;
}

export interface UpdateBoardsV2ProjectStageBody {
  /** Name of the stage. 1 to 100 characters. */
  title?: string;
  /** Colour of its head: `#ffd43b`. Format: hex-color. */
  color?: string;
  /** Status that tasks take when they come here. Null leaves theirs. */
  default_status?: "open" | "closed" | null;
  /** Numbers of the members who are assigned to tasks that are made here. At most 50 items. */
  default_assignees?: number[];
  /** Most open tasks that may stand here. Null for any number. 1 to 1000. */
  task_limit?: number | null;
}

export interface UpdateBoardsV2ProjectStagePropertyBody {
  /** Which property. */
  property: "title" | "color" | "default_status" | "default_assignees" | "task_limit";
  /** What it becomes: as in update-stage. Absent or null: none. */
  value?: string | number | number[] | null;
}

export interface UpdateBoardsV2ProjectStageViewBody {
  /** Whether the caller sees its head alone. Absent: the other of what it is. */
  folded?: boolean;
}

export interface UpdateBoardsV2ProjectTaskBody {
  /** What is to be done, in one line: `Draw the map`. 1 to 300 characters. */
  title?: string;
  /** The whole of it, in Markdown. At most 50000 characters. */
  description?: string;
  /** How much it matters. */
  priority?: "low" | "medium" | "high" | "urgent";
  /** Whether it is done. */
  status?: "open" | "closed";
  /** Numbers of the users who work on it: members of the board. At most 100 items. */
  assignees?: number[];
  /** Numbers of the labels that it carries: labels of the board. At most 100 items. */
  labels?: number[];
  /** When work begins: `2026-03-02T09:00:00Z`. Null takes it away. Format: date-time. */
  starts_at?: string | null;
  /** When it has to be done, not before it starts. Null takes it away. Format: date-time. */
  due_at?: string | null;
  /** When its assignees are reminded. Null takes it away. Format: date-time. */
  remind_at?: string | null;
  /** Number of the customer whom it is for. Null for nobody. */
  contact_id?: number | null;
  /** Number of the help desk ticket that it came from. Null for none. */
  support_ticket_id?: number | null;
  /** How long it should take, in minutes. 0 to 525600. */
  estimated_minutes?: number;
  /** Stage to move it to. Absent: it stays. At least 1. */
  stage_id?: number;
  /** Place in the stage, 1 being the top. Absent, or beyond the end: the last. At least 1. */
  position?: number;
}

export interface UpdateBoardsV2ProjectTasksCommentBody {
  /** The text, in Markdown. 1 to 10000 characters. */
  content: string;
}

export interface UpdateBoardsV2ProjectTasksCommentPrivacyBody {
  /** Who may read it and its replies: everybody who sees the board, or members alone. */
  privacy: "public" | "private";
}

export interface UpdateBoardsV2ProjectTasksCoverPhotoBody {
  /** A colour: `#ffd43b`. Format: hex-color. */
  color?: string;
  /** Or a picture that was sent to the board. At least 1. */
  image_id?: number;
  /** Or the address of any picture. Format: uri. At most 2000 characters. Pattern: `^https?://`. */
  image_url?: string;
}

export interface UpdateBoardsV2ProjectTasksReplyBody {
  /** The text, in Markdown. 1 to 10000 characters. */
  content: string;
}

export interface UpdateBoardsV2ProjectTasksStatusBody {
  /** Whether it is done. */
  status: "open" | "closed";
}

export interface UpdateBoardsV2TasksTaskTabsConfigBody {
  /** The tabs of an open task that show, in their order. At least 1 items. */
  tabs: ("comments" | "activities" | "time-tracks" | "subtasks" | "files")[];
}

export interface UploadBoardsV2ProjectBackgroundBody {
  /** A colour: `#4c6ef5`. Absent: a picture is wanted. Format: hex-color. */
  color?: string;
  /** Number of a picture that was sent to this board. Absent: a colour is wanted. At least 1. */
  image_id?: number;
}

export interface UploadBoardsV2ProjectTaskCommentImageBody {
  /** The picture, as a part of a form: PNG, JPEG, GIF or WebP, at most 5 MB. */
  file?: Bytes;
}

export interface UploadBoardsV2ProjectTaskCoreEditorMediaFileBody {
  /** The picture, as a part of a form: PNG, JPEG, GIF or WebP, at most 5 MB. */
  file?: Bytes;
}

export interface UploadBoardsV2ProjectTaskCoverImageBody {
  /** The picture, as a part of a form: PNG, JPEG, GIF or WebP, at most 5 MB. */
  file?: Bytes;
}

export interface VoteBoardsV2RoadmapsIdeaBody {
  /**
   * True votes for it, false takes the vote back.
   * @default true
   */
  vote?: boolean;
}

// ── Operations ───────────────────────────────────────────────────────────────────────────────────

export interface operations {
  /**
   * Get the index
   *
   * `GET /`
   */
  getIndex: {
    parameters: { query?: GetIndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Run a batch
   *
   * `POST /batch/v1`
   */
  runBatch: {
    parameters: { query?: RunBatchQuery; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": RunBatchBody;
        "application/x-www-form-urlencoded": RunBatchBody;
      };
    };
    responses: {
      /** One answer for each request, in their order. */
      207: {
        headers: { [k: string]: unknown };
        content: { "application/json": RunBatchResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the index of oembed/1.0
   *
   * `GET /oembed/1.0`
   */
  getOembed10Index: {
    parameters: { query?: GetOembed10IndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the embed
   *
   * `GET /oembed/1.0/embed`
   */
  getOembed10Embed: {
    parameters: { query: GetOembed10EmbedQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the proxy
   *
   * `GET /oembed/1.0/proxy`
   */
  getOembed10Proxy: {
    parameters: { query: GetOembed10ProxyQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the index of boards/v2
   *
   * `GET /boards/v2`
   */
  getBoardsV2Index: {
    parameters: { query?: GetBoardsV2IndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project task time tracks
   *
   * `GET /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`
   */
  listBoardsV2ProjectTaskTimeTracks: {
    parameters: {
      query?: ListBoardsV2ProjectTaskTimeTracksQuery;
      header?: never;
      path: ListBoardsV2ProjectTaskTimeTracksPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTaskTimeTracksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project task time track
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks`
   */
  createBoardsV2ProjectTaskTimeTrack: {
    parameters: {
      query?: CreateBoardsV2ProjectTaskTimeTrackQuery;
      header?: never;
      path: CreateBoardsV2ProjectTaskTimeTrackPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectTaskTimeTrackBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectTaskTimeTrackBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskTimeTrackResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskTimeTrackResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project task time track estimated time
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/estimated-time`
   */
  createBoardsV2ProjectTaskTimeTracksEstimatedTime: {
    parameters: {
      query?: CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeQuery;
      header?: never;
      path: CreateBoardsV2ProjectTaskTimeTracksEstimatedTimePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Commit a project task time track
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit/{track_id}`
   */
  commitBoardsV2ProjectTaskTimeTrack: {
    parameters: {
      query?: CommitBoardsV2ProjectTaskTimeTrackQuery;
      header?: never;
      path: CommitBoardsV2ProjectTaskTimeTrackPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CommitBoardsV2ProjectTaskTimeTrackBody;
        "application/x-www-form-urlencoded": CommitBoardsV2ProjectTaskTimeTrackBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CommitBoardsV2ProjectTaskTimeTrackResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project task time track
   *
   * `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/{track_id}`
   */
  deleteBoardsV2ProjectTaskTimeTrack: {
    parameters: {
      query?: DeleteBoardsV2ProjectTaskTimeTrackQuery;
      header?: never;
      path: DeleteBoardsV2ProjectTaskTimeTrackPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectTaskTimeTrackResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project timesheets by tasks
   *
   * `GET /boards/v2/projects/timesheet/by-tasks`
   */
  listBoardsV2ProjectsTimesheetByTasks: {
    parameters: {
      query?: ListBoardsV2ProjectsTimesheetByTasksQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectsTimesheetByTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project timesheets by users
   *
   * `GET /boards/v2/projects/timesheet/by-users`
   */
  listBoardsV2ProjectsTimesheetByUsers: {
    parameters: {
      query?: ListBoardsV2ProjectsTimesheetByUsersQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectsTimesheetByUsersResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List roadmap stage ideas
   *
   * `GET /boards/v2/roadmaps/{board_id}/stages/{stage_id}/ideas`
   */
  listBoardsV2RoadmapStageIdeas: {
    parameters: {
      query?: ListBoardsV2RoadmapStageIdeasQuery;
      header?: never;
      path: ListBoardsV2RoadmapStageIdeasPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2RoadmapStageIdeasResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a roadmap idea
   *
   * `POST /boards/v2/roadmaps/{board_id}/ideas`
   */
  createBoardsV2RoadmapIdea: {
    parameters: {
      query?: CreateBoardsV2RoadmapIdeaQuery;
      header?: never;
      path: CreateBoardsV2RoadmapIdeaPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2RoadmapIdeaBody;
        "application/x-www-form-urlencoded": CreateBoardsV2RoadmapIdeaBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2RoadmapIdeaResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2RoadmapIdeaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a roadmap idea
   *
   * `GET /boards/v2/roadmaps/{board_id}/ideas/{task_id}`
   */
  getBoardsV2RoadmapIdea: {
    parameters: {
      query?: GetBoardsV2RoadmapIdeaQuery;
      header?: never;
      path: GetBoardsV2RoadmapIdeaPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2RoadmapIdeaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a roadmap idea comment
   *
   * `POST /boards/v2/roadmaps/{board_id}/ideas/{idea_id}/comments`
   */
  createBoardsV2RoadmapIdeaComment: {
    parameters: {
      query?: CreateBoardsV2RoadmapIdeaCommentQuery;
      header?: never;
      path: CreateBoardsV2RoadmapIdeaCommentPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2RoadmapIdeaCommentBody;
        "application/x-www-form-urlencoded": CreateBoardsV2RoadmapIdeaCommentBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2RoadmapIdeaCommentResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2RoadmapIdeaCommentResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a roadmap idea comment
   *
   * `DELETE /boards/v2/roadmaps/idea/comments/{comment_id}`
   */
  deleteBoardsV2RoadmapsIdeaComment: {
    parameters: {
      query?: DeleteBoardsV2RoadmapsIdeaCommentQuery;
      header?: never;
      path: DeleteBoardsV2RoadmapsIdeaCommentPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2RoadmapsIdeaCommentResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a roadmap idea comment reply
   *
   * `POST /boards/v2/roadmaps/idea/comments/{comment_id}/replies`
   */
  createBoardsV2RoadmapsIdeaCommentReply: {
    parameters: {
      query?: CreateBoardsV2RoadmapsIdeaCommentReplyQuery;
      header?: never;
      path: CreateBoardsV2RoadmapsIdeaCommentReplyPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2RoadmapsIdeaCommentReplyBody;
        "application/x-www-form-urlencoded": CreateBoardsV2RoadmapsIdeaCommentReplyBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2RoadmapsIdeaCommentReplyResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2RoadmapsIdeaCommentReplyResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Vote for a roadmap idea
   *
   * `POST /boards/v2/roadmaps/vote-idea/{idea_id}`
   */
  voteBoardsV2RoadmapsIdea: {
    parameters: {
      query?: VoteBoardsV2RoadmapsIdeaQuery;
      header?: never;
      path: VoteBoardsV2RoadmapsIdeaPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": VoteBoardsV2RoadmapsIdeaBody;
        "application/x-www-form-urlencoded": VoteBoardsV2RoadmapsIdeaBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": VoteBoardsV2RoadmapsIdeaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List roadmap day wise ideas
   *
   * `GET /boards/v2/roadmaps/{board_id}/day-wise-ideas`
   */
  listBoardsV2RoadmapDayWiseIdeas: {
    parameters: {
      query?: ListBoardsV2RoadmapDayWiseIdeasQuery;
      header?: never;
      path: ListBoardsV2RoadmapDayWiseIdeasPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2RoadmapDayWiseIdeasResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List roadmap popular ideas
   *
   * `GET /boards/v2/roadmaps/{board_id}/popular-ideas`
   */
  listBoardsV2RoadmapPopularIdeas: {
    parameters: {
      query?: ListBoardsV2RoadmapPopularIdeasQuery;
      header?: never;
      path: ListBoardsV2RoadmapPopularIdeasPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2RoadmapPopularIdeasResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Change the roadmap idea stage
   *
   * `POST /boards/v2/roadmaps/{board_id}/idea/{idea_id}/change-stage`
   */
  changeBoardsV2RoadmapIdeaStage: {
    parameters: {
      query?: ChangeBoardsV2RoadmapIdeaStageQuery;
      header?: never;
      path: ChangeBoardsV2RoadmapIdeaStagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": ChangeBoardsV2RoadmapIdeaStageBody;
        "application/x-www-form-urlencoded": ChangeBoardsV2RoadmapIdeaStageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ChangeBoardsV2RoadmapIdeaStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get admin roadmap settings
   *
   * `GET /boards/v2/admin/roadmap/settings`
   */
  getBoardsV2AdminRoadmapSettings: {
    parameters: {
      query?: GetBoardsV2AdminRoadmapSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AdminRoadmapSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update admin roadmap settings
   *
   * `POST /boards/v2/admin/roadmap/settings`
   */
  updateBoardsV2AdminRoadmapSettings: {
    parameters: {
      query?: UpdateBoardsV2AdminRoadmapSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2AdminRoadmapSettingsBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2AdminRoadmapSettingsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2AdminRoadmapSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get admin roadmap page settings
   *
   * `GET /boards/v2/admin/roadmap/page-settings`
   */
  getBoardsV2AdminRoadmapPageSettings: {
    parameters: {
      query?: GetBoardsV2AdminRoadmapPageSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AdminRoadmapPageSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update admin roadmap page settings
   *
   * `POST /boards/v2/admin/roadmap/page-settings`
   */
  updateBoardsV2AdminRoadmapPageSettings: {
    parameters: {
      query?: UpdateBoardsV2AdminRoadmapPageSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2AdminRoadmapPageSettingsBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2AdminRoadmapPageSettingsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2AdminRoadmapPageSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List task top in boards
   *
   * `GET /boards/v2/tasks/top-in-boards`
   */
  listBoardsV2TasksTopInBoards: {
    parameters: {
      query?: ListBoardsV2TasksTopInBoardsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2TasksTopInBoardsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List CRM associated tasks
   *
   * `GET /boards/v2/tasks/crm-associated-tasks/{associated_id}`
   */
  listBoardsV2TasksCrmAssociatedTasks: {
    parameters: {
      query?: ListBoardsV2TasksCrmAssociatedTasksQuery;
      header?: never;
      path: ListBoardsV2TasksCrmAssociatedTasksPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2TasksCrmAssociatedTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a task stage
   *
   * `GET /boards/v2/tasks/stage/{task_id}`
   */
  getBoardsV2TasksStage: {
    parameters: {
      query?: GetBoardsV2TasksStageQuery;
      header?: never;
      path: GetBoardsV2TasksStagePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2TasksStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List task boards by type
   *
   * `GET /boards/v2/tasks/boards-by-type/{type}`
   */
  listBoardsV2TasksBoardsByType: {
    parameters: {
      query?: ListBoardsV2TasksBoardsByTypeQuery;
      header?: never;
      path: ListBoardsV2TasksBoardsByTypePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2TasksBoardsByTypeResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get task tab config
   *
   * `GET /boards/v2/tasks/task-tabs/config`
   */
  getBoardsV2TasksTaskTabsConfig: {
    parameters: {
      query?: GetBoardsV2TasksTaskTabsConfigQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2TasksTaskTabsConfigResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update task tab config
   *
   * `POST /boards/v2/tasks/task-tabs/config`
   */
  updateBoardsV2TasksTaskTabsConfig: {
    parameters: {
      query?: UpdateBoardsV2TasksTaskTabsConfigQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2TasksTaskTabsConfigBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2TasksTaskTabsConfigBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2TasksTaskTabsConfigResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List global searches
   *
   * `GET /boards/v2/global-search`
   */
  listBoardsV2GlobalSearch: {
    parameters: {
      query: ListBoardsV2GlobalSearchQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2GlobalSearchResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List member associated users
   *
   * `GET /boards/v2/member-associated-users/{id}`
   */
  listBoardsV2MemberAssociatedUsers: {
    parameters: {
      query?: ListBoardsV2MemberAssociatedUsersQuery;
      header?: never;
      path: ListBoardsV2MemberAssociatedUsersPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2MemberAssociatedUsersResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get ajax options
   *
   * `GET /boards/v2/ajax-options`
   */
  getBoardsV2AjaxOptions: {
    parameters: {
      query: GetBoardsV2AjaxOptionsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AjaxOptionsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update global notification settings
   *
   * `POST /boards/v2/update-global-notification-settings`
   */
  updateBoardsV2GlobalNotificationSettings: {
    parameters: {
      query?: UpdateBoardsV2GlobalNotificationSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2GlobalNotificationSettingsBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2GlobalNotificationSettingsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2GlobalNotificationSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get global notification settings
   *
   * `GET /boards/v2/get-global-notification-settings`
   */
  getBoardsV2GlobalNotificationSettings: {
    parameters: {
      query?: GetBoardsV2GlobalNotificationSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2GlobalNotificationSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update dashboard view settings
   *
   * `PUT /boards/v2/update-dashboard-view-settings`
   */
  updateBoardsV2DashboardViewSettings: {
    parameters: {
      query?: UpdateBoardsV2DashboardViewSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2DashboardViewSettingsBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2DashboardViewSettingsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2DashboardViewSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get dashboard view settings
   *
   * `GET /boards/v2/get-dashboard-view-settings`
   */
  getBoardsV2DashboardViewSettings: {
    parameters: {
      query?: GetBoardsV2DashboardViewSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2DashboardViewSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the timesheet report
   *
   * `GET /boards/v2/reports/timesheet`
   */
  getBoardsV2ReportsTimesheet: {
    parameters: {
      query?: GetBoardsV2ReportsTimesheetQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ReportsTimesheetResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the overview report
   *
   * `GET /boards/v2/reports/overview`
   */
  getBoardsV2ReportsOverview: {
    parameters: {
      query?: GetBoardsV2ReportsOverviewQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ReportsOverviewResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the tasks report
   *
   * `GET /boards/v2/reports/tasks`
   */
  getBoardsV2ReportsTasks: {
    parameters: {
      query?: GetBoardsV2ReportsTasksQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ReportsTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the activity report
   *
   * `GET /boards/v2/reports/activity`
   */
  getBoardsV2ReportsActivity: {
    parameters: {
      query?: GetBoardsV2ReportsActivityQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ReportsActivityResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the roadmap report
   *
   * `GET /boards/v2/reports/roadmap`
   */
  getBoardsV2ReportsRoadmap: {
    parameters: {
      query?: GetBoardsV2ReportsRoadmapQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ReportsRoadmapResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List projects
   *
   * `GET /boards/v2/projects`
   */
  listBoardsV2Projects: {
    parameters: {
      query?: ListBoardsV2ProjectsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project
   *
   * `POST /boards/v2/projects`
   */
  createBoardsV2Project: {
    parameters: {
      query?: CreateBoardsV2ProjectQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get project default board colors
   *
   * `GET /boards/v2/projects/get-default-board-colors`
   */
  getBoardsV2ProjectsDefaultBoardColors: {
    parameters: {
      query?: GetBoardsV2ProjectsDefaultBoardColorsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ProjectsDefaultBoardColorsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project boards
   *
   * `GET /boards/v2/projects/list-of-boards`
   */
  listBoardsV2ProjectsBoards: {
    parameters: {
      query?: ListBoardsV2ProjectsBoardsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectsBoardsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project user accessible boards
   *
   * `GET /boards/v2/projects/user-accessible-boards`
   */
  listBoardsV2ProjectsUserAccessibleBoards: {
    parameters: {
      query?: ListBoardsV2ProjectsUserAccessibleBoardsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectsUserAccessibleBoardsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project currencies
   *
   * `GET /boards/v2/projects/currencies`
   */
  listBoardsV2ProjectsCurrencies: {
    parameters: {
      query?: ListBoardsV2ProjectsCurrenciesQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectsCurrenciesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project user admin in boards
   *
   * `GET /boards/v2/projects/user-admin-in-boards`
   */
  listBoardsV2ProjectsUserAdminInBoards: {
    parameters: {
      query?: ListBoardsV2ProjectsUserAdminInBoardsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectsUserAdminInBoardsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project recent boards
   *
   * `GET /boards/v2/projects/recent-boards`
   */
  listBoardsV2ProjectsRecentBoards: {
    parameters: {
      query?: ListBoardsV2ProjectsRecentBoardsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectsRecentBoardsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project pinned boards
   *
   * `GET /boards/v2/projects/pinned-boards`
   */
  listBoardsV2ProjectsPinnedBoards: {
    parameters: {
      query?: ListBoardsV2ProjectsPinnedBoardsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectsPinnedBoardsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project CRM associated boards
   *
   * `GET /boards/v2/projects/crm-associated-boards/{associated_id}`
   */
  listBoardsV2ProjectsCrmAssociatedBoards: {
    parameters: {
      query?: ListBoardsV2ProjectsCrmAssociatedBoardsQuery;
      header?: never;
      path: ListBoardsV2ProjectsCrmAssociatedBoardsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectsCrmAssociatedBoardsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Onboard projects
   *
   * `POST /boards/v2/projects/onboard`
   */
  onboardBoardsV2Projects: {
    parameters: {
      query?: OnboardBoardsV2ProjectsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": OnboardBoardsV2ProjectsBody;
        "application/x-www-form-urlencoded": OnboardBoardsV2ProjectsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": OnboardBoardsV2ProjectsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Skip the project onboarding
   *
   * `PUT /boards/v2/projects/skip-onboarding`
   */
  skipBoardsV2ProjectsOnboarding: {
    parameters: {
      query?: SkipBoardsV2ProjectsOnboardingQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": SkipBoardsV2ProjectsOnboardingBody;
        "application/x-www-form-urlencoded": SkipBoardsV2ProjectsOnboardingBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": SkipBoardsV2ProjectsOnboardingResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a project
   *
   * `GET /boards/v2/projects/{board_id}`
   */
  getBoardsV2Project: {
    parameters: {
      query?: GetBoardsV2ProjectQuery;
      header?: never;
      path: GetBoardsV2ProjectPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ProjectResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a project
   *
   * `PUT /boards/v2/projects/{board_id}`
   */
  updateBoardsV2Project: {
    parameters: {
      query?: UpdateBoardsV2ProjectQuery;
      header?: never;
      path: UpdateBoardsV2ProjectPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project
   *
   * `DELETE /boards/v2/projects/{board_id}`
   */
  deleteBoardsV2Project: {
    parameters: {
      query?: DeleteBoardsV2ProjectQuery;
      header?: never;
      path: DeleteBoardsV2ProjectPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Tell whether project data changed
   *
   * `GET /boards/v2/projects/{board_id}/has-data-changed`
   */
  hasBoardsV2ProjectDataChanged: {
    parameters: {
      query: HasBoardsV2ProjectDataChangedQuery;
      header?: never;
      path: HasBoardsV2ProjectDataChangedPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": HasBoardsV2ProjectDataChangedResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update project board properties
   *
   * `PUT /boards/v2/projects/{board_id}/update-board-properties`
   */
  updateBoardsV2ProjectBoardProperties: {
    parameters: {
      query?: UpdateBoardsV2ProjectBoardPropertiesQuery;
      header?: never;
      path: UpdateBoardsV2ProjectBoardPropertiesPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectBoardPropertiesBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectBoardPropertiesBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectBoardPropertiesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Pin a project board
   *
   * `PUT /boards/v2/projects/{board_id}/pin-board`
   */
  pinBoardsV2ProjectBoard: {
    parameters: {
      query?: PinBoardsV2ProjectBoardQuery;
      header?: never;
      path: PinBoardsV2ProjectBoardPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PinBoardsV2ProjectBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Unpin a project board
   *
   * `PUT /boards/v2/projects/{board_id}/unpin-board`
   */
  unpinBoardsV2ProjectBoard: {
    parameters: {
      query?: UnpinBoardsV2ProjectBoardQuery;
      header?: never;
      path: UnpinBoardsV2ProjectBoardPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UnpinBoardsV2ProjectBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project users
   *
   * `GET /boards/v2/projects/{board_id}/users`
   */
  listBoardsV2ProjectUsers: {
    parameters: {
      query?: ListBoardsV2ProjectUsersQuery;
      header?: never;
      path: ListBoardsV2ProjectUsersPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectUsersResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Remove a project user
   *
   * `POST /boards/v2/projects/{board_id}/user/{user_id}/remove`
   */
  removeBoardsV2ProjectUser: {
    parameters: {
      query?: RemoveBoardsV2ProjectUserQuery;
      header?: never;
      path: RemoveBoardsV2ProjectUserPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RemoveBoardsV2ProjectUserResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Add project members
   *
   * `POST /boards/v2/projects/{board_id}/add-members`
   */
  addBoardsV2ProjectMembers: {
    parameters: {
      query?: AddBoardsV2ProjectMembersQuery;
      header?: never;
      path: AddBoardsV2ProjectMembersPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": AddBoardsV2ProjectMembersBody;
        "application/x-www-form-urlencoded": AddBoardsV2ProjectMembersBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": AddBoardsV2ProjectMembersResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project assignees
   *
   * `GET /boards/v2/projects/{board_id}/assignees`
   */
  listBoardsV2ProjectAssignees: {
    parameters: {
      query?: ListBoardsV2ProjectAssigneesQuery;
      header?: never;
      path: ListBoardsV2ProjectAssigneesPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectAssigneesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project activities
   *
   * `GET /boards/v2/projects/{board_id}/activities`
   */
  listBoardsV2ProjectActivities: {
    parameters: {
      query?: ListBoardsV2ProjectActivitiesQuery;
      header?: never;
      path: ListBoardsV2ProjectActivitiesPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectActivitiesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Archive a project board
   *
   * `PUT /boards/v2/projects/{board_id}/archive-board`
   */
  archiveBoardsV2ProjectBoard: {
    parameters: {
      query?: ArchiveBoardsV2ProjectBoardQuery;
      header?: never;
      path: ArchiveBoardsV2ProjectBoardPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ArchiveBoardsV2ProjectBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Restore a project board
   *
   * `PUT /boards/v2/projects/{board_id}/restore-board`
   */
  restoreBoardsV2ProjectBoard: {
    parameters: {
      query?: RestoreBoardsV2ProjectBoardQuery;
      header?: never;
      path: RestoreBoardsV2ProjectBoardPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RestoreBoardsV2ProjectBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Toggle project public access
   *
   * `PUT /boards/v2/projects/{board_id}/toggle-public-access`
   */
  toggleBoardsV2ProjectPublicAccess: {
    parameters: {
      query?: ToggleBoardsV2ProjectPublicAccessQuery;
      header?: never;
      path: ToggleBoardsV2ProjectPublicAccessPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": ToggleBoardsV2ProjectPublicAccessBody;
        "application/x-www-form-urlencoded": ToggleBoardsV2ProjectPublicAccessBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ToggleBoardsV2ProjectPublicAccessResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get project public access settings
   *
   * `GET /boards/v2/projects/{board_id}/public-access-settings`
   */
  getBoardsV2ProjectPublicAccessSettings: {
    parameters: {
      query?: GetBoardsV2ProjectPublicAccessSettingsQuery;
      header?: never;
      path: GetBoardsV2ProjectPublicAccessSettingsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ProjectPublicAccessSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project board menu items
   *
   * `GET /boards/v2/projects/{board_id}/board-menu-items`
   */
  listBoardsV2ProjectBoardMenuItems: {
    parameters: {
      query?: ListBoardsV2ProjectBoardMenuItemsQuery;
      header?: never;
      path: ListBoardsV2ProjectBoardMenuItemsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectBoardMenuItemsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get project notification settings
   *
   * `GET /boards/v2/projects/{board_id}/notification-settings`
   */
  getBoardsV2ProjectNotificationSettings: {
    parameters: {
      query?: GetBoardsV2ProjectNotificationSettingsQuery;
      header?: never;
      path: GetBoardsV2ProjectNotificationSettingsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ProjectNotificationSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update project notification settings
   *
   * `PUT /boards/v2/projects/{board_id}/update-notification-settings`
   */
  updateBoardsV2ProjectNotificationSettings: {
    parameters: {
      query?: UpdateBoardsV2ProjectNotificationSettingsQuery;
      header?: never;
      path: UpdateBoardsV2ProjectNotificationSettingsPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectNotificationSettingsBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectNotificationSettingsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectNotificationSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Duplicate a project board
   *
   * `POST /boards/v2/projects/{board_id}/duplicate-board`
   */
  duplicateBoardsV2ProjectBoard: {
    parameters: {
      query?: DuplicateBoardsV2ProjectBoardQuery;
      header?: never;
      path: DuplicateBoardsV2ProjectBoardPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": DuplicateBoardsV2ProjectBoardBody;
        "application/x-www-form-urlencoded": DuplicateBoardsV2ProjectBoardBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DuplicateBoardsV2ProjectBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Import a project from board
   *
   * `POST /boards/v2/projects/{board_id}/import-from-board`
   */
  importBoardsV2ProjectFromBoard: {
    parameters: {
      query?: ImportBoardsV2ProjectFromBoardQuery;
      header?: never;
      path: ImportBoardsV2ProjectFromBoardPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": ImportBoardsV2ProjectFromBoardBody;
        "application/x-www-form-urlencoded": ImportBoardsV2ProjectFromBoardBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ImportBoardsV2ProjectFromBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Upload a project background
   *
   * `PUT /boards/v2/projects/{board_id}/upload/background`
   */
  uploadBoardsV2ProjectBackground: {
    parameters: {
      query?: UploadBoardsV2ProjectBackgroundQuery;
      header?: never;
      path: UploadBoardsV2ProjectBackgroundPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UploadBoardsV2ProjectBackgroundBody;
        "application/x-www-form-urlencoded": UploadBoardsV2ProjectBackgroundBody;
        "multipart/form-data": UploadBoardsV2ProjectBackgroundBody & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UploadBoardsV2ProjectBackgroundResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Upload a project background image
   *
   * `POST /boards/v2/projects/{board_id}/upload/background-image`
   */
  uploadBoardsV2ProjectBackgroundImage: {
    parameters: {
      query?: UploadBoardsV2ProjectBackgroundImageQuery;
      header?: never;
      path: UploadBoardsV2ProjectBackgroundImagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UploadBoardsV2ProjectBackgroundImageBody;
        "application/x-www-form-urlencoded": UploadBoardsV2ProjectBackgroundImageBody;
        "multipart/form-data": AnyFields & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UploadBoardsV2ProjectBackgroundImageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project CRM contact
   *
   * `POST /boards/v2/projects/{board_id}/crm-contact`
   */
  createBoardsV2ProjectCrmContact: {
    parameters: {
      query?: CreateBoardsV2ProjectCrmContactQuery;
      header?: never;
      path: CreateBoardsV2ProjectCrmContactPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectCrmContactBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectCrmContactBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectCrmContactResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectCrmContactResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project CRM contacts
   *
   * `GET /boards/v2/projects/{board_id}/crm-contacts`
   */
  listBoardsV2ProjectCrmContacts: {
    parameters: {
      query?: ListBoardsV2ProjectCrmContactsQuery;
      header?: never;
      path: ListBoardsV2ProjectCrmContactsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectCrmContactsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project CRM contact
   *
   * `DELETE /boards/v2/projects/{board_id}/crm-contact/{contact_id}`
   */
  deleteBoardsV2ProjectCrmContact: {
    parameters: {
      query?: DeleteBoardsV2ProjectCrmContactQuery;
      header?: never;
      path: DeleteBoardsV2ProjectCrmContactPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectCrmContactResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project labels
   *
   * `GET /boards/v2/projects/{board_id}/labels`
   */
  listBoardsV2ProjectLabels: {
    parameters: {
      query?: ListBoardsV2ProjectLabelsQuery;
      header?: never;
      path: ListBoardsV2ProjectLabelsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectLabelsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project label
   *
   * `POST /boards/v2/projects/{board_id}/labels`
   */
  createBoardsV2ProjectLabel: {
    parameters: {
      query?: CreateBoardsV2ProjectLabelQuery;
      header?: never;
      path: CreateBoardsV2ProjectLabelPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectLabelBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectLabelBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectLabelResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectLabelResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project labels used in tasks
   *
   * `GET /boards/v2/projects/{board_id}/labels/used-in-tasks`
   */
  listBoardsV2ProjectLabelsUsedInTasks: {
    parameters: {
      query?: ListBoardsV2ProjectLabelsUsedInTasksQuery;
      header?: never;
      path: ListBoardsV2ProjectLabelsUsedInTasksPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectLabelsUsedInTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project label task
   *
   * `POST /boards/v2/projects/{board_id}/labels/task`
   */
  createBoardsV2ProjectLabelsTask: {
    parameters: {
      query?: CreateBoardsV2ProjectLabelsTaskQuery;
      header?: never;
      path: CreateBoardsV2ProjectLabelsTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectLabelsTaskBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectLabelsTaskBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectLabelsTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a project label
   *
   * `PUT /boards/v2/projects/{board_id}/labels/{label_id}`
   */
  updateBoardsV2ProjectLabel: {
    parameters: {
      query?: UpdateBoardsV2ProjectLabelQuery;
      header?: never;
      path: UpdateBoardsV2ProjectLabelPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectLabelBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectLabelBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectLabelResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project label
   *
   * `DELETE /boards/v2/projects/{board_id}/labels/{label_id}`
   */
  deleteBoardsV2ProjectLabel: {
    parameters: {
      query?: DeleteBoardsV2ProjectLabelQuery;
      header?: never;
      path: DeleteBoardsV2ProjectLabelPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectLabelResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project task labels
   *
   * `GET /boards/v2/projects/{board_id}/tasks/{task_id}/labels`
   */
  listBoardsV2ProjectTaskLabels: {
    parameters: {
      query?: ListBoardsV2ProjectTaskLabelsQuery;
      header?: never;
      path: ListBoardsV2ProjectTaskLabelsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectTaskLabelsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project task label
   *
   * `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/labels/{label_id}`
   */
  deleteBoardsV2ProjectTaskLabel: {
    parameters: {
      query?: DeleteBoardsV2ProjectTaskLabelQuery;
      header?: never;
      path: DeleteBoardsV2ProjectTaskLabelPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectTaskLabelResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Move all project stage tasks
   *
   * `PUT /boards/v2/projects/{board_id}/stage-move-all-task`
   */
  moveBoardsV2ProjectStageAllTask: {
    parameters: {
      query?: MoveBoardsV2ProjectStageAllTaskQuery;
      header?: never;
      path: MoveBoardsV2ProjectStageAllTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": MoveBoardsV2ProjectStageAllTaskBody;
        "application/x-www-form-urlencoded": MoveBoardsV2ProjectStageAllTaskBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": MoveBoardsV2ProjectStageAllTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project stage
   *
   * `POST /boards/v2/projects/{board_id}/stage-create`
   */
  createBoardsV2ProjectStage: {
    parameters: {
      query?: CreateBoardsV2ProjectStageQuery;
      header?: never;
      path: CreateBoardsV2ProjectStagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectStageBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectStageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Sort the project stage task
   *
   * `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/sort-task`
   */
  sortBoardsV2ProjectStageTask: {
    parameters: {
      query?: SortBoardsV2ProjectStageTaskQuery;
      header?: never;
      path: SortBoardsV2ProjectStageTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": SortBoardsV2ProjectStageTaskBody;
        "application/x-www-form-urlencoded": SortBoardsV2ProjectStageTaskBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": SortBoardsV2ProjectStageTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Archive all project stage tasks
   *
   * `PUT /boards/v2/projects/{board_id}/stage/{stage_id}/archive-all-task`
   */
  archiveBoardsV2ProjectStageAllTask: {
    parameters: {
      query?: ArchiveBoardsV2ProjectStageAllTaskQuery;
      header?: never;
      path: ArchiveBoardsV2ProjectStageAllTaskPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ArchiveBoardsV2ProjectStageAllTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Reposition project stages
   *
   * `PUT /boards/v2/projects/{board_id}/re-position-stages`
   */
  repositionBoardsV2ProjectStages: {
    parameters: {
      query?: RepositionBoardsV2ProjectStagesQuery;
      header?: never;
      path: RepositionBoardsV2ProjectStagesPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": RepositionBoardsV2ProjectStagesBody;
        "application/x-www-form-urlencoded": RepositionBoardsV2ProjectStagesBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RepositionBoardsV2ProjectStagesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a project stage
   *
   * `PUT /boards/v2/projects/{board_id}/update-stage/{stage_id}`
   */
  updateBoardsV2ProjectStage: {
    parameters: {
      query?: UpdateBoardsV2ProjectStageQuery;
      header?: never;
      path: UpdateBoardsV2ProjectStagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectStageBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectStageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update the project stage property
   *
   * `PUT /boards/v2/projects/{board_id}/update-stage-property/{stage_id}`
   */
  updateBoardsV2ProjectStageProperty: {
    parameters: {
      query?: UpdateBoardsV2ProjectStagePropertyQuery;
      header?: never;
      path: UpdateBoardsV2ProjectStagePropertyPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectStagePropertyBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectStagePropertyBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectStagePropertyResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Archive a project stage
   *
   * `PUT /boards/v2/projects/{board_id}/archive-stage/{stage_id}`
   */
  archiveBoardsV2ProjectStage: {
    parameters: {
      query?: ArchiveBoardsV2ProjectStageQuery;
      header?: never;
      path: ArchiveBoardsV2ProjectStagePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ArchiveBoardsV2ProjectStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a project stage view
   *
   * `PUT /boards/v2/projects/{board_id}/stage-view/{stage_id}`
   */
  updateBoardsV2ProjectStageView: {
    parameters: {
      query?: UpdateBoardsV2ProjectStageViewQuery;
      header?: never;
      path: UpdateBoardsV2ProjectStageViewPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectStageViewBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectStageViewBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectStageViewResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Restore a project stage
   *
   * `PUT /boards/v2/projects/{board_id}/restore-stage/{stage_id}`
   */
  restoreBoardsV2ProjectStage: {
    parameters: {
      query?: RestoreBoardsV2ProjectStageQuery;
      header?: never;
      path: RestoreBoardsV2ProjectStagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": RestoreBoardsV2ProjectStageBody;
        "application/x-www-form-urlencoded": RestoreBoardsV2ProjectStageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RestoreBoardsV2ProjectStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Drag the project stage
   *
   * `PUT /boards/v2/projects/{board_id}/drag-stage`
   */
  dragBoardsV2ProjectStage: {
    parameters: {
      query?: DragBoardsV2ProjectStageQuery;
      header?: never;
      path: DragBoardsV2ProjectStagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": DragBoardsV2ProjectStageBody;
        "application/x-www-form-urlencoded": DragBoardsV2ProjectStageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DragBoardsV2ProjectStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project archived stages
   *
   * `GET /boards/v2/projects/{board_id}/archived-stages`
   */
  listBoardsV2ProjectArchivedStages: {
    parameters: {
      query?: ListBoardsV2ProjectArchivedStagesQuery;
      header?: never;
      path: ListBoardsV2ProjectArchivedStagesPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectArchivedStagesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a project stage task available position
   *
   * `GET /boards/v2/projects/{board_id}/stage-task-available-positions/{stage_id}`
   */
  getBoardsV2ProjectStageTaskAvailablePosition: {
    parameters: {
      query?: GetBoardsV2ProjectStageTaskAvailablePositionQuery;
      header?: never;
      path: GetBoardsV2ProjectStageTaskAvailablePositionPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ProjectStageTaskAvailablePositionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project tasks
   *
   * `GET /boards/v2/projects/{board_id}/tasks`
   */
  listBoardsV2ProjectTasks: {
    parameters: {
      query?: ListBoardsV2ProjectTasksQuery;
      header?: never;
      path: ListBoardsV2ProjectTasksPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project task
   *
   * `POST /boards/v2/projects/{board_id}/tasks`
   */
  createBoardsV2ProjectTask: {
    parameters: {
      query?: CreateBoardsV2ProjectTaskQuery;
      header?: never;
      path: CreateBoardsV2ProjectTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectTaskBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectTaskBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project tasks filtered
   *
   * `GET /boards/v2/projects/{board_id}/tasks/filtered`
   */
  listBoardsV2ProjectTasksFiltered: {
    parameters: {
      query?: ListBoardsV2ProjectTasksFilteredQuery;
      header?: never;
      path: ListBoardsV2ProjectTasksFilteredPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTasksFilteredResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project task tables
   *
   * `GET /boards/v2/projects/{board_id}/tasks/table`
   */
  listBoardsV2ProjectTasksTable: {
    parameters: {
      query?: ListBoardsV2ProjectTasksTableQuery;
      header?: never;
      path: ListBoardsV2ProjectTasksTablePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTasksTableResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project tasks by stage
   *
   * `GET /boards/v2/projects/{board_id}/tasks/by-stage`
   */
  listBoardsV2ProjectTasksByStage: {
    parameters: {
      query?: ListBoardsV2ProjectTasksByStageQuery;
      header?: never;
      path: ListBoardsV2ProjectTasksByStagePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2ProjectTasksByStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project task stage pages
   *
   * `GET /boards/v2/projects/{board_id}/tasks/stage-page`
   */
  listBoardsV2ProjectTasksStagePage: {
    parameters: {
      query: ListBoardsV2ProjectTasksStagePageQuery;
      header?: never;
      path: ListBoardsV2ProjectTasksStagePagePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTasksStagePageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project tasks archived
   *
   * `GET /boards/v2/projects/{board_id}/tasks/archived`
   */
  listBoardsV2ProjectTasksArchived: {
    parameters: {
      query?: ListBoardsV2ProjectTasksArchivedQuery;
      header?: never;
      path: ListBoardsV2ProjectTasksArchivedPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTasksArchivedResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project archived tasks
   *
   * `GET /boards/v2/projects/{board_id}/archived-tasks`
   */
  listBoardsV2ProjectArchivedTasks: {
    parameters: {
      query?: ListBoardsV2ProjectArchivedTasksQuery;
      header?: never;
      path: ListBoardsV2ProjectArchivedTasksPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectArchivedTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project task from image
   *
   * `POST /boards/v2/projects/{board_id}/tasks/create-task-from-image`
   */
  createBoardsV2ProjectTaskFromImage: {
    parameters: {
      query?: CreateBoardsV2ProjectTaskFromImageQuery;
      header?: never;
      path: CreateBoardsV2ProjectTaskFromImagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectTaskFromImageBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectTaskFromImageBody;
        "multipart/form-data": CreateBoardsV2ProjectTaskFromImageBody & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskFromImageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a project task
   *
   * `GET /boards/v2/projects/{board_id}/tasks/{task_id}`
   */
  getBoardsV2ProjectTask: {
    parameters: {
      query?: GetBoardsV2ProjectTaskQuery;
      header?: never;
      path: GetBoardsV2ProjectTaskPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2ProjectTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a project task
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/{task_id}`
   */
  updateBoardsV2ProjectTask: {
    parameters: {
      query?: UpdateBoardsV2ProjectTaskQuery;
      header?: never;
      path: UpdateBoardsV2ProjectTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectTaskBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectTaskBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project task
   *
   * `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}`
   */
  deleteBoardsV2ProjectTask: {
    parameters: {
      query?: DeleteBoardsV2ProjectTaskQuery;
      header?: never;
      path: DeleteBoardsV2ProjectTaskPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete the project task support ticket
   *
   * `DELETE /boards/v2/projects/{board_id}/tasks/{task_id}/support-ticket`
   */
  deleteBoardsV2ProjectTaskSupportTicket: {
    parameters: {
      query?: DeleteBoardsV2ProjectTaskSupportTicketQuery;
      header?: never;
      path: DeleteBoardsV2ProjectTaskSupportTicketPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectTaskSupportTicketResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project task date
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/dates`
   */
  createBoardsV2ProjectTaskDate: {
    parameters: {
      query?: CreateBoardsV2ProjectTaskDateQuery;
      header?: never;
      path: CreateBoardsV2ProjectTaskDatePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectTaskDateBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectTaskDateBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskDateResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Move a project task
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-task`
   */
  moveBoardsV2ProjectTask: {
    parameters: {
      query?: MoveBoardsV2ProjectTaskQuery;
      header?: never;
      path: MoveBoardsV2ProjectTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": MoveBoardsV2ProjectTaskBody;
        "application/x-www-form-urlencoded": MoveBoardsV2ProjectTaskBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": MoveBoardsV2ProjectTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Move a project task to next stage
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/move-to-next-stage`
   */
  moveBoardsV2ProjectTaskToNextStage: {
    parameters: {
      query?: MoveBoardsV2ProjectTaskToNextStageQuery;
      header?: never;
      path: MoveBoardsV2ProjectTaskToNextStagePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": MoveBoardsV2ProjectTaskToNextStageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Pin a project task
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/{task_id}/pin`
   */
  pinBoardsV2ProjectTask: {
    parameters: {
      query?: PinBoardsV2ProjectTaskQuery;
      header?: never;
      path: PinBoardsV2ProjectTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": PinBoardsV2ProjectTaskBody;
        "application/x-www-form-urlencoded": PinBoardsV2ProjectTaskBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PinBoardsV2ProjectTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Run project task bulk actions
   *
   * `POST /boards/v2/projects/{board_id}/tasks/bulk-actions`
   */
  runBoardsV2ProjectTasksBulkActions: {
    parameters: {
      query?: RunBoardsV2ProjectTasksBulkActionsQuery;
      header?: never;
      path: RunBoardsV2ProjectTasksBulkActionsPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": RunBoardsV2ProjectTasksBulkActionsBody;
        "application/x-www-form-urlencoded": RunBoardsV2ProjectTasksBulkActionsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RunBoardsV2ProjectTasksBulkActionsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Bulk restore project tasks
   *
   * `PUT /boards/v2/projects/{board_id}/bulk-restore-tasks`
   */
  bulkRestoreBoardsV2ProjectTasks: {
    parameters: {
      query?: BulkRestoreBoardsV2ProjectTasksQuery;
      header?: never;
      path: BulkRestoreBoardsV2ProjectTasksPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": BulkRestoreBoardsV2ProjectTasksBody;
        "application/x-www-form-urlencoded": BulkRestoreBoardsV2ProjectTasksBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": BulkRestoreBoardsV2ProjectTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Bulk delete project tasks
   *
   * `DELETE /boards/v2/projects/{board_id}/bulk-delete-tasks`
   */
  bulkDeleteBoardsV2ProjectTasks: {
    parameters: {
      query: BulkDeleteBoardsV2ProjectTasksQuery;
      header?: never;
      path: BulkDeleteBoardsV2ProjectTasksPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": BulkDeleteBoardsV2ProjectTasksResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update the project task cover photo
   *
   * `POST /boards/v2/projects/{board_id}/tasks/update-cover-photo/{task_id}`
   */
  updateBoardsV2ProjectTasksCoverPhoto: {
    parameters: {
      query?: UpdateBoardsV2ProjectTasksCoverPhotoQuery;
      header?: never;
      path: UpdateBoardsV2ProjectTasksCoverPhotoPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectTasksCoverPhotoBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectTasksCoverPhotoBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectTasksCoverPhotoResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update project task status
   *
   * `POST /boards/v2/projects/{board_id}/tasks/status-update/{task_id}`
   */
  updateBoardsV2ProjectTasksStatus: {
    parameters: {
      query?: UpdateBoardsV2ProjectTasksStatusQuery;
      header?: never;
      path: UpdateBoardsV2ProjectTasksStatusPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectTasksStatusBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectTasksStatusBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectTasksStatusResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project task AI assist
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-assist`
   */
  createBoardsV2ProjectTaskAiAssist: {
    parameters: {
      query?: CreateBoardsV2ProjectTaskAiAssistQuery;
      header?: never;
      path: CreateBoardsV2ProjectTaskAiAssistPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectTaskAiAssistBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectTaskAiAssistBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskAiAssistResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Apply project task AI suggestions
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/ai-apply-suggestions`
   */
  applyBoardsV2ProjectTaskAiSuggestions: {
    parameters: {
      query?: ApplyBoardsV2ProjectTaskAiSuggestionsQuery;
      header?: never;
      path: ApplyBoardsV2ProjectTaskAiSuggestionsPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": ApplyBoardsV2ProjectTaskAiSuggestionsBody;
        "application/x-www-form-urlencoded": ApplyBoardsV2ProjectTaskAiSuggestionsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ApplyBoardsV2ProjectTaskAiSuggestionsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Assign yourself to a project task
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/assign-yourself`
   */
  assignBoardsV2ProjectTaskYourself: {
    parameters: {
      query?: AssignBoardsV2ProjectTaskYourselfQuery;
      header?: never;
      path: AssignBoardsV2ProjectTaskYourselfPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": AssignBoardsV2ProjectTaskYourselfResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Detach yourself from a project task
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/detach-yourself`
   */
  detachBoardsV2ProjectTaskYourself: {
    parameters: {
      query?: DetachBoardsV2ProjectTaskYourselfQuery;
      header?: never;
      path: DetachBoardsV2ProjectTaskYourselfPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DetachBoardsV2ProjectTaskYourselfResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Clone a project task
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/clone-task`
   */
  cloneBoardsV2ProjectTask: {
    parameters: {
      query?: CloneBoardsV2ProjectTaskQuery;
      header?: never;
      path: CloneBoardsV2ProjectTaskPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CloneBoardsV2ProjectTaskBody;
        "application/x-www-form-urlencoded": CloneBoardsV2ProjectTaskBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CloneBoardsV2ProjectTaskResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Upload a project task comment image
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comment-image-upload`
   */
  uploadBoardsV2ProjectTaskCommentImage: {
    parameters: {
      query?: UploadBoardsV2ProjectTaskCommentImageQuery;
      header?: never;
      path: UploadBoardsV2ProjectTaskCommentImagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UploadBoardsV2ProjectTaskCommentImageBody;
        "application/x-www-form-urlencoded": UploadBoardsV2ProjectTaskCommentImageBody;
        "multipart/form-data": UploadBoardsV2ProjectTaskCommentImageBody & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UploadBoardsV2ProjectTaskCommentImageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Upload a project task cover image
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/task-cover-image-upload`
   */
  uploadBoardsV2ProjectTaskCoverImage: {
    parameters: {
      query?: UploadBoardsV2ProjectTaskCoverImageQuery;
      header?: never;
      path: UploadBoardsV2ProjectTaskCoverImagePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UploadBoardsV2ProjectTaskCoverImageBody;
        "application/x-www-form-urlencoded": UploadBoardsV2ProjectTaskCoverImageBody;
        "multipart/form-data": UploadBoardsV2ProjectTaskCoverImageBody & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UploadBoardsV2ProjectTaskCoverImageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Remove the project task cover
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/remove-task-cover`
   */
  removeBoardsV2ProjectTaskCover: {
    parameters: {
      query?: RemoveBoardsV2ProjectTaskCoverQuery;
      header?: never;
      path: RemoveBoardsV2ProjectTaskCoverPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RemoveBoardsV2ProjectTaskCoverResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Upload a project task core editor media file
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/core-editor-media-file-upload`
   */
  uploadBoardsV2ProjectTaskCoreEditorMediaFile: {
    parameters: {
      query?: UploadBoardsV2ProjectTaskCoreEditorMediaFileQuery;
      header?: never;
      path: UploadBoardsV2ProjectTaskCoreEditorMediaFilePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UploadBoardsV2ProjectTaskCoreEditorMediaFileBody;
        "application/x-www-form-urlencoded": UploadBoardsV2ProjectTaskCoreEditorMediaFileBody;
        "multipart/form-data":
          & UploadBoardsV2ProjectTaskCoreEditorMediaFileBody
          & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UploadBoardsV2ProjectTaskCoreEditorMediaFileResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project task activities
   *
   * `GET /boards/v2/projects/{board_id}/tasks/{task_id}/activities`
   */
  listBoardsV2ProjectTaskActivities: {
    parameters: {
      query?: ListBoardsV2ProjectTaskActivitiesQuery;
      header?: never;
      path: ListBoardsV2ProjectTaskActivitiesPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTaskActivitiesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project task comments and activities
   *
   * `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments-and-activities`
   */
  listBoardsV2ProjectTaskCommentsAndActivities: {
    parameters: {
      query?: ListBoardsV2ProjectTaskCommentsAndActivitiesQuery;
      header?: never;
      path: ListBoardsV2ProjectTaskCommentsAndActivitiesPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTaskCommentsAndActivitiesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List project task comments
   *
   * `GET /boards/v2/projects/{board_id}/tasks/{task_id}/comments`
   */
  listBoardsV2ProjectTaskComments: {
    parameters: {
      query?: ListBoardsV2ProjectTaskCommentsQuery;
      header?: never;
      path: ListBoardsV2ProjectTaskCommentsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2ProjectTaskCommentsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a project task comment
   *
   * `POST /boards/v2/projects/{board_id}/tasks/{task_id}/comments`
   */
  createBoardsV2ProjectTaskComment: {
    parameters: {
      query?: CreateBoardsV2ProjectTaskCommentQuery;
      header?: never;
      path: CreateBoardsV2ProjectTaskCommentPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2ProjectTaskCommentBody;
        "application/x-www-form-urlencoded": CreateBoardsV2ProjectTaskCommentBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskCommentResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2ProjectTaskCommentResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a project task comment
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`
   */
  updateBoardsV2ProjectTasksComment: {
    parameters: {
      query?: UpdateBoardsV2ProjectTasksCommentQuery;
      header?: never;
      path: UpdateBoardsV2ProjectTasksCommentPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectTasksCommentBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectTasksCommentBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectTasksCommentResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project task comment
   *
   * `DELETE /boards/v2/projects/{board_id}/tasks/comments/{comment_id}`
   */
  deleteBoardsV2ProjectTasksComment: {
    parameters: {
      query?: DeleteBoardsV2ProjectTasksCommentQuery;
      header?: never;
      path: DeleteBoardsV2ProjectTasksCommentPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectTasksCommentResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update the project task comment privacy
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/comments/{comment_id}/privacy`
   */
  updateBoardsV2ProjectTasksCommentPrivacy: {
    parameters: {
      query?: UpdateBoardsV2ProjectTasksCommentPrivacyQuery;
      header?: never;
      path: UpdateBoardsV2ProjectTasksCommentPrivacyPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectTasksCommentPrivacyBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectTasksCommentPrivacyBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectTasksCommentPrivacyResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a project task reply
   *
   * `PUT /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`
   */
  updateBoardsV2ProjectTasksReply: {
    parameters: {
      query?: UpdateBoardsV2ProjectTasksReplyQuery;
      header?: never;
      path: UpdateBoardsV2ProjectTasksReplyPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2ProjectTasksReplyBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2ProjectTasksReplyBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2ProjectTasksReplyResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a project task reply
   *
   * `DELETE /boards/v2/projects/{board_id}/tasks/reply/{reply_id}`
   */
  deleteBoardsV2ProjectTasksReply: {
    parameters: {
      query?: DeleteBoardsV2ProjectTasksReplyQuery;
      header?: never;
      path: DeleteBoardsV2ProjectTasksReplyPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2ProjectTasksReplyResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List admin feature modules
   *
   * `GET /boards/v2/admin/feature-modules`
   */
  listBoardsV2AdminFeatureModules: {
    parameters: {
      query?: ListBoardsV2AdminFeatureModulesQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2AdminFeatureModulesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create an admin feature module
   *
   * `POST /boards/v2/admin/feature-modules`
   */
  createBoardsV2AdminFeatureModule: {
    parameters: {
      query?: CreateBoardsV2AdminFeatureModuleQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2AdminFeatureModuleBody;
        "application/x-www-form-urlencoded": CreateBoardsV2AdminFeatureModuleBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2AdminFeatureModuleResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Install the admin feature module plugin
   *
   * `POST /boards/v2/admin/feature-modules/install-plugin`
   */
  installBoardsV2AdminFeatureModulesPlugin: {
    parameters: {
      query?: InstallBoardsV2AdminFeatureModulesPluginQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": InstallBoardsV2AdminFeatureModulesPluginBody;
        "application/x-www-form-urlencoded": InstallBoardsV2AdminFeatureModulesPluginBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": InstallBoardsV2AdminFeatureModulesPluginResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get admin general settings
   *
   * `GET /boards/v2/admin/general-settings`
   */
  getBoardsV2AdminGeneralSettings: {
    parameters: {
      query?: GetBoardsV2AdminGeneralSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AdminGeneralSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update admin general settings
   *
   * `POST /boards/v2/admin/general-settings`
   */
  updateBoardsV2AdminGeneralSettings: {
    parameters: {
      query?: UpdateBoardsV2AdminGeneralSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2AdminGeneralSettingsBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2AdminGeneralSettingsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2AdminGeneralSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get admin MCP status
   *
   * `GET /boards/v2/admin/mcp/status`
   */
  getBoardsV2AdminMcpStatus: {
    parameters: {
      query?: GetBoardsV2AdminMcpStatusQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AdminMcpStatusResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Toggle the admin MCP
   *
   * `POST /boards/v2/admin/mcp/toggle`
   */
  toggleBoardsV2AdminMcp: {
    parameters: {
      query?: ToggleBoardsV2AdminMcpQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": ToggleBoardsV2AdminMcpBody;
        "application/x-www-form-urlencoded": ToggleBoardsV2AdminMcpBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ToggleBoardsV2AdminMcpResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Install the admin MCP adapter
   *
   * `POST /boards/v2/admin/mcp/install-adapter`
   */
  installBoardsV2AdminMcpAdapter: {
    parameters: {
      query?: InstallBoardsV2AdminMcpAdapterQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": InstallBoardsV2AdminMcpAdapterBody;
        "application/x-www-form-urlencoded": InstallBoardsV2AdminMcpAdapterBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": InstallBoardsV2AdminMcpAdapterResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the admin MCP config snippet
   *
   * `GET /boards/v2/admin/mcp/config-snippet`
   */
  getBoardsV2AdminMcpConfigSnippet: {
    parameters: {
      query?: GetBoardsV2AdminMcpConfigSnippetQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AdminMcpConfigSnippetResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List admin pages
   *
   * `GET /boards/v2/admin/pages`
   */
  listBoardsV2AdminPages: {
    parameters: {
      query?: ListBoardsV2AdminPagesQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListBoardsV2AdminPagesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List admin folders
   *
   * `GET /boards/v2/admin/folders`
   */
  listBoardsV2AdminFolders: {
    parameters: {
      query?: ListBoardsV2AdminFoldersQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListBoardsV2AdminFoldersResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create an admin folder
   *
   * `POST /boards/v2/admin/folders`
   */
  createBoardsV2AdminFolder: {
    parameters: {
      query?: CreateBoardsV2AdminFolderQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateBoardsV2AdminFolderBody;
        "application/x-www-form-urlencoded": CreateBoardsV2AdminFolderBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2AdminFolderResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateBoardsV2AdminFolderResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get an admin folder
   *
   * `GET /boards/v2/admin/folders/{folder_id}`
   */
  getBoardsV2AdminFolder: {
    parameters: {
      query?: GetBoardsV2AdminFolderQuery;
      header?: never;
      path: GetBoardsV2AdminFolderPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AdminFolderResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update an admin folder
   *
   * `PUT /boards/v2/admin/folders/{folder_id}`
   */
  updateBoardsV2AdminFolder: {
    parameters: {
      query?: UpdateBoardsV2AdminFolderQuery;
      header?: never;
      path: UpdateBoardsV2AdminFolderPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2AdminFolderBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2AdminFolderBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2AdminFolderResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete an admin folder
   *
   * `DELETE /boards/v2/admin/folders/{folder_id}`
   */
  deleteBoardsV2AdminFolder: {
    parameters: {
      query?: DeleteBoardsV2AdminFolderQuery;
      header?: never;
      path: DeleteBoardsV2AdminFolderPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteBoardsV2AdminFolderResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Add an admin folder board
   *
   * `POST /boards/v2/admin/folders/{folder_id}/add-board`
   */
  addBoardsV2AdminFolderBoard: {
    parameters: {
      query?: AddBoardsV2AdminFolderBoardQuery;
      header?: never;
      path: AddBoardsV2AdminFolderBoardPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": AddBoardsV2AdminFolderBoardBody;
        "application/x-www-form-urlencoded": AddBoardsV2AdminFolderBoardBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": AddBoardsV2AdminFolderBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Remove the admin folder board
   *
   * `POST /boards/v2/admin/folders/{folder_id}/remove-board`
   */
  removeBoardsV2AdminFolderBoard: {
    parameters: {
      query?: RemoveBoardsV2AdminFolderBoardQuery;
      header?: never;
      path: RemoveBoardsV2AdminFolderBoardPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": RemoveBoardsV2AdminFolderBoardBody;
        "application/x-www-form-urlencoded": RemoveBoardsV2AdminFolderBoardBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RemoveBoardsV2AdminFolderBoardResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get AI settings
   *
   * `GET /boards/v2/ai/settings`
   */
  getBoardsV2AiSettings: {
    parameters: {
      query?: GetBoardsV2AiSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetBoardsV2AiSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update AI settings
   *
   * `POST /boards/v2/ai/settings`
   */
  updateBoardsV2AiSettings: {
    parameters: {
      query?: UpdateBoardsV2AiSettingsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateBoardsV2AiSettingsBody;
        "application/x-www-form-urlencoded": UpdateBoardsV2AiSettingsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateBoardsV2AiSettingsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
}

// ── Components ───────────────────────────────────────────────────────────────────────────────────

export interface components {
  schemas: {
    AddBoardsV2AdminFolderBoardBody: AddBoardsV2AdminFolderBoardBody;
    AddBoardsV2ProjectMembersBody: AddBoardsV2ProjectMembersBody;
    AnyFields: AnyFields;
    ApplyBoardsV2ProjectTaskAiSuggestionsBody: ApplyBoardsV2ProjectTaskAiSuggestionsBody;
    BatchResult: BatchResult;
    BoardsV2Activity: BoardsV2Activity;
    BoardsV2ActivityReport: BoardsV2ActivityReport;
    BoardsV2AiSettings: BoardsV2AiSettings;
    BoardsV2ArchivedTasks: BoardsV2ArchivedTasks;
    BoardsV2Assignee: BoardsV2Assignee;
    BoardsV2AssociatedUser: BoardsV2AssociatedUser;
    BoardsV2Board: BoardsV2Board;
    BoardsV2BoardChange: BoardsV2BoardChange;
    BoardsV2BoardColor: BoardsV2BoardColor;
    BoardsV2BoardMembers: BoardsV2BoardMembers;
    BoardsV2BoardNotifications: BoardsV2BoardNotifications;
    BoardsV2BoardOfType: BoardsV2BoardOfType;
    BoardsV2BoardUser: BoardsV2BoardUser;
    BoardsV2BulkResult: BoardsV2BulkResult;
    BoardsV2Comment: BoardsV2Comment;
    BoardsV2Contact: BoardsV2Contact;
    BoardsV2Currency: BoardsV2Currency;
    BoardsV2DashboardView: BoardsV2DashboardView;
    BoardsV2FeatureModules: BoardsV2FeatureModules;
    BoardsV2Folder: BoardsV2Folder;
    BoardsV2GeneralSettings: BoardsV2GeneralSettings;
    BoardsV2Idea: BoardsV2Idea;
    BoardsV2IdeaDay: BoardsV2IdeaDay;
    BoardsV2Image: BoardsV2Image;
    BoardsV2InstalledPlugin: BoardsV2InstalledPlugin;
    BoardsV2Label: BoardsV2Label;
    BoardsV2McpConfigSnippet: BoardsV2McpConfigSnippet;
    BoardsV2McpStatus: BoardsV2McpStatus;
    BoardsV2MenuItem: BoardsV2MenuItem;
    BoardsV2MovedTasks: BoardsV2MovedTasks;
    BoardsV2NotificationSettings: BoardsV2NotificationSettings;
    BoardsV2Onboarding: BoardsV2Onboarding;
    BoardsV2Option: BoardsV2Option;
    BoardsV2OverviewReport: BoardsV2OverviewReport;
    BoardsV2Page: BoardsV2Page;
    BoardsV2PublicAccess: BoardsV2PublicAccess;
    BoardsV2RemovedMember: BoardsV2RemovedMember;
    BoardsV2Reply: BoardsV2Reply;
    BoardsV2RoadmapPageSettings: BoardsV2RoadmapPageSettings;
    BoardsV2RoadmapReport: BoardsV2RoadmapReport;
    BoardsV2RoadmapSettings: BoardsV2RoadmapSettings;
    BoardsV2SearchResult: BoardsV2SearchResult;
    BoardsV2ShortBoard: BoardsV2ShortBoard;
    BoardsV2SortedTasks: BoardsV2SortedTasks;
    BoardsV2Stage: BoardsV2Stage;
    BoardsV2StageOrder: BoardsV2StageOrder;
    BoardsV2StagePositions: BoardsV2StagePositions;
    BoardsV2Task: BoardsV2Task;
    BoardsV2TaskAdvice: BoardsV2TaskAdvice;
    BoardsV2TaskColumns: BoardsV2TaskColumns;
    BoardsV2TaskPlace: BoardsV2TaskPlace;
    BoardsV2TaskRow: BoardsV2TaskRow;
    BoardsV2TaskTabs: BoardsV2TaskTabs;
    BoardsV2TasksReport: BoardsV2TasksReport;
    BoardsV2TimeEstimate: BoardsV2TimeEstimate;
    BoardsV2TimeTrack: BoardsV2TimeTrack;
    BoardsV2TimelineEntry: BoardsV2TimelineEntry;
    BoardsV2TimesheetReport: BoardsV2TimesheetReport;
    BoardsV2TimesheetTask: BoardsV2TimesheetTask;
    BoardsV2TimesheetUser: BoardsV2TimesheetUser;
    BoardsV2TopTasksOfBoard: BoardsV2TopTasksOfBoard;
    BulkRestoreBoardsV2ProjectTasksBody: BulkRestoreBoardsV2ProjectTasksBody;
    ChangeBoardsV2RoadmapIdeaStageBody: ChangeBoardsV2RoadmapIdeaStageBody;
    CloneBoardsV2ProjectTaskBody: CloneBoardsV2ProjectTaskBody;
    CommitBoardsV2ProjectTaskTimeTrackBody: CommitBoardsV2ProjectTaskTimeTrackBody;
    CreateBoardsV2AdminFeatureModuleBody: CreateBoardsV2AdminFeatureModuleBody;
    CreateBoardsV2AdminFolderBody: CreateBoardsV2AdminFolderBody;
    CreateBoardsV2ProjectBody: CreateBoardsV2ProjectBody;
    CreateBoardsV2ProjectCrmContactBody: CreateBoardsV2ProjectCrmContactBody;
    CreateBoardsV2ProjectLabelBody: CreateBoardsV2ProjectLabelBody;
    CreateBoardsV2ProjectLabelsTaskBody: CreateBoardsV2ProjectLabelsTaskBody;
    CreateBoardsV2ProjectStageBody: CreateBoardsV2ProjectStageBody;
    CreateBoardsV2ProjectTaskAiAssistBody: CreateBoardsV2ProjectTaskAiAssistBody;
    CreateBoardsV2ProjectTaskBody: CreateBoardsV2ProjectTaskBody;
    CreateBoardsV2ProjectTaskCommentBody: CreateBoardsV2ProjectTaskCommentBody;
    CreateBoardsV2ProjectTaskDateBody: CreateBoardsV2ProjectTaskDateBody;
    CreateBoardsV2ProjectTaskFromImageBody: CreateBoardsV2ProjectTaskFromImageBody;
    CreateBoardsV2ProjectTaskTimeTrackBody: CreateBoardsV2ProjectTaskTimeTrackBody;
    CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeBody: CreateBoardsV2ProjectTaskTimeTracksEstimatedTimeBody;
    CreateBoardsV2RoadmapIdeaBody: CreateBoardsV2RoadmapIdeaBody;
    CreateBoardsV2RoadmapIdeaCommentBody: CreateBoardsV2RoadmapIdeaCommentBody;
    CreateBoardsV2RoadmapsIdeaCommentReplyBody: CreateBoardsV2RoadmapsIdeaCommentReplyBody;
    DeletedBoardsV2Board: DeletedBoardsV2Board;
    DeletedBoardsV2BulkResult: DeletedBoardsV2BulkResult;
    DeletedBoardsV2Comment: DeletedBoardsV2Comment;
    DeletedBoardsV2Contact: DeletedBoardsV2Contact;
    DeletedBoardsV2Folder: DeletedBoardsV2Folder;
    DeletedBoardsV2Label: DeletedBoardsV2Label;
    DeletedBoardsV2Reply: DeletedBoardsV2Reply;
    DeletedBoardsV2Task: DeletedBoardsV2Task;
    DeletedBoardsV2TimeTrack: DeletedBoardsV2TimeTrack;
    DragBoardsV2ProjectStageBody: DragBoardsV2ProjectStageBody;
    DuplicateBoardsV2ProjectBoardBody: DuplicateBoardsV2ProjectBoardBody;
    Error: Error;
    ImportBoardsV2ProjectFromBoardBody: ImportBoardsV2ProjectFromBoardBody;
    InstallBoardsV2AdminFeatureModulesPluginBody: InstallBoardsV2AdminFeatureModulesPluginBody;
    MoveBoardsV2ProjectStageAllTaskBody: MoveBoardsV2ProjectStageAllTaskBody;
    MoveBoardsV2ProjectTaskBody: MoveBoardsV2ProjectTaskBody;
    OnboardBoardsV2ProjectsBody: OnboardBoardsV2ProjectsBody;
    PinBoardsV2ProjectTaskBody: PinBoardsV2ProjectTaskBody;
    RemoveBoardsV2AdminFolderBoardBody: RemoveBoardsV2AdminFolderBoardBody;
    RepositionBoardsV2ProjectStagesBody: RepositionBoardsV2ProjectStagesBody;
    RestoreBoardsV2ProjectStageBody: RestoreBoardsV2ProjectStageBody;
    RunBatchBody: RunBatchBody;
    RunBoardsV2ProjectTasksBulkActionsBody: RunBoardsV2ProjectTasksBulkActionsBody;
    SortBoardsV2ProjectStageTaskBody: SortBoardsV2ProjectStageTaskBody;
    ToggleBoardsV2AdminMcpBody: ToggleBoardsV2AdminMcpBody;
    ToggleBoardsV2ProjectPublicAccessBody: ToggleBoardsV2ProjectPublicAccessBody;
    UpdateBoardsV2AdminFolderBody: UpdateBoardsV2AdminFolderBody;
    UpdateBoardsV2AdminGeneralSettingsBody: UpdateBoardsV2AdminGeneralSettingsBody;
    UpdateBoardsV2AdminRoadmapPageSettingsBody: UpdateBoardsV2AdminRoadmapPageSettingsBody;
    UpdateBoardsV2AdminRoadmapSettingsBody: UpdateBoardsV2AdminRoadmapSettingsBody;
    UpdateBoardsV2AiSettingsBody: UpdateBoardsV2AiSettingsBody;
    UpdateBoardsV2DashboardViewSettingsBody: UpdateBoardsV2DashboardViewSettingsBody;
    UpdateBoardsV2GlobalNotificationSettingsBody: UpdateBoardsV2GlobalNotificationSettingsBody;
    UpdateBoardsV2ProjectBoardPropertiesBody: UpdateBoardsV2ProjectBoardPropertiesBody;
    UpdateBoardsV2ProjectBody: UpdateBoardsV2ProjectBody;
    UpdateBoardsV2ProjectLabelBody: UpdateBoardsV2ProjectLabelBody;
    UpdateBoardsV2ProjectNotificationSettingsBody: UpdateBoardsV2ProjectNotificationSettingsBody;
    UpdateBoardsV2ProjectStageBody: UpdateBoardsV2ProjectStageBody;
    UpdateBoardsV2ProjectStagePropertyBody: UpdateBoardsV2ProjectStagePropertyBody;
    UpdateBoardsV2ProjectStageViewBody: UpdateBoardsV2ProjectStageViewBody;
    UpdateBoardsV2ProjectTaskBody: UpdateBoardsV2ProjectTaskBody;
    UpdateBoardsV2ProjectTasksCommentBody: UpdateBoardsV2ProjectTasksCommentBody;
    UpdateBoardsV2ProjectTasksCommentPrivacyBody: UpdateBoardsV2ProjectTasksCommentPrivacyBody;
    UpdateBoardsV2ProjectTasksCoverPhotoBody: UpdateBoardsV2ProjectTasksCoverPhotoBody;
    UpdateBoardsV2ProjectTasksReplyBody: UpdateBoardsV2ProjectTasksReplyBody;
    UpdateBoardsV2ProjectTasksStatusBody: UpdateBoardsV2ProjectTasksStatusBody;
    UpdateBoardsV2TasksTaskTabsConfigBody: UpdateBoardsV2TasksTaskTabsConfigBody;
    UploadBoardsV2ProjectBackgroundBody: UploadBoardsV2ProjectBackgroundBody;
    UploadBoardsV2ProjectTaskCommentImageBody: UploadBoardsV2ProjectTaskCommentImageBody;
    UploadBoardsV2ProjectTaskCoreEditorMediaFileBody: UploadBoardsV2ProjectTaskCoreEditorMediaFileBody;
    UploadBoardsV2ProjectTaskCoverImageBody: UploadBoardsV2ProjectTaskCoverImageBody;
    VoteBoardsV2RoadmapsIdeaBody: VoteBoardsV2RoadmapsIdeaBody;
  };
  responses: {
    /** The request was refused or failed. */
    Error: {
      headers: { [k: string]: unknown };
      content: { "application/json": Error };
    };
  };
  parameters: {
    _embed: string[];
    _envelope: string;
    _fields: string[];
    _locale: string;
  };
  requestBodies: never;
  headers: {
    Link: string;
    "X-WP-Total": number;
    "X-WP-TotalPages": number;
  };
  pathItems: never;
}

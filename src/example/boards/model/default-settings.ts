import { DASHBOARD_WIDGETS, type SiteSettings, TASK_TABS, type UserSettings } from './settings.ts';

/** Settings of a user who has changed none. */
export function defaultUserSettings(): UserSettings {
  return {
    pinnedBoards: [],
    pinnedTasks: [],
    recentBoards: [],
    notifications: {
      task_created: false,
      task_assigned: true,
      task_moved: false,
      task_completed: true,
      comment_added: true,
      mentioned: true,
      due_soon: true,
    },
    boardNotifications: new Map(),
    dashboard: { layout: 'grid', sort: 'recent', widgets: DASHBOARD_WIDGETS, showArchived: false },
    foldedStages: new Set(),
    taskTabs: TASK_TABS,
    onboardingStatus: 'pending',
  };
}

/** Settings of a site whose administrators have changed none. */
export function defaultSiteSettings(): SiteSettings {
  return {
    features: {
      time_tracking: true,
      roadmaps: true,
      reports: true,
      crm: true,
      ai: true,
      mcp: false,
      folders: true,
    },
    installedPlugins: { crm: true, 'mcp-adapter': false },
    general: {
      default_currency: 'EUR',
      board_creators: 'editors',
    },
    roadmap: {
      accept_ideas: true,
      moderate_ideas: false,
      allow_comments: true,
      allow_votes: true,
      votes_per_user: 0,
    },
    roadmapPage: {
      page_id: 2,
      title: 'What we are building',
      intro: 'Vote for what you want next, or tell us what is missing.',
      accent_color: '#4263eb',
      layout: 'columns',
    },
    ai: { tone: 'neutral', max_words: 200 },
  };
}

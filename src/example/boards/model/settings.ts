/** Events of which a user can be notified. */
export const NOTIFICATION_EVENTS = [
  'task_created',
  'task_assigned',
  'task_moved',
  'task_completed',
  'comment_added',
  'mentioned',
  'due_soon',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];
export type NotificationSettings = Record<NotificationEvent, boolean>;

export const DASHBOARD_WIDGETS = [
  'recent_boards',
  'pinned_boards',
  'my_tasks',
  'overdue_tasks',
  'activity',
] as const;
export type DashboardWidget = (typeof DASHBOARD_WIDGETS)[number];

export interface DashboardView {
  layout: 'grid' | 'list';
  sort: 'recent' | 'title' | 'created';
  /** In the order shown. */
  widgets: readonly DashboardWidget[];
  showArchived: boolean;
}

export const TASK_TABS = ['comments', 'activities', 'time-tracks', 'subtasks', 'files'] as const;
export type TaskTab = (typeof TASK_TABS)[number];

/** Settings and lists of one user. */
export interface UserSettings {
  /** The newest pin first. */
  readonly pinnedBoards: number[];
  readonly pinnedTasks: number[];
  /** Most recently viewed first, at most ten. */
  readonly recentBoards: number[];
  readonly notifications: NotificationSettings;
  /** Settings of single boards that override `notifications`. */
  readonly boardNotifications: Map<number, Partial<NotificationSettings>>;
  readonly dashboard: DashboardView;
  /** Stages that the user has collapsed. */
  readonly foldedStages: Set<number>;
  /** Tabs of an open task, in the order shown. */
  taskTabs: readonly TaskTab[];
  onboardingStatus: 'pending' | 'skipped' | 'done';
}

export const FEATURES = ['time_tracking', 'roadmaps', 'reports', 'crm', 'ai', 'mcp', 'folders'] as const;
export type SiteFeature = (typeof FEATURES)[number];

export const COMPANION_PLUGINS = ['crm', 'mcp-adapter'] as const;
export type CompanionPlugin = (typeof COMPANION_PLUGINS)[number];

/** Settings of the site, which administrators change. */
export interface SiteSettings {
  readonly features: Record<SiteFeature, boolean>;
  readonly installedPlugins: Record<CompanionPlugin, boolean>;
  readonly general: GeneralSettings;
  readonly roadmap: RoadmapSettings;
  readonly roadmapPage: RoadmapPageSettings;
  readonly ai: AiSettings;
}

export interface GeneralSettings {
  /** Currency of new boards. */
  default_currency: string;
  /** Users who may create boards, in addition to administrators. */
  board_creators: 'administrators' | 'editors' | 'everyone';
}

export interface RoadmapSettings {
  /** Whether users may submit ideas. */
  accept_ideas: boolean;
  /** Whether an idea is hidden until a manager approves it. */
  moderate_ideas: boolean;
  allow_comments: boolean;
  allow_votes: boolean;
  /** Maximum votes of one user on one board; 0 for no limit. */
  votes_per_user: number;
}

export interface RoadmapPageSettings {
  /** Page of the site that shows the roadmap; `null` for none. */
  page_id: number | null;
  title: string;
  intro: string;
  accent_color: string;
  layout: 'columns' | 'list';
}

export const AI_TONES = ['neutral', 'friendly', 'formal'] as const;
export type AiTone = (typeof AI_TONES)[number];

/** Settings of the writing assistant, which the feature `ai` switches on. */
export interface AiSettings {
  tone: AiTone;
  /** Maximum length of its text, in words. */
  max_words: number;
}

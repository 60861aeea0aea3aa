/** What a user wants to hear of. */
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

/** What one user has chosen. */
export interface PersonalSettings {
  /** The newest pin first. */
  readonly pinnedBoards: number[];
  readonly pinnedTasks: number[];
  /** The board last looked at first, at most ten. */
  readonly recentBoards: number[];
  readonly notifications: NotificationSettings;
  /** Where a board differs from `notifications`. */
  readonly boardNotifications: Map<number, Partial<NotificationSettings>>;
  readonly dashboard: DashboardView;
  /** Stages that the user has folded. */
  readonly foldedStages: Set<number>;
  /** The tabs of an open task, in the order shown. */
  taskTabs: readonly TaskTab[];
  onboarding: 'pending' | 'skipped' | 'done';
}

export const FEATURES = ['time_tracking', 'roadmaps', 'reports', 'crm', 'ai', 'mcp', 'folders'] as const;
export type Feature = (typeof FEATURES)[number];

export const COMPANION_PLUGINS = ['crm', 'helpdesk', 'forms'] as const;
export type CompanionPlugin = (typeof COMPANION_PLUGINS)[number];

/** What an administrator has chosen for everybody. */
export interface SiteSettings {
  readonly features: Record<Feature, boolean>;
  readonly plugins: Record<CompanionPlugin, boolean>;
  readonly general: GeneralSettings;
  readonly roadmap: RoadmapSettings;
  readonly roadmapPage: RoadmapPageSettings;
  readonly mcp: McpSettings;
  readonly ai: AiSettings;
}

export interface GeneralSettings {
  default_currency: string;
  week_starts_on: 'monday' | 'sunday';
  date_format: 'Y-m-d' | 'd.m.Y' | 'm/d/Y';
  /** Who may create boards besides administrators. */
  board_creators: 'administrators' | 'editors' | 'everyone';
  /** Days after which archived tasks may be deleted for good; 0 keeps them. */
  keep_archived_days: number;
  email_from_name: string;
}

export interface RoadmapSettings {
  /** Whether ideas may be sent in at all. */
  accept_ideas: boolean;
  /** Whether an idea waits for a manager before it shows. */
  moderate_ideas: boolean;
  allow_comments: boolean;
  allow_votes: boolean;
  /** Votes of one user on one board, 0 for any number. */
  votes_per_user: number;
}

export interface RoadmapPageSettings {
  /** The page of the site that shows the roadmap, null for none. */
  page_id: number | null;
  title: string;
  intro: string;
  accent_color: string;
  layout: 'columns' | 'list';
}

export interface McpSettings {
  enabled: boolean;
  adapter_installed: boolean;
}

export const AI_PROVIDERS = ['none', 'openai', 'anthropic', 'google'] as const;
export type AiProvider = (typeof AI_PROVIDERS)[number];

export interface AiSettings {
  enabled: boolean;
  provider: AiProvider;
  model: string;
  /** Never shown again once given. Empty for none. */
  apiKey: string;
  tone: 'neutral' | 'friendly' | 'formal';
  max_output_tokens: number;
}

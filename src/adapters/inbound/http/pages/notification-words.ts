import type { NotificationEvent } from '../../../../domain/notifications/notification-event.js';
import type { NotificationLevel } from '../../../../domain/notifications/notification-level.js';

export const LEVEL_WORDS: Readonly<Record<NotificationLevel, string>> = {
  disabled: 'Disabled: nothing',
  participating: 'Participate: what I take part in',
  watch: 'Watch: everything',
  global: 'Global: as my global setting says',
  mention: 'On mention: where I am mentioned',
  custom: 'Custom: the events ticked below',
};

/** What `global` means where there is nothing above. */
export const GLOBAL_WORDS = 'Global: the same as Participate';

export const EVENT_WORDS: Readonly<Record<NotificationEvent, string>> = {
  new_note: 'New comment',
  new_issue: 'New issue',
  reopen_issue: 'Issue reopened',
  close_issue: 'Issue closed',
  reassign_issue: 'Issue reassigned',
  issue_due: 'Issue due',
  new_merge_request: 'New merge request',
  push_to_merge_request: 'Push to a merge request',
  reopen_merge_request: 'Merge request reopened',
  close_merge_request: 'Merge request closed',
  reassign_merge_request: 'Merge request reassigned',
  merge_merge_request: 'Merge request merged',
  failed_pipeline: 'Pipeline failed',
  fixed_pipeline: 'Pipeline fixed',
  success_pipeline: 'Pipeline succeeded',
  moved_project: 'Project moved',
  new_epic: 'New epic',
};

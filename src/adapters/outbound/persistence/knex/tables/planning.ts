import type { IssueKind, IssueState } from '../../../../../domain/planning/issue.js';
import type { ResourceEventActions, ResourceEventKind } from '../../../../../domain/planning/resource-event.js';
import type { IssueLink } from '../../../../../domain/planning/issue-link.js';
import type { MilestoneState } from '../../../../../domain/planning/milestone.js';
import {
  bigInteger,
  boolean,
  code,
  date,
  id,
  instant,
  link,
  nullable,
  reference,
  sharedId,
  table,
  text,
} from './table.js';

export const PLANNING_TABLES = {
  milestones: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: reference('projects'),
      iid: bigInteger,
      title: text,
      description: text,
      search_key: text,
      state: code<MilestoneState>(),
      start_date: nullable(date),
      due_date: nullable(date),
      created_at: instant,
      updated_at: instant,
    },
  }),
  issues: table({
    key: ['id'],
    size: 'many',
    columns: {
      id: sharedId('subjects'),
      project_id: reference('projects'),
      iid: bigInteger,
      kind: code<IssueKind>(),
      title: text,
      description: text,
      search_key: text,
      state: code<IssueState>(),
      severity: nullable(text),
      confidential: boolean,
      due_date: nullable(date),
      author_id: link('users'),
      closed_by_id: link('users'),
      created_at: instant,
      updated_at: instant,
      closed_at: nullable(instant),
      milestone_id: link('milestones'),
    },
  }),
  issue_assignees: table({
    key: ['issue_id', 'user_id'],
    size: 'many',
    columns: { issue_id: reference('issues'), user_id: reference('users') },
  }),
  issue_links: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      source_id: reference('issues'),
      target_id: reference('issues'),
      type: code<IssueLink['type']>(),
      created_at: instant,
    },
  }),
  labels: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: reference('projects'),
      name: text,
      color: text,
      description: text,
      created_at: instant,
    },
  }),
  resource_events: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      subject_id: reference('subjects'),
      user_id: link('users'),
      kind: code<ResourceEventKind>(),
      action: code<ResourceEventActions[ResourceEventKind]>(),
      label_id: link('labels'),
      milestone_id: link('milestones'),
      created_at: instant,
    },
  }),
};

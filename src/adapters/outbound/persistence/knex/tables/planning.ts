import type { IssueKind, IssueState } from '../../../../../domain/planning/issue.js';
import type { MilestoneState } from '../../../../../domain/planning/milestone.js';
import { bigInteger, boolean, code, date, id, instant, link, nullable, reference, table, text } from './table.js';

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
      id,
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
  issue_labels: table({
    key: ['issue_id', 'label_id'],
    size: 'many',
    columns: { issue_id: reference('issues'), label_id: reference('labels') },
  }),
  notes: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      issue_id: reference('issues'),
      author_id: link('users'),
      body: text,
      system: boolean,
      created_at: instant,
      updated_at: instant,
    },
  }),
};

import type { TodoAction, TodoState } from '../../../../../domain/collaboration/todo.js';
import type { SubjectKind } from '../../../../../domain/shared/subject.js';
import {
  bigInteger,
  boolean,
  code,
  id,
  instant,
  integer,
  json,
  link,
  nullable,
  reference,
  table,
  text,
} from './table.js';

export const COLLABORATION_TABLES = {
  subjects: table({
    key: ['id'],
    size: 'many',
    columns: { id, kind: code<SubjectKind>(), project_id: reference('projects') },
  }),
  subject_labels: table({
    key: ['subject_id', 'label_id'],
    size: 'many',
    columns: { subject_id: reference('subjects'), label_id: reference('labels') },
  }),
  notes: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      subject_id: reference('subjects'),
      author_id: link('users'),
      body: text,
      system: boolean,
      created_at: instant,
      updated_at: instant,
      discussion_id: link('discussions'),
    },
  }),
  discussions: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      subject_id: reference('subjects'),
      first_note_id: bigInteger,
      resolved_at: nullable(instant),
      resolved_by_id: link('users'),
    },
  }),
  discussion_positions: table({
    key: ['discussion_id'],
    size: 'many',
    columns: {
      discussion_id: reference('discussions'),
      position: json,
      original: json,
      excerpt: json,
      outdated: boolean,
    },
  }),
  suggestions: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      note_id: reference('notes'),
      lines_above: integer,
      lines_below: integer,
      replaced: text,
      content: text,
      outdated: boolean,
      commit_sha: nullable(text),
    },
  }),
  awards: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      subject_id: reference('subjects'),
      note_id: nullable(reference('notes')),
      user_id: reference('users'),
      name: text,
      created_at: instant,
    },
  }),
  subscriptions: table({
    key: ['subject_id', 'user_id'],
    size: 'many',
    columns: {
      subject_id: reference('subjects'),
      user_id: reference('users'),
      subscribed: boolean,
      updated_at: instant,
    },
  }),
  todos: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      user_id: reference('users'),
      subject_id: reference('subjects'),
      note_id: link('notes'),
      author_id: link('users'),
      action: code<TodoAction>(),
      state: code<TodoState>(),
      created_at: instant,
      updated_at: instant,
    },
  }),
  time_tracking: table({
    key: ['subject_id'],
    size: 'many',
    columns: { subject_id: reference('subjects'), estimated_seconds: bigInteger, spent_seconds: bigInteger },
  }),
};

import type { MirrorStatus } from '../../../../../domain/mirrors/remote-mirror.js';
import { boolean, code, id, instant, integer, nullable, reference, sealed, table, text } from './table.js';

export const MIRROR_TABLES = {
  remote_mirrors: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: reference('projects'),
      url: text,
      sealed_credentials: nullable(sealed),
      enabled: boolean,
      only_protected_branches: boolean,
      keep_divergent_refs: boolean,
      status: code<MirrorStatus>(),
      last_error: nullable(text),
      attempts: integer,
      due_at: nullable(instant),
      held_by: nullable(text),
      held_until: nullable(instant),
      last_update_started_at: nullable(instant),
      last_update_at: nullable(instant),
      last_successful_update_at: nullable(instant),
      created_at: instant,
      updated_at: instant,
    },
  }),
};

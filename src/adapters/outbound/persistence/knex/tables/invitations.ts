import { date, digest, id, instant, integer, key, nullable, onceExpired, reference, table, text } from './table.js';

export const INVITATION_TABLES = {
  invitations: table({
    key: ['id'],
    size: 'few',
    pruned: [onceExpired],
    columns: {
      id,
      digest,
      address: text,
      address_key: key,
      inviter_id: nullable(reference('users')),
      project_id: nullable(reference('projects')),
      namespace_id: nullable(reference('namespaces')),
      access_level: nullable(integer),
      member_until: nullable(date),
      created_at: instant,
      expires_at: instant,
    },
  }),
};

import type { HostKeyAlgorithm } from '../../../../../domain/keys/host-key.js';
import { boolean, code, digest, id, instant, link, nullable, reference, sealed, table, text } from './table.js';

export const KEY_TABLES = {
  ssh_keys: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      user_id: nullable(reference('users')),
      creator_id: link('users'),
      title: text,
      public_key: text,
      fingerprint_sha256: text,
      fingerprint_md5: text,
      is_public: boolean,
      expires_at: nullable(instant),
      last_used_at: nullable(instant),
      created_at: instant,
    },
  }),
  deploy_key_projects: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      ssh_key_id: reference('ssh_keys'),
      project_id: reference('projects'),
      can_push: boolean,
      created_at: instant,
      updated_at: instant,
    },
  }),
  deploy_tokens: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: nullable(reference('projects')),
      namespace_id: nullable(reference('namespaces')),
      name: text,
      username: nullable(text),
      digest,
      scopes: text,
      expires_at: nullable(instant),
      last_used_at: nullable(instant),
      created_at: instant,
    },
  }),
  ssh_host_keys: table({
    key: ['id'],
    size: 'few',
    columns: { id, algorithm: code<HostKeyAlgorithm>(), sealed_private_key: sealed, created_at: instant },
  }),
};

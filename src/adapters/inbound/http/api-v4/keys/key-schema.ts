import { Type } from '@sinclair/typebox';
import type { EnabledKey, KeyProject } from '../../../../../application/keys/ports/key-ports.js';
import type { SshKey } from '../../../../../domain/keys/ssh-key.js';
import { component } from '../../openapi/component.js';
import { nullable, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

/** A key of 16,384 bits with a long comment has 3,000 characters. */
const MAX_KEY_LENGTH = 10_000;

/** A day, or an instant; null for never. */
export const EXPIRES_AT = Type.Optional(nullable(text(40)));

/** What every route takes that adds a key. */
export const NEW_KEY = {
  title: text(1_000, 'What people call it'),
  key: text(
    MAX_KEY_LENGTH,
    'The public key, as in the file that ends in .pub: ED25519, ECDSA, or RSA of at least 2048 bits',
  ),
  expires_at: EXPIRES_AT,
};

const instant = Type.String({ format: 'date-time' });

export const KeySchema = component(
  'schemas/Key',
  Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    created_at: instant,
    expires_at: nullable(instant),
    last_used_at: nullable(instant),
    key: Type.String(),
    usage_type: Type.Literal('auth'),
  }),
);

export const DeployKeySchema = component(
  'schemas/DeployKey',
  Type.Object({
    ...KeySchema.properties,
    fingerprint: Type.String({ description: 'MD5' }),
    fingerprint_sha256: Type.String(),
  }),
);

export const EnabledKeySchema = component(
  'schemas/EnabledDeployKey',
  Type.Object({ ...DeployKeySchema.properties, can_push: Type.Boolean() }),
);

/** A key with a comment that says whose it is. */
export const presentKey = (key: SshKey, owner: string | undefined, urls: WebUrls) => ({
  id: key.id,
  title: key.title,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  key: owner === undefined ? key.publicKey : `${key.publicKey} ${owner} (${urls.hostname()})`,
  usage_type: 'auth' as const,
});

export const presentDeployKey = (key: SshKey, creator: string | undefined, urls: WebUrls) => ({
  ...presentKey(key, creator, urls),
  fingerprint: key.md5,
  fingerprint_sha256: `SHA256:${key.sha256}`,
});

export const presentEnabledKey = (key: EnabledKey, creator: string | undefined, urls: WebUrls) => ({
  ...presentDeployKey(key, creator, urls),
  can_push: key.canPush,
});

export const KeyProjectSchema = component(
  'schemas/KeyProject',
  Type.Object({
    id: Type.Integer(),
    deploy_key_id: Type.Integer(),
    project_id: Type.Integer(),
    created_at: instant,
    updated_at: instant,
    can_push: Type.Boolean(),
  }),
);

export const presentKeyProject = (keyId: number, enabled: KeyProject) => ({
  id: enabled.id,
  deploy_key_id: keyId,
  project_id: enabled.projectId,
  created_at: enabled.createdAt.toISOString(),
  updated_at: enabled.updatedAt.toISOString(),
  can_push: enabled.canPush,
});

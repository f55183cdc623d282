import { Type } from '@sinclair/typebox';
import { tokenState, type PersonalAccessToken } from '../../../../../domain/identity/personal-access-token.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

/** A token, whoever it belongs to. */
export const TokenSchema = component(
  'schemas/PersonalAccessToken',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    description: nullable(Type.String()),
    revoked: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
    scopes: Type.Array(Type.String()),
    user_id: Type.Integer(),
    last_used_at: nullable(Type.String({ format: 'date-time' })),
    active: Type.Boolean(),
    expires_at: nullable(Type.String({ format: 'date' })),
  }),
);

/** What is shown of a new one beside it. */
export const SHOWN_ONCE = { token: Type.String({ description: 'Shown this once' }) };

export const presentToken = (token: PersonalAccessToken, now: Date) => ({
  id: token.id,
  name: token.name,
  description: token.description,
  revoked: token.revokedAt !== null,
  created_at: token.createdAt.toISOString(),
  scopes: [...token.scopes],
  user_id: token.userId,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  active: tokenState(token, now) === 'active',
  expires_at: token.expiresAt,
});

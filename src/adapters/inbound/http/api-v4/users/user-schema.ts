import { Type } from '@sinclair/typebox';
import { nullable } from '../../validation/parameters.js';
import { component } from '../../openapi/component.js';

const instant = () => Type.String({ format: 'date-time' });

/** A user as anybody sees them. */
export const BasicUserSchema = component(
  'schemas/BasicUser',
  Type.Object({
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    state: Type.String(),
    avatar_url: nullable(Type.String()),
    web_url: Type.String(),
  }),
);

/** The same, asked for by itself. */
export const PublicUserSchema = component(
  'schemas/PublicUser',
  Type.Object({
    ...BasicUserSchema.properties,
    bot: Type.Boolean({ description: 'Whether it is behind an access token of a project or group' }),
  }),
);

/** A user as they see themselves, or as an administrator does. */
export const FullUserSchema = component(
  'schemas/FullUser',
  Type.Object({
    ...PublicUserSchema.properties,
    created_at: instant(),
    email: nullable(Type.String()),
    public_email: Type.String(),
    confirmed_at: nullable(instant()),
    last_sign_in_at: nullable(instant()),
    current_sign_in_at: nullable(instant()),
    two_factor_enabled: Type.Boolean(),
    is_admin: Type.Optional(Type.Boolean()),
    can_create_group: Type.Boolean(),
    can_create_project: Type.Boolean(),
    external: Type.Boolean(),
    identities: Type.Array(Type.Unknown()),
  }),
);

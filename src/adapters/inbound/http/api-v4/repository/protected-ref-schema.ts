import { Type } from '@sinclair/typebox';
import type {
  ProtectedBranch,
  ProtectedTag,
  ProtectionLevel,
} from '../../../../../domain/repositories/protected-ref.js';
import { component } from '../../openapi/component.js';

const DESCRIPTIONS: Readonly<Record<ProtectionLevel, string>> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Instance admins',
};

const AccessLevelSchema = Type.Object({
  access_level: Type.Integer({ description: '0 no one, 30 developers, 40 maintainers, 60 administrators' }),
  access_level_description: Type.String(),
});

export const ProtectedBranchSchema = component(
  'schemas/ProtectedBranch',
  Type.Object({
    id: Type.Integer(),
    name: Type.String({ description: 'A name, or a pattern in which `*` stands for any text' }),
    push_access_levels: Type.Array(AccessLevelSchema),
    merge_access_levels: Type.Array(AccessLevelSchema),
    allow_force_push: Type.Boolean(),
  }),
);

export const ProtectedTagSchema = Type.Object({
  name: Type.String({ description: 'A name, or a pattern in which `*` stands for any text' }),
  create_access_levels: Type.Array(AccessLevelSchema),
});

const presentLevel = (level: ProtectionLevel) => ({
  access_level: level,
  access_level_description: DESCRIPTIONS[level],
});

export const presentProtectedBranch = (branch: ProtectedBranch & { readonly id: number }) => ({
  id: branch.id,
  name: branch.name,
  push_access_levels: [presentLevel(branch.pushLevel)],
  merge_access_levels: [presentLevel(branch.mergeLevel)],
  allow_force_push: branch.allowForcePush,
});

export const presentProtectedTag = ({ name, createLevel }: ProtectedTag) => ({
  name,
  create_access_levels: [presentLevel(createLevel)],
});

import { Type } from '@sinclair/typebox';
import type { DiffFile } from '../../../../../application/repositories/ports/object-stores.js';
import { component } from '../../openapi/component.js';

export const DiffSchema = component(
  'schemas/Diff',
  Type.Object({
    diff: Type.String({
      description: 'From the first `@@` line on; empty for a binary file, or one that is too large',
    }),
    collapsed: Type.Boolean(),
    too_large: Type.Boolean(),
    new_path: Type.String(),
    old_path: Type.String(),
    a_mode: Type.String({ description: 'Six digits; `0` where there was no file' }),
    b_mode: Type.String({ description: 'Six digits; `0` where there is no file' }),
    new_file: Type.Boolean(),
    renamed_file: Type.Boolean(),
    deleted_file: Type.Boolean(),
  }),
);

const modeOf = (mode: string): string => (mode === '000000' ? '0' : mode);

export const presentDiff = (file: DiffFile) => ({
  diff: file.patch,
  collapsed: false,
  too_large: file.tooLarge,
  new_path: file.newPath,
  old_path: file.oldPath,
  a_mode: modeOf(file.oldMode),
  b_mode: modeOf(file.newMode),
  new_file: file.status === 'added',
  renamed_file: file.status === 'renamed',
  deleted_file: file.status === 'deleted',
});
